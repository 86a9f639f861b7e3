/**
 * `_cat/allocation`: shards and disk of each node, and a row for what is assigned nowhere.
 */

import { type ClusterState, type DiscoveryNode, withoutTargets } from '@shoal/cluster-state';
import { askNodes, type CoordinatorContext, filterNodes } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import { NODE_STATS, SHARD_STATS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { sumShardStats } from '../bodies/shard-stats-body.ts';
import { numberAt, type StatsTree } from '../bodies/stats-tree.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';
import { bytesCell } from './table/stat-columns.ts';

/** Nodes of the table when the request names none. */
const DATA_NODES: readonly string[] = ['data:true'];

export interface AllocationRow {
  readonly node: DiscoveryNode;
  readonly stats: StatsTree;
  /** Sum of the stores of its shards; null when it did not answer. */
  readonly storeBytes: number | null;
}

const UNASSIGNED = 'UNASSIGNED';

const ALLOCATION_COLUMNS: readonly CatColumn[] = [
  column('shards', 's', 'number of shards on the node', ['right']),
  column('disk.indices', 'di,diskIndices', 'disk used by shards', ['right']),
  column('disk.used', 'du,diskUsed', 'disk used, by whatever', ['right']),
  column('disk.avail', 'da,diskAvail', 'disk free', ['right']),
  column('disk.total', 'dt,diskTotal', 'size of the disk', ['right']),
  column('disk.percent', 'dp,diskPercent', 'share of the disk used', ['right']),
  column('host', 'h', 'host of the node'),
  column('ip', '', 'address of the node'),
  column('node', 'n', 'name of the node'),
];

export const catAllocationApi: RestApi = catApi({
  usageName: 'cat_allocation_action',
  paths: ['/_cat/allocation', '/_cat/allocation/{node_id}'],
  privilege: 'cluster:monitor/nodes/stats',
  columns: ALLOCATION_COLUMNS,
  table: allocation,
});

async function allocation(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const named = request.params.list('node_id');
  const found = filterNodes(state, context.cluster.localNode.id, named.length === 0 ? DATA_NODES : named);
  const [stats, copies] = await Promise.all([
    askNodes(context, found, NODE_STATS, () => ({})),
    askNodes(
      context,
      found.filter((node) => node.roles.includes('data')),
      SHARD_STATS,
      () => ({ indices: null }),
    ),
  ]);
  return allocationTable(
    state,
    found.map((node) => {
      const entries = copies.answers.get(node.id)?.shards;
      const bytes = sumShardStats((entries ?? []).map((entry) => entry.stats)).storeBytes ?? 0;
      const isSilent = entries === undefined && node.roles.includes('data');
      return { node, stats: stats.answers.get(node.id)?.stats ?? {}, storeBytes: isSilent ? null : bytes };
    }),
  );
}

export function allocationTable(state: ClusterState, rows: readonly AllocationRow[]): CatTable {
  const copies = [...state.routing.indices.values()].flat().flatMap(withoutTargets);
  const unassigned = copies.filter((copy) => copy.nodeId === null).length;
  return {
    columns: ALLOCATION_COLUMNS,
    rows: [
      ...rows.map((row) => nodeCells(row, copies.filter((copy) => copy.nodeId === row.node.id).length)),
      ...(unassigned > 0 ? [[unassigned, null, null, null, null, null, null, null, UNASSIGNED]] : []),
    ],
  };
}

function nodeCells({ node, stats, storeBytes }: AllocationRow, shards: number): readonly CatCell[] {
  const total = numberAt(stats, 'fs.total.total_in_bytes');
  const free = numberAt(stats, 'fs.total.available_in_bytes');
  const used = total === null || free === null ? null : total - free;
  const percent = used === null || total === null || total === 0 ? null : Math.floor((used * 100) / total);
  return [
    shards,
    bytesOrNothing(storeBytes),
    bytesOrNothing(used),
    bytesOrNothing(free),
    bytesOrNothing(total),
    percent,
    node.address.host,
    node.address.host,
    node.name,
  ];
}

function bytesOrNothing(bytes: number | null): CatCell {
  return bytes === null ? null : bytesCell(bytes);
}
