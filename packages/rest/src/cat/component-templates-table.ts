/**
 * `_cat/component_templates`: what each component template holds, and the index templates that use it.
 */

import type { Templates } from '@shoal/cluster-state';
import { simpleMatch } from '@shoal/core';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';

const COLUMNS: readonly CatColumn[] = [
  column('name', 'n', 'component template name'),
  column('version', 'v', 'version'),
  column('alias_count', 'a', 'alias count'),
  column('mapping_count', 'm', 'mapping count'),
  column('settings_count', 's', 'settings count'),
  column('metadata_count', 'me', 'metadata count'),
  column('included_in', 'i', 'included in'),
];

export const catComponentTemplatesApi: RestApi = catApi({
  usageName: 'cat_component_template_action',
  paths: ['/_cat/component_templates', '/_cat/component_templates/{name}'],
  privilege: 'cluster:admin/component_template/get',
  columns: COLUMNS,
  params: {},
  table: async (request, context) =>
    componentTemplatesTable((await readState(request, context)).metadata.templates, request.params.string('name')),
});

/** @param pattern name wanted, wildcards allowed; null: all */
function componentTemplatesTable(templates: Templates, pattern: string | null): CatTable {
  const wanted = [...templates.component.values()].filter(({ name }) => pattern === null || simpleMatch(pattern, name));
  const rows = wanted.map(({ name, content, version, meta }): readonly CatCell[] => {
    const users = [...templates.index.values()].filter(({ composedOf }) => composedOf.includes(name));
    return [
      name,
      version === null ? null : String(version),
      String(content.aliases?.size ?? 0),
      String(Object.keys(propertiesOf(content.mappings)).length),
      String(Object.keys(content.settings ?? {}).length),
      String(Object.keys(meta ?? {}).length),
      `[${users.map((user) => user.name).join(', ')}]`,
    ];
  });
  return { columns: COLUMNS, rows };
}

function propertiesOf(mappings: Readonly<Record<string, unknown>> | null): object {
  const properties = mappings?.properties;
  return typeof properties === 'object' && properties !== null ? properties : {};
}
