/**
 * The parts of a request that facts about versions are about.
 */
import type { AskedRequest } from '../requests/asked-request.ts';
import { BULK_ACTIONS } from '../values/bulk-actions.ts';
import type { UsedParts } from './refused-elsewhere.ts';
import { type AskedSearch, membersOf } from './search-of-request.ts';

export function usedParts({ path, query, body }: AskedRequest, searches: readonly AskedSearch[]): UsedParts {
  const queries = new Set<string>();
  const aggregations = new Set<string>();
  for (const search of searches) {
    look(search.request, 'kind', queries);
    look(search.aggregations, 'type', aggregations);
    // Aggregations of aggregations have the kind alone.
    look(search.aggregations, 'kind', aggregations);
  }
  const fieldTypes = new Set<string>();
  const fieldParameters = new Set<string>();
  lookAtFields(mappingsOf(body), fieldTypes, fieldParameters);
  const lines = Array.isArray(body) && path.endsWith('/_bulk') ? body : [];
  const actions = lines.flatMap((line) => BULK_ACTIONS.map((action) => membersOf(line)[action]));
  return {
    path,
    params: query,
    members: new Set(Object.keys(membersOf(body))),
    queries,
    aggregations,
    fieldTypes,
    fieldParameters,
    actionMembers: new Set(actions.flatMap((action) => Object.keys(membersOf(action)))),
  };
}

function look(value: unknown, name: 'kind' | 'type', found: Set<string>): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === name && typeof inner === 'string') found.add(inner);
    else if (key !== 'meta' && key !== 'params') look(inner, name, found);
  }
}

/** Mappings of an index, a template or `_mapping`. */
function mappingsOf(body: unknown): unknown {
  const members = membersOf(body);
  return membersOf(members.template).mappings ?? members.mappings ?? members;
}

function lookAtFields(mapping: unknown, types: Set<string>, parameters: Set<string>): void {
  const { properties, fields } = membersOf(mapping);
  for (const field of [...Object.values(membersOf(properties)), ...Object.values(membersOf(fields))]) {
    const { type } = membersOf(field);
    if (typeof type === 'string') types.add(type);
    for (const name of Object.keys(membersOf(field))) parameters.add(name);
    lookAtFields(field, types, parameters);
  }
}
