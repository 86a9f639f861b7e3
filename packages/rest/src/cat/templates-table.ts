/**
 * `_cat/templates`: legacy templates, then index templates, each with the order or priority by which it counts.
 */

import type { Templates } from '@shoal/cluster-state';
import { simpleMatch } from '@shoal/core';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';

const COLUMNS: readonly CatColumn[] = [
  column('name', 'n', 'template name'),
  column('index_patterns', 't', 'template index patterns'),
  column('order', 'o,p', 'template application order/priority number'),
  column('version', 'v', 'version'),
  column('composed_of', 'c', 'component templates comprising index template'),
];

export const catTemplatesApi: RestApi = catApi({
  usageName: 'cat_templates_action',
  paths: ['/_cat/templates', '/_cat/templates/{name}'],
  privilege: 'indices:admin/template/get',
  columns: COLUMNS,
  params: {},
  table: async (request, context) =>
    templatesTable((await readState(request, context)).metadata.templates, request.params.string('name')),
});

/** @param pattern name wanted, wildcards allowed; null: all */
function templatesTable(templates: Templates, pattern: string | null): CatTable {
  const isWanted = ({ name }: { readonly name: string }): boolean => pattern === null || simpleMatch(pattern, name);
  const legacy = [...templates.legacy.values()]
    .filter(isWanted)
    .map(({ name, indexPatterns, order, version }): CatCell[] => [
      name,
      `[${indexPatterns.join(', ')}]`,
      String(order),
      version === null ? null : String(version),
      '',
    ]);
  const composable = [...templates.index.values()]
    .filter(isWanted)
    .map((template): CatCell[] => [
      template.name,
      `[${template.indexPatterns.join(', ')}]`,
      String(template.priority ?? 0),
      template.version === null ? null : String(template.version),
      `[${template.composedOf.join(', ')}]`,
    ]);
  return { columns: COLUMNS, rows: [...legacy, ...composable] };
}
