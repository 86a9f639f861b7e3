/**
 * Parameters that name the fields whose bytes statistics show one by one.
 */
import type { RequestParameters } from '@shoal/http';

/** Patterns of fields by what is shown of them; empty: none is. */
export interface FieldPatterns {
  readonly fielddata: readonly string[];
  readonly completion: readonly string[];
}

/** Names no field. */
export const NO_FIELDS: FieldPatterns = { fielddata: [], completion: [] };

/** `fielddata_fields` and `completion_fields`, for each of which `fields` stands where it is not given. */
export function shownFields(params: RequestParameters): FieldPatterns {
  const given = (name: string): readonly string[] => params.list(params.has(name) ? name : 'fields');
  return { fielddata: given('fielddata_fields'), completion: given('completion_fields') };
}

/** Whether any field is named. */
export function namesFields({ fielddata, completion }: FieldPatterns): boolean {
  return fielddata.length > 0 || completion.length > 0;
}
