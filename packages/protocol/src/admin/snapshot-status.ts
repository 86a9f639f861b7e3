/** How far a snapshot has come, shard by shard, on the wire. */
import { type ItemReader, ValueReader } from '@shoal/core';
import { readSnapshotInfo, type SnapshotInfo, writeSnapshotInfo } from './snapshot-info.ts';

export interface ShardFileStats {
  /** Files of the shard, and those of them that no earlier snapshot had put there. */
  readonly fileCount: number;
  readonly newFileCount: number;
  readonly bytes: number;
  readonly newBytes: number;
  readonly startMs: number;
  readonly tookMs: number;
}

const SHARD_STAGES = ['INIT', 'STARTED', 'DONE', 'FAILURE'] as const;

export interface ShardSnapshotStatus {
  readonly index: string;
  readonly shard: number;
  readonly stage: (typeof SHARD_STAGES)[number];
  /** Node that copies it; null when none does. */
  readonly nodeId: string | null;
  readonly reason: string | null;
  readonly stats: ShardFileStats;
}

export interface SnapshotStatus {
  readonly repository: string;
  readonly info: SnapshotInfo;
  readonly shards: readonly ShardSnapshotStatus[];
}

export const NO_FILES: ShardFileStats = { fileCount: 0, newFileCount: 0, bytes: 0, newBytes: 0, startMs: 0, tookMs: 0 };

const COUNT_MAX = Number.MAX_SAFE_INTEGER;
const SHARD_MAX = 1_023;
const SHARDS_MAX = 1_000_000;

export const readShardFileStats: ItemReader<ShardFileStats> = (value, field) => {
  const r = ValueReader.of(value, field);
  const count = (name: string): number => r.integer(name, 0, COUNT_MAX);
  return {
    fileCount: count('fileCount'),
    newFileCount: count('newFileCount'),
    bytes: count('bytes'),
    newBytes: count('newBytes'),
    startMs: count('startMs'),
    tookMs: count('tookMs'),
  };
};

const readShardStatus: ItemReader<ShardSnapshotStatus> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('index'),
    shard: r.integer('shard', 0, SHARD_MAX),
    stage: r.oneOf('stage', SHARD_STAGES),
    nodeId: r.optionalString('nodeId'),
    reason: r.optionalString('reason'),
    stats: readShardFileStats(r.raw('stats'), 'stats'),
  };
};

export function writeSnapshotStatus({ repository, info, shards }: SnapshotStatus): Record<string, unknown> {
  return {
    repository,
    info: writeSnapshotInfo(info),
    shards: shards.map((shard) => ({ ...shard, stats: { ...shard.stats } })),
  };
}

export const readSnapshotStatus: ItemReader<SnapshotStatus> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    repository: r.string('repository'),
    info: readSnapshotInfo(r.raw('info'), 'info'),
    shards: r.list('shards', readShardStatus, SHARDS_MAX),
  };
};
