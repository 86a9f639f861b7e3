/**
 * Clones of snapshots on the elected cluster manager: another snapshot that names the same files.
 */
import { checkSnapshotName, invalidSnapshotName, snapshotMissing } from '@shoal/cluster';
import { randomUuid, ShoalError } from '@shoal/core';
import { readManifest, writeManifest } from '@shoal/engine';

import {
  type AcknowledgedMessage,
  CLONE_SNAPSHOT,
  type CloneSnapshotMessage,
  type SnapshotInfo,
} from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import { type IndexedIndex, indicesOf, withSnapshot } from '../repository/repository-index.ts';
import { wantedIndices } from './restore-names.ts';
import { type OpenRepository, openRepository, requireManager, type SnapshotContext } from './snapshot-context.ts';
import { requireWritable } from './snapshot-service.ts';

const UUID_BYTES = 16;

export function registerCloneHandler(context: SnapshotContext): void {
  handleWith(context.cluster.transport, CLONE_SNAPSHOT, (message) => clone(context, message));
}

async function clone(context: SnapshotContext, message: CloneSnapshotMessage): Promise<AcknowledgedMessage> {
  requireManager(context);
  const repository = openRepository(context, message.repository);
  checkSnapshotName(message.repository, message.target);
  requireWritable(repository, 'create snapshot');
  // Nothing that the source names goes while it is read.
  return context.locks.copying(message.repository, () => cloneIn(context, repository, message));
}

async function cloneIn(
  context: SnapshotContext,
  repository: OpenRepository,
  message: CloneSnapshotMessage,
): Promise<AcknowledgedMessage> {
  const { runtime, locks } = context;
  const { folder } = repository;
  const { source, target } = message;
  const startMs = runtime.clock.wallMs();
  const index = await folder.readIndex();
  const found = index.snapshots.find(({ name }) => name === source);
  if (found === undefined) throw snapshotMissing(message.repository, source);
  const info = await folder.readInfo(found.uuid);
  const names = clonedIndices(info, message);
  const folders = indicesOf(index, found.uuid).filter(({ name }) => names.includes(name));
  const uuid = randomUuid(runtime.random.bytes(UUID_BYTES));
  const totalShards = await cloneManifests(repository, folders, { from: found.uuid, to: uuid, startMs });
  const metadata = await folder.readMetadata(found.uuid);
  const isCloned = (index: string): boolean => names.includes(index);
  await folder.writeMetadata(uuid, {
    indices: new Map([...metadata.indices].filter(([name]) => isCloned(name))),
    dataStreams: new Map([...metadata.dataStreams].filter(([, { indices }]) => indices.every(isCloned))),
    global: metadata.global,
  });
  await folder.writeInfo({
    ...info,
    name: target,
    uuid,
    indices: names,
    dataStreams: info.dataStreams.filter((name) => metadata.dataStreams.get(name)?.indices.every(isCloned) ?? false),
    startMs,
    endMs: runtime.clock.wallMs(),
    totalShards,
    state: 'SUCCESS',
  });
  await locks.indexing(message.repository, async () => {
    const newest = await folder.readIndex();
    const { runningSnapshots } = context.cluster.state().metadata;
    const isTaken =
      newest.snapshots.some(({ name }) => name === target) ||
      runningSnapshots.some((running) => running.repository === message.repository && running.name === target);
    if (isTaken) {
      throw invalidSnapshotName(message.repository, target, 'snapshot with the same name already exists');
    }
    await folder.writeIndex(withSnapshot(newest, { name: target, uuid, state: 'SUCCESS', startMs }, folders));
  });
  return { acknowledged: true };
}

/** @throws snapshot_exception when nothing is left, or an index is not whole */
function clonedIndices(info: SnapshotInfo, message: CloneSnapshotMessage): readonly string[] {
  const { repository, source, indices: patterns, ignoresUnavailable, allowsNoIndices } = message;
  const names = wantedIndices(info.indices, { patterns, ignoresUnavailable, allowsNoIndices });
  const shown = `[${repository}:${source}/${info.uuid}]`;
  if (names.length === 0) {
    throw new ShoalError(
      'snapshot_exception',
      500,
      `${shown} No indices in the source snapshot [${source}/${info.uuid}] matched requested pattern [${patterns.join(',')}]`,
    );
  }
  const failed = names.filter((name) => info.failures.some(({ index }) => index === name));
  if (failed.length === 0) return names;
  throw new ShoalError(
    'snapshot_exception',
    500,
    `${shown} Can't clone index [${failed.join(', ')}] because its snapshot was not successful.`,
  );
}

/** Manifests of the clone: the files of the source, none of them new. @returns how many shards there are */
async function cloneManifests(
  { folder }: OpenRepository,
  folders: readonly IndexedIndex[],
  { from, to, startMs }: { readonly from: string; readonly to: string; readonly startMs: number },
): Promise<number> {
  let count = 0;
  for (const { id } of folders) {
    for (const shard of await folder.list(folder.indexFolder(id))) {
      const path = folder.shardFolder(id, Number(shard));
      const manifest = await readManifest(folder.disk, path, from);
      if (manifest === null) continue;
      await writeManifest(folder.disk, path, to, { ...manifest, newFileCount: 0, newBytes: 0, startMs, tookMs: 0 });
      count++;
    }
  }
  return count;
}
