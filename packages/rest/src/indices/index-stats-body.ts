/**
 * Body of `_stats`: sums over the cluster, over each index, and on request each shard by itself.
 */
import { clusterHealth } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import type { ShardsHeader } from '@shoal/coordinator';
import { type CopyStats, copiesByIndex, primaryAllocations } from '@shoal/coordinator';
import { StepMeter, type Steps } from '@shoal/core';
import { type ShardStatsMap, SYNC_ID_OF } from '@shoal/protocol';
import type { HealthLevel } from '../bodies/health-conditions.ts';
import { ShardStatsSum, type StatsMetric, shardStatsBody, sumShardStats } from '../bodies/shard-stats-body.ts';
import type { FieldPatterns } from '../request/field-patterns.ts';

type Json = Readonly<Record<string, unknown>>;

/** Estimated cost of the numbers of one copy, in microseconds. */
const COPY_UNITS = 80;

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

/** The body in steps: of a thousand indices it takes long. */
export function* indexStatsBody(
  state: ClusterState,
  copies: readonly CopyStats[],
  header: ShardsHeader,
  view: IndexStatsView,
): Steps<Json> {
  const primaryIds = primaryAllocations(state);
  const byIndex = copiesByIndex(copies);
  const meter = new StepMeter();
  const [allPrimaries, all] = [new ShardStatsSum(), new ShardStatsSum()];
  const indices: [string, Json][] = [];
  for (const index of view.indices) {
    const ofIndex = byIndex.get(index);
    if (ofIndex === undefined) continue;
    const primaries = sumOf(ofIndex.filter((copy) => primaryIds.has(copy.allocationId)));
    const total = sumOf(ofIndex);
    allPrimaries.add(primaries);
    all.add(total);
    if (view.level !== 'cluster') {
      const shards = view.level === 'shards' ? { shards: shardsBody(state, ofIndex, view) } : {};
      indices.push([index, { ...indexHeader(state, index), ...totals(primaries, total, view), ...shards }]);
    }
    if (meter.isDue(COPY_UNITS * (1 + ofIndex.length))) yield;
  }
  return {
    _shards: shardsHeaderBody(header),
    _all: totals(allPrimaries.read(), all.read(), view),
    ...(view.level === 'cluster' ? {} : { indices: Object.fromEntries(indices) }),
  };
}

function sumOf(copies: readonly CopyStats[]): ShardStatsMap {
  return sumShardStats(copies.map((copy) => copy.stats));
}

function totals(primaries: ShardStatsMap, total: ShardStatsMap, { metrics, fields }: IndexStatsView): Json {
  return { primaries: shardStatsBody(primaries, metrics, fields), total: shardStatsBody(total, metrics, fields) };
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
