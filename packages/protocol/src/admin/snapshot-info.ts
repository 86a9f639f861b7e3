/** What is known of a snapshot: on the wire, and in its file in the repository. */

import { isRepositoryId, readPlainObject } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';

export interface SnapshotShardFailure {
  readonly index: string;
  readonly shard: number;
  /** null: the shard had no node. */
  readonly nodeId: string | null;
  readonly reason: string;
}

export interface SnapshotInfo {
  readonly name: string;
  readonly uuid: string;
  readonly state: SnapshotState;
  /** Version of Elasticsearch's API that the cluster spoke. */
  readonly version: string;
  /** Why it failed; null unless it did. */
  readonly reason: string | null;
  readonly indices: readonly string[];
  readonly dataStreams: readonly string[];
  readonly includesGlobalState: boolean;
  readonly userMetadata: Readonly<Record<string, unknown>> | null;
  readonly startMs: number;
  /** 0 while it runs. */
  readonly endMs: number;
  readonly totalShards: number;
  readonly failures: readonly SnapshotShardFailure[];
}

export const SNAPSHOT_STATES = ['IN_PROGRESS', 'SUCCESS', 'PARTIAL', 'FAILED'] as const;
export type SnapshotState = (typeof SNAPSHOT_STATES)[number];

const INDICES_MAX = 100_000;
const FAILURES_MAX = 1_000_000;
const SHARD_MAX = 1_023;

export function writeSnapshotInfo(info: SnapshotInfo): Record<string, unknown> {
  return {
    ...info,
    indices: [...info.indices],
    dataStreams: [...info.dataStreams],
    failures: info.failures.map((failure) => ({ ...failure })),
  };
}

const readFailure: ItemReader<SnapshotShardFailure> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('index'),
    shard: r.integer('shard', 0, SHARD_MAX),
    nodeId: r.optionalString('nodeId'),
    reason: r.string('reason'),
  };
};

export const readSnapshotInfo: ItemReader<SnapshotInfo> = (value, field) => {
  const r = ValueReader.of(value, field);
  const uuid = r.string('uuid');
  if (!isRepositoryId(uuid)) r.refuse('uuid', 'an id of letters, digits, - and _');
  return {
    name: r.string('name'),
    uuid,
    state: r.oneOf('state', SNAPSHOT_STATES),
    version: r.string('version'),
    reason: r.optionalString('reason'),
    indices: r.list('indices', ValueReader.asString, INDICES_MAX),
    dataStreams: r.list('dataStreams', ValueReader.asString, INDICES_MAX),
    includesGlobalState: r.boolean('includesGlobalState'),
    userMetadata: r.optional('userMetadata', readPlainObject),
    startMs: r.integer('startMs', 0, Number.MAX_SAFE_INTEGER),
    endMs: r.integer('endMs', 0, Number.MAX_SAFE_INTEGER),
    totalShards: r.integer('totalShards', 0, Number.MAX_SAFE_INTEGER),
    failures: r.list('failures', readFailure, FAILURES_MAX),
  };
};
