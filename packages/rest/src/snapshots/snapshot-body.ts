/**
 * Bodies of snapshots in Elasticsearch's shape and order. Pure.
 */
import { API_VERSION, versionId } from '@shoal/core';
import type { ShardFileStats, ShardSnapshotStatus, SnapshotInfo, SnapshotStatus } from '@shoal/protocol';

type Json = Readonly<Record<string, unknown>>;

/** @param isVerbose false: only what a look into the index of the repository tells */
export function snapshotBody(info: SnapshotInfo, isVerbose: boolean): Record<string, unknown> {
  const { name, uuid, indices, dataStreams, state } = info;
  if (!isVerbose) return { snapshot: name, uuid, indices, data_streams: dataStreams, state };
  const { version, includesGlobalState, userMetadata, reason, failures, totalShards } = info;
  return {
    snapshot: name,
    uuid,
    version_id: versionId(version === '' ? API_VERSION.number : version),
    version: version === '' ? API_VERSION.number : version,
    indices,
    data_streams: dataStreams,
    include_global_state: includesGlobalState,
    ...(userMetadata === null ? {} : { metadata: userMetadata }),
    state,
    ...(reason === null ? {} : { reason }),
    ...timesBody(info),
    failures: failures.map((failure) => ({
      index: failure.index,
      index_uuid: failure.index,
      shard_id: failure.shard,
      reason: failure.reason,
      ...(failure.nodeId === null ? {} : { node_id: failure.nodeId }),
      status: 'INTERNAL_SERVER_ERROR',
    })),
    shards: { total: totalShards, failed: failures.length, successful: successfulShards(info) },
  };
}

function successfulShards({ totalShards, failures, state }: SnapshotInfo): number {
  return state === 'IN_PROGRESS' ? 0 : totalShards - failures.length;
}

function timesBody({ startMs, endMs }: SnapshotInfo): Json {
  return {
    start_time: new Date(startMs).toISOString(),
    start_time_in_millis: startMs,
    end_time: new Date(endMs).toISOString(),
    end_time_in_millis: endMs,
    duration_in_millis: Math.max(endMs - startMs, 0),
  };
}

export function snapshotStatusBody({ repository, info, shards }: SnapshotStatus): Json {
  const byIndex = new Map<string, ShardSnapshotStatus[]>(info.indices.map((index) => [index, []]));
  for (const shard of shards) byIndex.set(shard.index, [...(byIndex.get(shard.index) ?? []), shard]);
  return {
    snapshot: info.name,
    repository,
    uuid: info.uuid,
    state: stateOf(info),
    include_global_state: info.includesGlobalState,
    shards_stats: stagesBody(shards),
    stats: {
      ...filesBody(shards),
      start_time_in_millis: info.startMs,
      time_in_millis: Math.max(info.endMs - info.startMs, 0),
    },
    indices: Object.fromEntries([...byIndex].map(([index, own]) => [index, indexBody(own)])),
  };
}

function stateOf({ state }: SnapshotInfo): string {
  if (state === 'IN_PROGRESS') return 'STARTED';
  return state === 'PARTIAL' ? 'SUCCESS' : state;
}

function indexBody(shards: readonly ShardSnapshotStatus[]): Json {
  const begun = shards.map(({ stats }) => stats).filter(({ startMs }) => startMs > 0);
  const startMs = begun.reduce((first, stats) => Math.min(first, stats.startMs), begun[0]?.startMs ?? 0);
  const endMs = begun.reduce((last, stats) => Math.max(last, stats.startMs + stats.tookMs), startMs);
  return {
    shards_stats: stagesBody(shards),
    stats: { ...filesBody(shards), start_time_in_millis: startMs, time_in_millis: endMs - startMs },
    shards: Object.fromEntries(shards.map((shard) => [String(shard.shard), shardBody(shard)])),
  };
}

function shardBody(shard: ShardSnapshotStatus): Json {
  const { stage, nodeId, reason, stats } = shard;
  return {
    stage,
    stats: {
      ...filesBody([shard]),
      start_time_in_millis: stats.startMs,
      time_in_millis: stats.tookMs,
    },
    ...(nodeId === null ? {} : { node: nodeId }),
    ...(reason === null ? {} : { reason }),
  };
}

function stagesBody(shards: readonly ShardSnapshotStatus[]): Json {
  const count = (stage: ShardSnapshotStatus['stage']): number => shards.filter((shard) => shard.stage === stage).length;
  return {
    initializing: count('INIT'),
    started: count('STARTED'),
    finalizing: 0,
    done: count('DONE'),
    failed: count('FAILURE'),
    total: shards.length,
  };
}

function filesBody(shards: readonly ShardSnapshotStatus[]): Json {
  const sum = (of: (stats: ShardFileStats) => number): number => shards.reduce((n, { stats }) => n + of(stats), 0);
  return {
    incremental: { file_count: sum((stats) => stats.newFileCount), size_in_bytes: sum((stats) => stats.newBytes) },
    total: { file_count: sum((stats) => stats.fileCount), size_in_bytes: sum((stats) => stats.bytes) },
  };
}
