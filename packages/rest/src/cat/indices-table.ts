/**
 * `_cat/indices`: one row an index; numbers are missing for a closed one, whose shards are not asked.
 */
import { checkIndexBlocks, clusterHealth, type HealthStatus } from '@shoal/cluster';
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type CopyStats,
  copiesByIndex,
  gatherStats,
  METADATA_INDICES_OPTIONS,
  primaryAllocations,
} from '@shoal/coordinator';
import { StepMeter, type Steps } from '@shoal/core';
import { type HttpRequest, withoutEffect } from '@shoal/http';
import type { ShardStatsMap } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { sumShardStats } from '../bodies/shard-stats-body.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { namedIndices } from '../request/named-indices.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';
import { bytesCell, summedStatColumns } from './table/stat-columns.ts';

const HEALTHS: readonly HealthStatus[] = ['green', 'yellow', 'red'];

interface IndexRow {
  readonly metadata: IndexMetadata;
  readonly status: HealthStatus;
  /** null while no shard can tell. */
  readonly primaries: ShardStatsMap | null;
  readonly total: ShardStatsMap | null;
}

interface IndexColumn {
  readonly column: CatColumn;
  readonly value: (row: IndexRow) => CatCell;
}

const HEAD: readonly IndexColumn[] = [
  { column: column('health', 'h', 'current health status'), value: (row) => row.status },
  { column: column('status', 's', 'open or close'), value: (row) => row.metadata.state },
  { column: column('index', 'i,idx', 'index name'), value: (row) => row.metadata.name },
  { column: column('uuid', 'id,uuid', 'index uuid'), value: (row) => row.metadata.uuid },
  {
    column: column('pri', 'p,shards.primary,shardsPrimary', 'number of primary shards', ['right']),
    value: (row) => row.metadata.numberOfShards,
  },
  {
    column: column('rep', 'r,shards.replica,shardsReplica', 'number of replicas of each', ['right']),
    value: (row) => row.metadata.numberOfReplicas,
  },
  {
    column: column('docs.count', 'dc,docsCount', 'documents of the primaries', ['right']),
    value: (row) => count(row.primaries, 'docCount'),
  },
  {
    column: column('docs.deleted', 'dd,docsDeleted', 'deleted documents of the primaries', ['right']),
    value: (row) => count(row.primaries, 'deletedCount'),
  },
  {
    column: column('creation.date', 'cd', 'creation time in milliseconds since 1970', ['hidden']),
    value: (row) => row.metadata.creationDateMs,
  },
  {
    column: column('creation.date.string', 'cds', 'creation time', ['hidden']),
    value: (row) => new Date(row.metadata.creationDateMs).toISOString(),
  },
  {
    column: column('store.size', 'ss,storeSize', 'store size of all copies', ['right']),
    value: (row) => bytes(row.total, 'storeBytes'),
  },
  {
    column: column('pri.store.size', '', 'store size of the primaries', ['right', 'twin']),
    value: (row) => bytes(row.primaries, 'storeBytes'),
  },
];

const TAIL: readonly IndexColumn[] = summedStatColumns().flatMap(({ column: c, value }) => [
  { column: c, value: (row: IndexRow) => (row.total === null ? null : value(row.total)) },
  {
    column: column(`pri.${c.name}`, '', `${c.description}, of the primaries`, ['right', 'hidden', 'twin']),
    value: (row: IndexRow) => (row.primaries === null ? null : value(row.primaries)),
  },
]);

const COLUMNS: readonly IndexColumn[] = [...HEAD, ...TAIL];

/** Estimated cost of a row, in microseconds. */
const ROW_UNITS = 120;

const INDICES_COLUMNS: readonly CatColumn[] = COLUMNS.map((c) => c.column);

export const catIndicesApi: RestApi = catApi({
  usageName: 'cat_indices_action',
  paths: ['/_cat/indices', '/_cat/indices/{index}'],
  privilege: 'indices:monitor/stats',
  columns: INDICES_COLUMNS,
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    health: HEALTHS,
    include_unloaded_segments: withoutEffect('boolean', 'segments are counted whether they are in memory or not'),
  },
  table: indices,
});

async function indices(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const found = namedIndices(state, request, context, METADATA_INDICES_OPTIONS);
  checkIndexBlocks(state, 'metadata_read', found);
  const open = found.filter((index) => state.metadata.indices.get(index)?.state === 'open');
  const { copies } = await gatherStats(context, state, open);
  const wanted = HEALTHS.find((status) => status === request.params.string('health')) ?? null;
  return context.turns.run(indicesTable(state, found, copies, wanted), request.signal);
}

/**
 * The table in steps.
 *
 * @param wantedHealth only indices of this health; null for all
 */
export function* indicesTable(
  state: ClusterState,
  indices: readonly string[],
  copies: readonly CopyStats[],
  wantedHealth: HealthStatus | null,
): Steps<CatTable> {
  const meter = new StepMeter();
  const primaryIds = primaryAllocations(state);
  const byIndex = copiesByIndex(copies);
  const rows: (readonly CatCell[])[] = [];
  for (const index of indices) {
    const metadata = state.metadata.indices.get(index);
    const status = clusterHealth(state, [index]).indices.get(index)?.status ?? 'red';
    if (metadata === undefined || (wantedHealth !== null && status !== wantedHealth)) continue;
    const row = { ...indexRow(metadata, byIndex.get(index) ?? [], primaryIds), status };
    rows.push(COLUMNS.map((c) => c.value(row)));
    if (meter.isDue(ROW_UNITS)) yield;
  }
  return { columns: INDICES_COLUMNS, rows };
}

function indexRow(
  metadata: IndexMetadata,
  copies: readonly CopyStats[],
  primaryIds: ReadonlySet<string>,
): Omit<IndexRow, 'status'> {
  const ofIndex = metadata.state === 'close' ? [] : copies;
  const sum = (wanted: readonly CopyStats[]): ShardStatsMap | null =>
    ofIndex.length === 0 ? null : sumShardStats(wanted.map((copy) => copy.stats));
  return {
    metadata,
    primaries: sum(ofIndex.filter((copy) => primaryIds.has(copy.allocationId))),
    total: sum(ofIndex),
  };
}

function count(stats: ShardStatsMap | null, name: string): CatCell {
  return stats === null ? null : (stats[name] ?? 0);
}

function bytes(stats: ShardStatsMap | null, name: string): CatCell {
  return stats === null ? null : bytesCell(stats[name] ?? 0);
}
