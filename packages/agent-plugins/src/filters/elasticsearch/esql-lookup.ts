/**
 * A lookup in ES|QL: the query as it is written, with values of the event as its named parameters, and the columns of the answer.
 */
import { type EventMap, type EventValue, jsonText, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import { optionError, type PluginOptions } from '@shoal/agent-plugin-kit';
import { ESQL_PATH, esqlQuery, type UnsaidOptions } from '../../elasticsearch-client/esql-query.ts';
import type { CopyRule } from './copy-rules.ts';
import type { LookupSearch } from './lookup-search.ts';

const PLACEHOLDER = /\?([A-Za-z_]\w*)/g;
const TOTAL_VALUES = parseFieldReference('[@metadata][total_values]');

const UNSAID: UnsaidOptions = {
  index: (options, name) => options.string(name) === '',
  query_template: (options, name) => !options.has(name),
  sort: (options, name) => options.string(name) === '@timestamp:desc',
  enable_sort: (options, name) => options.boolean(name),
  result_size: (options, name) => options.number(name) === 1,
  docinfo_fields: (options, name) => options.hash(name).size === 0,
  aggregation_fields: (options, name) => options.hash(name).size === 0,
};

export function esqlSearch(options: PluginOptions): LookupSearch {
  const query = esqlQuery(options, UNSAID);
  const params = readParams(options.hash('query_params'));
  for (const [, name = ''] of query.matchAll(PLACEHOLDER)) {
    if (!params.some((param) => param.name === name))
      throw optionError(`[query_params] must have [${name}], as the query does`);
  }
  return (event) => ({
    method: 'POST',
    path: `${ESQL_PATH}&drop_null_columns=true`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(jsonText(bodyOf(query, params, event)), 'utf8'),
  });
}

interface Param {
  readonly name: string;
  valueFor(event: LogEvent): EventValue;
}

/** A text names the field that has the value; anything else is the value. */
function readParams(hash: ReadonlyMap<string, unknown>): readonly Param[] {
  return [...hash].map(([name, value]) => {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw optionError(`[query_params] has [${name}], which no placeholder can be`);
    if (typeof value === 'number' || typeof value === 'boolean') return { name, valueFor: () => value };
    if (typeof value !== 'string') throw optionError(`[query_params] must give [${name}] a field or a value`);
    const field = parseFieldReference(value);
    return { name, valueFor: (event) => event.get(field) ?? null };
  });
}

function bodyOf(query: string, params: readonly Param[], event: LogEvent): EventMap {
  const values = params.map(({ name, valueFor }) => new Map([[name, valueFor(event)]]));
  return new Map<string, EventValue>([
    ['query', query],
    ['params', values],
  ]);
}

/** Each column that is asked for: its value in a single row, else a list of those that there are. A column without any is left out. */
export function copyColumns(answer: EventMap, rules: readonly CopyRule[], event: LogEvent): void {
  const columns = listOf(answer.get('columns')).map((column) => (column instanceof Map ? column.get('name') : null));
  const rows = listOf(answer.get('values'));
  event.set(TOTAL_VALUES, rows.length);
  for (const { name, to } of rules) {
    const column = columns.indexOf(name);
    if (column < 0) continue;
    const values = rows.map((row) => listOf(row)[column] ?? null).filter((value) => value !== null);
    const [first] = values;
    if (first !== undefined) event.set(to, values.length > 1 ? values : first);
  }
}

function listOf(value: EventValue | undefined): readonly EventValue[] {
  return Array.isArray(value) ? value : [];
}
