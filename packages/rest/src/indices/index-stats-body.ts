/**
 * Body of `_stats`: sums over the cluster, over each index, and on request each shard by itself.
 */
import { clusterHealth } from '@shoal/cluster';
import type { ShardsHeader } from '@shoal/coordinator';
import { type CopyStats, copiesByIndex, primaryAllocations } from '@shoal/coordinator';
import { type ClusterState, type ShardStatsMap, SYNC_ID_OF } from '@shoal/protocol';
import type { HealthLevel } from '../bodies/health-conditions.ts';
import { type StatsMetric, shardStatsBody, sumShardStats } from '../bodies/shard-stats-body.ts';
import type { FieldPatterns } from '../request/field-patterns.ts';

type Json = Readonly<Record<string, unknown>>;

export interface IndexStatsView {
  /** Concrete names. */
  readonly indices: readonly string[];
  readonly metrics: ReadonlySet<StatsMetric> | null;
  readonly level: HealthLevel;
  /** Patterns of the fields whose memory is shown one by one. */
  readonly fields: FieldPatterns;
}

export function shardsHeaderBody(header: ShardsHeader): Json {
  return {
    total: header.total,
    successful: header.successful,
    failed: header.failed,
    ...(header.failures.length > 0 ? { failures: header.failures } : {}),
  };
}

export function indexStatsBody(
  state: ClusterState,
  copies: readonly CopyStats[],
  header: ShardsHeader,
  view: IndexStatsView,
): Json {
  const primaries = primaryAllocations(state);
  const totals = (wanted: readonly CopyStats[]): Json => ({
    primaries: sum(
      wanted.filter((copy) => primaries.has(copy.allocationId)),
      view,
    ),
    total: sum(wanted, view),
  });
  const byIndex = copiesByIndex(copies);
  const indices = view.indices.flatMap((index) => {
    const ofIndex = byIndex.get(index);
    return ofIndex === undefined ? [] : [{ index, copies: ofIndex }];
  });
  const indexBody = (index: string, ofIndex: readonly CopyStats[]): Json => ({
    ...indexHeader(state, index),
    ...totals(ofIndex),
    ...(view.level === 'shards' ? { shards: shardsBody(state, ofIndex, view) } : {}),
  });
  return {
    _shards: shardsHeaderBody(header),
    _all: totals(indices.flatMap((entry) => entry.copies)),
    ...(view.level === 'cluster'
      ? {}
      : { indices: Object.fromEntries(indices.map((entry) => [entry.index, indexBody(entry.index, entry.copies)])) }),
  };
}

function sum(copies: readonly CopyStats[], { metrics, fields }: IndexStatsView): Json {
  return shardStatsBody(sumShardStats(copies.map((copy) => copy.stats)), metrics, fields);
}

function indexHeader(state: ClusterState, index: string): Json {
  const metadata = state.metadata.indices.get(index);
  return { uuid: metadata?.uuid, health: clusterHealth(state, [index]).status, status: metadata?.state };
}

function shardsBody(state: ClusterState, copies: readonly CopyStats[], view: IndexStatsView): Json {
  const byShard = new Map<number, Json[]>();
  for (const copy of [...copies].sort((a, b) => a.shard - b.shard)) {
    const list = byShard.get(copy.shard) ?? [];
    list.push(copyBody(state, copy, view));
    byShard.set(copy.shard, list);
  }
  return Object.fromEntries([...byShard].map(([shard, list]) => [String(shard), list]));
}

function copyBody(state: ClusterState, copy: CopyStats, view: IndexStatsView): Json {
  const routing = state.routing.indices
    .get(copy.index)
    ?.[copy.shard]?.find((r) => r.allocationId === copy.allocationId);
  return {
    routing: {
      state: routing?.state ?? 'STARTED',
      primary: routing?.isPrimary ?? false,
      node: routing?.nodeId ?? null,
      relocating_node: routing?.relocatingNodeId ?? null,
    },
    ...shardStatsBody(copy.stats, view.metrics, view.fields),
    commit: {
      id: copy.allocationId,
      generation: copy.stats.flushTotal ?? 0,
      user_data: commitDataBody(copy.stats),
      num_docs: copy.stats.docCount ?? 0,
    },
    seq_no: {
      max_seq_no: copy.stats.maxSeqNo ?? -1,
      local_checkpoint: copy.stats.localCheckpoint ?? -1,
      global_checkpoint: copy.stats.globalCheckpoint ?? copy.stats.localCheckpoint ?? -1,
    },
  };
}

/** What the newest commit says of itself. */
function commitDataBody(stats: ShardStatsMap): Json {
  const marker = Object.keys(stats).find((name) => name.startsWith(SYNC_ID_OF));
  const committed = String(stats.committedSeqNo ?? -1);
  return {
    local_checkpoint: committed,
    max_seq_no: committed,
    ...(marker === undefined ? {} : { sync_id: marker.slice(SYNC_ID_OF.length) }),
  };
}
