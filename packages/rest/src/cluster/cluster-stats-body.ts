/**
 * Body of `_cluster/stats`: counts over all indices and nodes.
 */
import { clusterHealth, isActive } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { type CopyStats, primaryAllocations } from '@shoal/coordinator';
import { DoubleNumber, type Steps } from '@shoal/core';
import { type StatsMetric, shardStatsBody, sumInSteps } from '../bodies/shard-stats-body.ts';
import { analysisStatsBody } from './cluster-stats-analysis.ts';
import { clusterIngestBody } from './cluster-stats-ingest.ts';
import { mappingStatsBody } from './cluster-stats-mappings.ts';
import { clusterNodesBody, type NodeParts } from './cluster-stats-nodes.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ClusterStatsParts extends NodeParts {
  readonly copies: readonly CopyStats[];
  readonly nowMs: number;
}

const METRICS: ReadonlySet<StatsMetric> = new Set<StatsMetric>([
  'docs',
  'store',
  'fielddata',
  'query_cache',
  'completion',
  'segments',
]);

/** What is not counted here, as zeros: clients read it without checking. */
const UNCOUNTED: Json = {
  search: { total: 0, queries: {}, rescorers: {}, sections: {}, retrievers: {} },
  dense_vector: { value_count: 0 },
  sparse_vector: { value_count: 0 },
};

const NO_TIMES: Json = { max: 0, avg: 0, p90: 0 };
/** Searches over several clusters: none can be registered. */
const NO_REMOTE_SEARCHES: Json = {
  ...{ total: 0, success: 0, skipped: 0 },
  ...{ took: NO_TIMES, took_mrt_true: NO_TIMES, took_mrt_false: NO_TIMES },
  ...{ remotes_per_search_max: 0, remotes_per_search_avg: 0 },
  ...{ failure_reasons: {}, features: {}, clients: {}, clusters: {} },
};

/** The body in steps. */
export function* clusterStatsBody(state: ClusterState, parts: ClusterStatsParts): Steps<Json> {
  const indices = [...state.metadata.indices.keys()];
  const primaryIds = primaryAllocations(state);
  const total = shardStatsBody(yield* sumInSteps(parts.copies.map((copy) => copy.stats)), METRICS);
  const primaries = parts.copies.filter((copy) => primaryIds.has(copy.allocationId)).map((copy) => copy.stats);
  const { docs } = shardStatsBody(yield* sumInSteps(primaries), new Set<StatsMetric>(['docs']));
  yield;
  const { status } = clusterHealth(state, null);
  yield;
  const shards = shardCounts(state);
  const mappings = yield* mappingStatsBody(state.metadata.indices.values());
  const analysis = yield* analysisStatsBody(state.metadata.indices.values());
  return {
    cluster_name: state.clusterName,
    cluster_uuid: state.metadata.clusterUuid,
    timestamp: parts.nowMs,
    status,
    indices: { count: indices.length, shards, ...total, docs, mappings, analysis, ...UNCOUNTED },
    nodes: {
      ...clusterNodesBody(parts),
      ingest: clusterIngestBody(state.metadata.ingestPipelines.size, parts.stats),
    },
    repositories: repositoryCounts(state),
    snapshots: snapshotCounts(state),
    ccs: { _search: NO_REMOTE_SEARCHES },
  };
}

/** Snapshots that are being made; a shard of each of their indices is a snapshot of a shard. */
function snapshotCounts({ metadata: { runningSnapshots, indices } }: ClusterState): Json {
  const shards = runningSnapshots
    .flatMap((snapshot) => snapshot.indices)
    .reduce((count, name) => count + (indices.get(name)?.numberOfShards ?? 0), 0);
  return {
    current_counts: {
      snapshots: runningSnapshots.length,
      shard_snapshots: shards,
      snapshot_deletions: 0,
      concurrent_operations: runningSnapshots.length,
      cleanups: 0,
    },
    repositories: {},
  };
}

/** Repositories by their type. */
function repositoryCounts({ metadata }: ClusterState): Json {
  const counts = new Map<string, { count: number }>();
  for (const { type } of metadata.repositories.values())
    counts.set(type, { count: (counts.get(type)?.count ?? 0) + 1 });
  return Object.fromEntries(counts);
}

function shardCounts(state: ClusterState): Json {
  const perIndex = [...state.routing.indices.values()].map((shards) => {
    const active = shards.flat().filter(isActive);
    const primaries = active.filter((copy) => copy.isPrimary).length;
    return { shards: active.length, primaries, replication: primaries === 0 ? 0 : active.length / primaries - 1 };
  });
  if (perIndex.length === 0) return {};
  const total = perIndex.reduce((n, index) => n + index.shards, 0);
  const primaries = perIndex.reduce((n, index) => n + index.primaries, 0);
  return {
    total,
    primaries,
    replication: new DoubleNumber(primaries === 0 ? 0 : total / primaries - 1),
    index: {
      shards: spread(perIndex.map((index) => index.shards)),
      primaries: spread(perIndex.map((index) => index.primaries)),
      replication: doubleSpread(perIndex.map((index) => index.replication)),
    },
  };
}

function spread(values: readonly number[]): Json {
  return { min: least(values), max: greatest(values), avg: average(values) };
}

function doubleSpread(values: readonly number[]): Json {
  return { min: new DoubleNumber(least(values)), max: new DoubleNumber(greatest(values)), avg: average(values) };
}

function least(values: readonly number[]): number {
  return values.reduce((min, value) => Math.min(min, value), Number.POSITIVE_INFINITY);
}

function greatest(values: readonly number[]): number {
  return values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
}

function average(values: readonly number[]): DoubleNumber {
  return new DoubleNumber(values.reduce((sum, value) => sum + value, 0) / values.length);
}
