/**
 * `_cat/master`: the elected cluster manager.
 */
import type { ClusterState } from '@shoal/cluster-state';
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatColumn, type CatTable, column } from './table/cat-table.ts';

/** Cell of a value that does not exist. */
const NOTHING = '-';

const COLUMNS: readonly CatColumn[] = [
  column('id', '', 'node id'),
  column('host', 'h', 'host name'),
  column('ip', '', 'address'),
  column('node', 'n', 'node name'),
];

export const catMasterApi: RestApi = catApi({
  usageName: 'cat_master_action',
  paths: ['/_cat/master'],
  privilege: 'cluster:monitor/state',
  columns: COLUMNS,
  table: async (request, context) => managerTable(await readState(request, context)),
});

export function managerTable(state: ClusterState): CatTable {
  const node = state.clusterManagerId === null ? undefined : state.nodes.get(state.clusterManagerId);
  const cells =
    node === undefined
      ? [NOTHING, NOTHING, NOTHING, NOTHING]
      : [node.id, node.address.host, node.address.host, node.name];
  return { columns: COLUMNS, rows: [cells] };
}
