/**
 * Restores on the elected cluster manager: reads what the snapshot holds, then changes the state; the shards do the rest.
 */
import {
  checkBlock,
  everyIndexOf,
  restoreSnapshot,
  type SnapshotRestore,
  snapshotRestoreException,
} from '@shoal/cluster';
import type { ClusterState, DataStream } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import { RESTORE_SNAPSHOT, type RestoreAnswer, type RestoreSnapshotMessage, type SnapshotInfo } from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import { type IndexedIndex, indicesOf } from '../repository/repository-index.ts';
import type { SnapshotMetadata } from '../repository/snapshot-metadata.ts';
import { renamed, wantedIndices } from './restore-names.ts';
import { openRepository, requireManager, type SnapshotContext } from './snapshot-context.ts';

export function registerRestoreHandler(context: SnapshotContext): void {
  handleWith(context.cluster.transport, RESTORE_SNAPSHOT, (message) => restore(context, message));
}

async function restore(context: SnapshotContext, message: RestoreSnapshotMessage): Promise<RestoreAnswer> {
  requireManager(context);
  const { cluster, locks } = context;
  const { repository, snapshot, restoreUuid, masterTimeoutMs, timeoutMs } = message;
  // Sent again, after the manager that did it was lost.
  const done = indicesRestoredBy(cluster.state(), restoreUuid);
  if (done.length > 0) return { indices: done, missingShards: 0 };
  // Nothing is deleted from the repository between the look into it and the state that says what is restored from it.
  return locks.copying(repository, async () => {
    const plan = await planned(context, message);
    await cluster.changeAsManager({
      masterTimeoutMs,
      timeoutMs,
      source: `restore_snapshot [${repository}:${snapshot}]`,
      update: (state, change) => {
        checkBlock(state, 'metadata_write', []);
        return restoreSnapshot(state, plan, change);
      },
    });
    return {
      indices: plan.indices.map(({ name }) => name),
      missingShards: plan.indices.reduce((sum, { missingShards }) => sum + missingShards.length, 0),
    };
  });
}

function indicesRestoredBy(state: ClusterState, restoreUuid: string): readonly string[] {
  return [...state.metadata.indices.values()].flatMap(({ name, restoredFrom }) =>
    restoredFrom?.restoreUuid === restoreUuid ? [name] : [],
  );
}

async function planned(context: SnapshotContext, message: RestoreSnapshotMessage): Promise<SnapshotRestore> {
  const { repository, snapshot, restoreUuid } = message;
  const { folder } = openRepository(context, repository);
  const index = await folder.readIndex();
  const found = index.snapshots.find(({ name }) => name === snapshot);
  if (found === undefined) throw snapshotRestoreException(repository, snapshot, 'snapshot does not exist');
  const info = await folder.readInfo(found.uuid);
  const metadata = await folder.readMetadata(found.uuid);
  const shown = `${snapshot}/${found.uuid}`;
  if (info.state !== 'SUCCESS' && info.state !== 'PARTIAL') {
    throw snapshotRestoreException(repository, shown, `unsupported snapshot state [${info.state}]`);
  }
  if (message.includesGlobalState && metadata.global === null) {
    throw snapshotRestoreException(
      repository,
      shown,
      'cannot restore global state since the snapshot was created without global state',
    );
  }
  const names = namesOf(metadata, message, shown);
  const folders = indicesOf(index, found.uuid);
  return {
    repository,
    snapshot,
    snapshotUuid: found.uuid,
    restoreUuid,
    indices: names.indices.map(({ old, name }) => restoredIndex(metadata, info, folders, { old, name })),
    dataStreams: names.dataStreams,
    includesAliases: message.includesAliases,
    isPartial: message.isPartial,
    indexSettings: message.indexSettings,
    ignoredSettings: message.ignoredSettings,
    global: message.includesGlobalState ? metadata.global : null,
  };
}

interface RestoredNames {
  readonly indices: readonly { readonly old: string; readonly name: string }[];
  /** Under their new names. */
  readonly dataStreams: readonly DataStream[];
}

/** A data stream that is meant brings its indices; indices that are meant alone leave the stream behind. */
function namesOf(
  { indices, dataStreams }: SnapshotMetadata,
  message: RestoreSnapshotMessage,
  shown: string,
): RestoredNames {
  const { repository, indices: patterns, ignoresUnavailable, allowsNoIndices } = message;
  const there = [...new Set([...indices.keys(), ...dataStreams.keys()])];
  const wanted = wantedIndices(there, { patterns, ignoresUnavailable, allowsNoIndices });
  const streams = wanted.flatMap((name) => dataStreams.get(name) ?? []);
  const olds = [...new Set([...wanted, ...streams.flatMap(everyIndexOf)])].filter((name) => indices.has(name));
  const { renamePattern, renameReplacement } = message;
  const rename = (of: readonly string[]): readonly string[] => renamed(of, renamePattern, renameReplacement);
  const names = rename(olds);
  const byName = new Map<string, string>();
  const pairs = olds.map((old, position) => {
    const name = names[position] ?? old;
    const other = byName.get(name);
    if (other !== undefined) {
      const why = `indices [${old}] and [${other}] are renamed into the same index [${name}]`;
      throw snapshotRestoreException(repository, shown, why);
    }
    byName.set(name, old);
    return { old, name };
  });
  const newNames = new Map(pairs.map(({ old, name }) => [old, name]));
  const streamNames = rename(streams.map(({ name }) => name));
  const renamedStreams = streams.map((stream, position) => ({
    ...stream,
    name: streamNames[position] ?? stream.name,
    indices: stream.indices.flatMap((index) => newNames.get(index) ?? []),
    failureIndices: stream.failureIndices.flatMap((index) => newNames.get(index) ?? []),
  }));
  return { indices: pairs, dataStreams: renamedStreams.filter((stream) => stream.indices.length > 0) };
}

function restoredIndex(
  metadata: SnapshotMetadata,
  info: SnapshotInfo,
  folders: readonly IndexedIndex[],
  { old, name }: { readonly old: string; readonly name: string },
): SnapshotRestore['indices'][number] {
  const index = metadata.indices.get(old);
  const indexId = folders.find((folder) => folder.name === old)?.id;
  assert(index !== undefined && indexId !== undefined, `index [${old}] of snapshot [${info.name}] has no folder`);
  const missingShards = info.failures.filter((failure) => failure.index === old).map(({ shard }) => shard);
  return { metadata: index, name, indexId, missingShards };
}
