/**
 * `_cat/plugins`: no rows, since nodes load no plugins and say so in `_nodes` too.
 */

import { withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatColumn, column } from './table/cat-table.ts';

const COLUMNS: readonly CatColumn[] = [
  column('id', '', 'node id', ['hidden']),
  column('name', 'n', 'name of the node'),
  column('component', 'c', 'name of the plugin'),
  column('version', 'v', 'version of the plugin'),
  column('description', 'd', 'what the plugin does', ['hidden']),
];

export const catPluginsApi: RestApi = catApi({
  usageName: 'cat_plugins_action',
  paths: ['/_cat/plugins'],
  privilege: 'cluster:monitor/nodes/info',
  columns: COLUMNS,
  params: { include_bootstrap: withoutEffect('boolean', 'a node has no plugins') },
  table: async (request, context) => {
    await readState(request, context);
    return { columns: COLUMNS, rows: [] };
  },
});
