/**
 * Names of the fields that every index has beside those of the mapping.
 */
import { illegalArgument } from '@shoal/core';

export const ID_FIELD = '_id';

/** Name of the index, which no segment holds: it is the same for all documents. */
export const INDEX_FIELD = '_index';

export const ROUTING_FIELD = '_routing';

export const FIELD_NAMES_FIELD = '_field_names';

/** Path of a nested document; others have none. */
export const NESTED_PATH_FIELD = '_nested_path';

export const SOURCE_FIELD = '_source';

export const SEQ_NO_FIELD = '_seq_no';

export const VERSION_FIELD = '_version';

export const PRIMARY_TERM_FIELD = '_primary_term';

const METADATA_FIELDS: ReadonlySet<string> = new Set([
  '_doc_count',
  '_field_names',
  '_id',
  '_ignored',
  '_index',
  '_nested_path',
  '_routing',
  '_seq_no',
  '_source',
  '_version',
]);

/** Whether a name is that of a field that every index has and no mapping declares. */
export function isMetadataField(name: string): boolean {
  return METADATA_FIELDS.has(name);
}

/** Fields whose values are in no column, or in one that only counts read. */
const WITHOUT_COLUMN: ReadonlySet<string> = new Set(['_doc_count', '_field_names', '_routing', '_source']);

/**
 * @param refusesIdValues the cluster forbids those of `_id`
 * @throws ShoalError for a field of every index that has no values to sort or aggregate by
 */
export function checkFielddata(name: string, refusesIdValues = false): void {
  if (name === ID_FIELD && refusesIdValues) {
    throw illegalArgument(
      'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled',
    );
  }
  if (WITHOUT_COLUMN.has(name)) {
    throw illegalArgument(`Fielddata is not supported on field [${name}] of type [${name}]`);
  }
}
