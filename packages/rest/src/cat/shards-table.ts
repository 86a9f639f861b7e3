/**
 * `_cat/shards`: one row a copy, assigned or not.
 */
import { checkIndexBlocks } from '@shoal/cluster';
import { type ClusterState, type DiscoveryNode, type ShardRouting, withoutTargets } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type CopyStats,
  gatherStats,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
} from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import type { ShardStatsMap } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { namedIndices } from '../request/named-indices.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';
import { bytesCell, type StatColumn, shardStatColumns } from './table/stat-columns.ts';

const EVERY_INDEX: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToHidden: true };

interface ShardRow {
  readonly copy: ShardRouting;
  readonly node: DiscoveryNode | null;
  readonly target: DiscoveryNode | null;
  readonly stats: ShardStatsMap | null;
  readonly nowMs: number;
}

interface ShardColumn {
  readonly column: CatColumn;
  readonly value: (row: ShardRow) => CatCell;
}

const HIDDEN = ['hidden'] as const;

const HIDDEN_RIGHT = ['hidden', 'right'] as const;

const HEAD: readonly ShardColumn[] = [
  { column: column('index', 'i,idx', 'index name'), value: (row) => row.copy.index },
  { column: column('shard', 's,sh', 'shard number'), value: (row) => row.copy.shard },
  {
    column: column('prirep', 'p,pr,primaryOrReplica', 'p for a primary, r for a replica'),
    value: (row) => (row.copy.isPrimary ? 'p' : 'r'),
  },
  { column: column('state', 'st', 'shard state'), value: (row) => row.copy.state },
  {
    column: column('docs', 'd,dc', 'documents of the shard', ['right']),
    value: (row) => row.stats && (row.stats.docCount ?? 0),
  },
  {
    column: column('store', 'sto', 'store size of the shard', ['right']),
    value: (row) => row.stats && bytesCell(row.stats.storeBytes ?? 0),
  },
  { column: column('ip', '', 'address of the node'), value: (row) => row.node?.address.host ?? null },
  { column: column('id', '', 'id of the node', HIDDEN), value: (row) => row.node?.id ?? null },
  { column: column('node', 'n', 'name of the node'), value: nodeName },
  { column: column('sync_id', '', 'sync id', HIDDEN), value: () => null },
  {
    column: column('unassigned.reason', 'ur', 'why the shard is unassigned', HIDDEN),
    value: (row) => row.copy.unassigned?.reason ?? null,
  },
  {
    column: column('unassigned.at', 'ua', 'when it became unassigned (UTC)', HIDDEN),
    value: (row) => row.copy.unassigned && new Date(row.copy.unassigned.atMs).toISOString(),
  },
  {
    column: column('unassigned.for', 'uf', 'how long it has been unassigned', HIDDEN_RIGHT),
    value: (row) => row.copy.unassigned && { kind: 'duration', ms: Math.max(0, row.nowMs - row.copy.unassigned.atMs) },
  },
  {
    column: column('unassigned.details', 'ud', 'more on why it is unassigned', HIDDEN),
    value: (row) => row.copy.unassigned?.details ?? null,
  },
  {
    column: column('recoverysource.type', 'rs', 'where its documents come from', HIDDEN),
    value: (row) => (row.copy.state === 'STARTED' ? null : row.copy.recoverySource.toLowerCase()),
  },
];

const SEQ_NO: readonly ShardColumn[] = [
  {
    column: column('seq_no.max', 'sqm,maxSeqNo', 'highest sequence number', HIDDEN_RIGHT),
    value: (row) => row.stats?.maxSeqNo ?? null,
  },
  {
    column: column('seq_no.local_checkpoint', 'sql,localCheckpoint', 'local checkpoint', HIDDEN_RIGHT),
    value: (row) => row.stats?.localCheckpoint ?? null,
  },
  {
    column: column('seq_no.global_checkpoint', 'sqg,globalCheckpoint', 'global checkpoint', HIDDEN_RIGHT),
    value: (row) => row.stats?.globalCheckpoint ?? row.stats?.localCheckpoint ?? null,
  },
];

const PATHS: readonly ShardColumn[] = [
  { column: column('path.data', 'pd,dataPath', 'data folder', HIDDEN_RIGHT), value: () => null },
  { column: column('path.state', 'ps,statsPath', 'state folder', HIDDEN_RIGHT), value: () => null },
];

const STATS: readonly StatColumn[] = shardStatColumns();

const isWarmer = ({ column: c }: StatColumn): boolean => c.name.startsWith('warmer.');

const COLUMNS: readonly ShardColumn[] = [
  ...HEAD,
  ...STATS.filter((c) => !isWarmer(c)).map(ofStats),
  ...SEQ_NO,
  ...STATS.filter(isWarmer).map(ofStats),
  ...PATHS,
];

const SHARDS_COLUMNS: readonly CatColumn[] = COLUMNS.map((c) => c.column);

export const catShardsApi: RestApi = catApi({
  usageName: 'cat_shards_action',
  paths: ['/_cat/shards', '/_cat/shards/{index}'],
  privilege: 'indices:monitor/stats',
  columns: SHARDS_COLUMNS,
  params: INDICES_OPTIONS_PARAMETERS,
  table: shards,
});

async function shards(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const found = namedIndices(state, request, context, EVERY_INDEX);
  checkIndexBlocks(state, 'metadata_read', found);
  const { copies } = await gatherStats(context, state, found);
  return shardsTable(state, found, copies, context.runtime.clock.wallMs());
}

export function shardsTable(
  state: ClusterState,
  indices: readonly string[],
  copies: readonly CopyStats[],
  nowMs: number,
): CatTable {
  const stats = new Map(copies.map((copy) => [copy.allocationId, copy.stats]));
  const nodeOf = (id: string | null): DiscoveryNode | null => (id === null ? null : (state.nodes.get(id) ?? null));
  const rows = indices
    .flatMap((index) => (state.routing.indices.get(index) ?? []).flatMap(withoutTargets))
    .map((copy) => ({
      copy,
      node: nodeOf(copy.nodeId),
      target: nodeOf(copy.relocatingNodeId),
      stats: copy.allocationId === null ? null : (stats.get(copy.allocationId) ?? null),
      nowMs,
    }));
  return { columns: SHARDS_COLUMNS, rows: rows.map((row) => COLUMNS.map((c) => c.value(row))) };
}

function ofStats({ column: c, value }: StatColumn): ShardColumn {
  return { column: c, value: (row) => (row.stats === null ? null : value(row.stats)) };
}

/** A shard on the move names both ends. */
function nodeName({ copy, node, target }: ShardRow): CatCell {
  if (node === null) return null;
  if (copy.state !== 'RELOCATING' || target === null) return node.name;
  return `${node.name} -> ${target.address.host} ${target.id} ${target.name}`;
}
