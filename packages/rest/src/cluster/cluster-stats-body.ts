/**
 * Body of `_cluster/stats`: counts over all indices and nodes.
 */
import { clusterHealth, isActive } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import { type CopyStats, primaryAllocations, shownRoles } from '@shoal/coordinator';
import { API_VERSION, DoubleNumber, type Steps } from '@shoal/core';
import { type StatsMetric, shardStatsBody, sumInSteps } from '../bodies/shard-stats-body.ts';
import { numberAt, type StatsTree } from '../bodies/stats-tree.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ClusterStatsParts {
  readonly nodes: readonly DiscoveryNode[];
  /** Parts of `_nodes/stats` of the nodes that answered. */
  readonly stats: readonly StatsTree[];
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
  return {
    cluster_name: state.clusterName,
    cluster_uuid: state.metadata.clusterUuid,
    timestamp: parts.nowMs,
    status,
    indices: { count: indices.length, shards, ...total, docs },
    nodes: nodesPart(parts),
  };
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

function nodesPart({ nodes, stats }: ClusterStatsParts): Json {
  const roles = ['master', 'voting_only', 'data', 'ingest', 'remote_cluster_client'];
  const withRole = (role: string): number => nodes.filter((node) => shownRoles(node.roles).includes(role)).length;
  const sum = (path: string): number => stats.reduce((n, tree) => n + (numberAt(tree, path) ?? 0), 0);
  return {
    count: {
      total: nodes.length,
      coordinating_only: nodes.filter((node) => node.roles.length === 0).length,
      ...Object.fromEntries(roles.map((role) => [role, withRole(role)])),
    },
    versions: [API_VERSION.number],
    os: { mem: { total_in_bytes: sum('os.mem.total_in_bytes'), used_in_bytes: sum('os.mem.used_in_bytes') } },
    fs: {
      total_in_bytes: sum('fs.total.total_in_bytes'),
      free_in_bytes: sum('fs.total.free_in_bytes'),
      available_in_bytes: sum('fs.total.available_in_bytes'),
    },
  };
}
