/**
 * Sources of `intervals` as Elasticsearch shows them.
 */
import { isObject } from '@shoal/core';
import { float, type Json, type MemberRow, shownMembers, TAIL } from './shown-members.ts';

const FILTER: MemberRow = ['filter', undefined, shownFilter];

const ROWS: Readonly<Record<string, readonly MemberRow[]>> = {
  match: [['query'], ['max_gaps', -1], ['ordered', false], ['analyzer'], FILTER, ['use_field']],
  all_of: [['ordered', false], ['max_gaps', -1], ['intervals', undefined, shownSources], FILTER],
  any_of: [['intervals', undefined, shownSources], FILTER],
};

/** What stands under the field: a source beside the members of the query. */
export function shownIntervals(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { boost, _name, ...source } = value;
  const tail = shownMembers({ boost, _name }, TAIL);
  return { ...shownSource(source), ...tail, boost: float(boost ?? 1) };
}

function shownSource(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value).map(([kind, source]) => {
      const rows = ROWS[kind];
      return [kind, rows === undefined || !isObject(source) ? source : shownMembers(source, rows)];
    }),
  );
}

function shownSources(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => (isObject(one) ? shownSource(one) : one)) : value;
}

function shownFilter(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([relation, source]) => [
      relation,
      relation === 'script' || !isObject(source) ? source : shownSource(source),
    ]),
  );
}
