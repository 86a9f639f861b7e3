/**
 * Parameters that name the fields whose memory statistics show one by one.
 */
import type { RequestParameters } from '@shoal/http';

/** Patterns of the fields whose memory is shown one by one; empty: none is. */
export function fielddataFields(params: RequestParameters): readonly string[] {
  return params.list(params.has('fielddata_fields') ? 'fielddata_fields' : 'fields');
}
