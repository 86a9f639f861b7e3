/**
 * `_cat/count`: how many documents a search would see, as `_count` counts them.
 */
import { type CoordinatorContext, executeCount, READ_INDICES_OPTIONS } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatColumn, type CatTable, column } from './table/cat-table.ts';
import { TIME_COLUMNS, timeCells } from './table/time-columns.ts';

export const COUNT_COLUMNS: readonly CatColumn[] = [
  ...TIME_COLUMNS,
  column('count', 'dc,docs.count,docsCount', 'the document count'),
];

export const catCountApi: RestApi = catApi({
  usageName: 'cat_count_action',
  paths: ['/_cat/count', '/_cat/count/{index}'],
  privilege: 'indices:data/read/search',
  columns: COUNT_COLUMNS,
  params: INDICES_OPTIONS_PARAMETERS,
  table: count,
});

async function count(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  await readState(request, context);
  const outcome = await executeCount(context, {
    expression: request.params.string('index'),
    indicesOptions: indicesOptionsOf(request.params, READ_INDICES_OPTIONS),
    body: null,
    params: {},
    routings: [],
    signal: request.signal,
  });
  return countTable(outcome.count, context.runtime.clock.wallMs());
}

export function countTable(count: number, nowMs: number): CatTable {
  return { columns: COUNT_COLUMNS, rows: [[...timeCells(nowMs), count]] };
}
