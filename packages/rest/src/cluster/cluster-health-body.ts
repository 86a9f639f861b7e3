/**
 * Body of `_cluster/health`, in Elasticsearch's order of keys.
 */
import type { ClusterHealth, HealthCounts, IndexHealth, ShardHealth } from '@shoal/cluster';
import { DoubleNumber } from '@shoal/core';
import type { HealthLevel } from '../bodies/health-conditions.ts';
import type { QueueCounts } from './pending-tasks-body.ts';

type Json = Readonly<Record<string, unknown>>;

export interface HealthOutcome {
  readonly timedOut: boolean;
  readonly level: HealthLevel;
  readonly queue: QueueCounts;
}

export function clusterHealthBody(health: ClusterHealth, outcome: HealthOutcome): Json {
  return {
    cluster_name: health.clusterName,
    status: health.status,
    timed_out: outcome.timedOut,
    number_of_nodes: health.numberOfNodes,
    number_of_data_nodes: health.numberOfDataNodes,
    active_primary_shards: health.activePrimaryShards,
    ...shardCounts(health),
    delayed_unassigned_shards: health.delayedUnassignedShards,
    number_of_pending_tasks: outcome.queue.waiting,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: outcome.queue.longestMs,
    active_shards_percent_as_number: new DoubleNumber(health.activeShardsPercent),
    ...(outcome.level === 'cluster' ? {} : { indices: indicesBody([...health.indices.values()], outcome.level) }),
  };
}

function indicesBody(indices: readonly IndexHealth[], level: HealthLevel): Json {
  return Object.fromEntries(
    indices.map((health) => [
      health.index,
      {
        status: health.status,
        number_of_shards: health.numberOfShards,
        number_of_replicas: health.numberOfReplicas,
        active_primary_shards: health.activePrimaryShards,
        ...shardCounts(health),
        ...(level === 'shards'
          ? { shards: Object.fromEntries(health.shards.map((shard) => [String(shard.shard), shardBody(shard)])) }
          : {}),
      },
    ]),
  );
}

function shardBody(health: ShardHealth): Json {
  return { status: health.status, primary_active: health.primaryActive, ...shardCounts(health) };
}

function shardCounts(counts: HealthCounts): Json {
  return {
    active_shards: counts.activeShards,
    relocating_shards: counts.relocatingShards,
    initializing_shards: counts.initializingShards,
    unassigned_shards: counts.unassignedShards,
    unassigned_primary_shards: counts.unassignedPrimaryShards,
  };
}
