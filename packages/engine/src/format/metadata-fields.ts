/**
 * Names of the fields that every segment has beside those of the mapping.
 */

export const ID_FIELD = '_id';

export const ROUTING_FIELD = '_routing';

export const FIELD_NAMES_FIELD = '_field_names';

export const SEQ_NO_FIELD = '_seq_no';

export const VERSION_FIELD = '_version';

export const PRIMARY_TERM_FIELD = '_primary_term';

const METADATA_FIELDS: ReadonlySet<string> = new Set([
  '_field_names',
  '_id',
  '_ignored',
  '_index',
  '_routing',
  '_seq_no',
  '_source',
  '_version',
]);

/** Whether a name is that of a field that every index has and no mapping declares. */
export function isMetadataField(name: string): boolean {
  return METADATA_FIELDS.has(name);
}
