/** Names that no member of a document may have at its top: what they say comes with the request. */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  '_id',
  '_index',
  '_source',
  '_routing',
  '_field_names',
  '_seq_no',
  '_version',
  '_primary_term',
  '_ignored',
  '_type',
  '_tier',
  '_nested_path',
]);
