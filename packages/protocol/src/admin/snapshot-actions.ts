/** Snapshots as messages: any node → elected cluster manager, and cluster manager → node of a shard. */

import { isRepositoryId, readPlainObject } from '@shoal/cluster-state';
import { ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import {
  type AcknowledgedMessage,
  acknowledgedAction,
  managerAction,
  plain,
  reader,
  type TimeoutsMessage,
} from './manager-codec.ts';
import { readSnapshotInfo, type SnapshotInfo, writeSnapshotInfo } from './snapshot-info.ts';
import {
  readShardFileStats,
  readSnapshotStatus,
  type ShardFileStats,
  type SnapshotStatus,
  writeSnapshotStatus,
} from './snapshot-status.ts';

type Json = Readonly<Record<string, unknown>>;

export interface CreateSnapshotMessage extends TimeoutsMessage {
  readonly repository: string;
  readonly name: string;
  /** Made by the node that asks: a request that is sent again finds its own snapshot. */
  readonly uuid: string;
  /** Concrete names. */
  readonly indices: readonly string[];
  readonly dataStreams: readonly string[];
  readonly isPartial: boolean;
  readonly includesGlobalState: boolean;
  readonly userMetadata: Json | null;
}

/** Names and patterns of snapshots of one repository. */
export interface NamedSnapshotsMessage extends TimeoutsMessage {
  readonly repository: string;
  readonly names: readonly string[];
}

export interface GetSnapshotsMessage extends NamedSnapshotsMessage {
  /** A name that finds nothing is no error. */
  readonly ignoresUnavailable: boolean;
}

export interface SnapshotStatusMessage extends TimeoutsMessage {
  /** null: the running snapshots of all repositories. */
  readonly repository: string | null;
  /** Empty: the running ones. */
  readonly names: readonly string[];
  readonly ignoresUnavailable: boolean;
}

export interface CloneSnapshotMessage extends TimeoutsMessage {
  readonly repository: string;
  readonly source: string;
  readonly target: string;
  /** Names, patterns and exclusions. */
  readonly indices: readonly string[];
  readonly ignoresUnavailable: boolean;
  readonly allowsNoIndices: boolean;
}

export interface RestoreSnapshotMessage extends TimeoutsMessage {
  readonly repository: string;
  readonly snapshot: string;
  readonly restoreUuid: string;
  /** Names, patterns and exclusions; empty: all. */
  readonly indices: readonly string[];
  readonly ignoresUnavailable: boolean;
  readonly allowsNoIndices: boolean;
  readonly renamePattern: string | null;
  readonly renameReplacement: string | null;
  readonly includesGlobalState: boolean;
  readonly includesAliases: boolean;
  readonly isPartial: boolean;
  readonly indexSettings: Json;
  readonly ignoredSettings: readonly string[];
}

export interface RestoreAnswer {
  /** Names of the restored indices. */
  readonly indices: readonly string[];
  /** Shards that the snapshot lacks, which begin empty. */
  readonly missingShards: number;
}

export interface SnapshotShardMessage {
  readonly repository: string;
  readonly snapshotUuid: string;
  /** Folder of the index in the repository. */
  readonly indexId: string;
  readonly target: ShardTarget;
}

const NAMES_MAX = 100_000;
const SNAPSHOTS_MAX = 100_000;
const STATUSES_MAX = 10_000;

function names(r: ValueReader, field: string): readonly string[] {
  return r.list(field, ValueReader.asString, NAMES_MAX);
}

function id(r: ValueReader, field: string): string {
  const text = r.string(field);
  if (!isRepositoryId(text)) r.refuse(field, 'an id of letters, digits, - and _');
  return text;
}

export const CREATE_SNAPSHOT: ActionCodec<CreateSnapshotMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/snapshot/create',
  (r) => ({
    repository: r.string('repository'),
    name: r.string('name'),
    uuid: id(r, 'uuid'),
    indices: names(r, 'indices'),
    dataStreams: names(r, 'dataStreams'),
    isPartial: r.boolean('isPartial'),
    includesGlobalState: r.boolean('includesGlobalState'),
    userMetadata: r.optional('userMetadata', readPlainObject),
  }),
);

export const GET_SNAPSHOTS: ActionCodec<GetSnapshotsMessage, { readonly snapshots: readonly SnapshotInfo[] }> =
  managerAction(
    'cluster:admin/snapshot/get',
    (r) => ({
      repository: r.string('repository'),
      names: names(r, 'names'),
      ignoresUnavailable: r.boolean('ignoresUnavailable'),
    }),
    {
      writeResponse: ({ snapshots }) => ({ message: { snapshots: snapshots.map(writeSnapshotInfo) } }),
      readResponse: (body) => ({ snapshots: reader(body).list('snapshots', readSnapshotInfo, SNAPSHOTS_MAX) }),
    },
  );

export const SNAPSHOT_STATUS: ActionCodec<SnapshotStatusMessage, { readonly statuses: readonly SnapshotStatus[] }> =
  managerAction(
    'cluster:admin/snapshot/status',
    (r) => ({
      repository: r.optionalString('repository'),
      names: names(r, 'names'),
      ignoresUnavailable: r.boolean('ignoresUnavailable'),
    }),
    {
      writeResponse: ({ statuses }) => ({ message: { statuses: statuses.map(writeSnapshotStatus) } }),
      readResponse: (body) => ({ statuses: reader(body).list('statuses', readSnapshotStatus, STATUSES_MAX) }),
    },
  );

export const DELETE_SNAPSHOTS: ActionCodec<NamedSnapshotsMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/snapshot/delete',
  (r) => ({ repository: r.string('repository'), names: names(r, 'names') }),
);

export const CLONE_SNAPSHOT: ActionCodec<CloneSnapshotMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/snapshot/clone',
  (r) => ({
    repository: r.string('repository'),
    source: r.string('source'),
    target: r.string('target'),
    indices: names(r, 'indices'),
    ignoresUnavailable: r.boolean('ignoresUnavailable'),
    allowsNoIndices: r.boolean('allowsNoIndices'),
  }),
);

export const RESTORE_SNAPSHOT: ActionCodec<RestoreSnapshotMessage, RestoreAnswer> = managerAction(
  'cluster:admin/snapshot/restore',
  (r) => ({
    repository: r.string('repository'),
    snapshot: r.string('snapshot'),
    restoreUuid: id(r, 'restoreUuid'),
    indices: names(r, 'indices'),
    ignoresUnavailable: r.boolean('ignoresUnavailable'),
    allowsNoIndices: r.boolean('allowsNoIndices'),
    renamePattern: r.optionalString('renamePattern'),
    renameReplacement: r.optionalString('renameReplacement'),
    includesGlobalState: r.boolean('includesGlobalState'),
    includesAliases: r.boolean('includesAliases'),
    isPartial: r.boolean('isPartial'),
    indexSettings: readPlainObject(r.raw('indexSettings'), 'indexSettings'),
    ignoredSettings: names(r, 'ignoredSettings'),
  }),
  {
    writeResponse: ({ indices, missingShards }) => ({ message: { indices: [...indices], missingShards } }),
    readResponse: (body) => {
      const r = reader(body);
      return {
        indices: names(r, 'indices'),
        missingShards: r.integer('missingShards', 0, Number.MAX_SAFE_INTEGER),
      };
    },
  },
);

/** Cluster manager → node of a primary: copies the shard into the repository. Answers when it is all there. */
export const SNAPSHOT_SHARD: ActionCodec<SnapshotShardMessage, ShardFileStats> = {
  name: 'internal:admin/snapshot/shard[n]',
  writeRequest: ({ target, ...request }) => ({ message: { ...request, target: writeShardTarget(target) } }),
  readRequest: (body) => {
    const r = reader(body);
    return {
      repository: r.string('repository'),
      snapshotUuid: id(r, 'snapshotUuid'),
      indexId: id(r, 'indexId'),
      target: readShardTarget(r.raw('target'), 'target'),
    };
  },
  writeResponse: plain,
  readResponse: (body) => readShardFileStats(body.message, 'stats'),
};
