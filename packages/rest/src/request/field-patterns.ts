/**
 * Parameters that name the fields, and the groups of searches, that statistics show one by one.
 */
import type { RequestParameters } from '@shoal/http';

/** Patterns of fields by what is shown of them, and of groups of searches; empty: none is. */
export interface FieldPatterns {
  readonly fielddata: readonly string[];
  readonly completion: readonly string[];
  /** Names that searches were given. */
  readonly groups: readonly string[];
}

/** Names no field and no group. */
export const NO_FIELDS: FieldPatterns = { fielddata: [], completion: [], groups: [] };

/** `groups`, `fielddata_fields` and `completion_fields`; for the latter two `fields` stands where they are not given. */
export function shownFields(params: RequestParameters): FieldPatterns {
  const given = (name: string): readonly string[] => params.list(params.has(name) ? name : 'fields');
  const groups = params.list('groups');
  return { fielddata: given('fielddata_fields'), completion: given('completion_fields'), groups };
}

/** Whether any field or group is named. */
export function namesFields({ fielddata, completion, groups }: FieldPatterns): boolean {
  return fielddata.length > 0 || completion.length > 0 || groups.length > 0;
}
