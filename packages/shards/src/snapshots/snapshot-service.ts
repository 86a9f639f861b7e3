/**
 * Snapshots on the elected cluster manager: begun, found, cloned and deleted.
 */
import {
  abortSnapshots,
  beginSnapshot,
  checkBlock,
  checkSnapshotName,
  concurrentSnapshots,
  invalidSnapshotName,
  repositoryException,
  snapshotMissing,
} from '@shoal/cluster';
import type { ClusterState, RunningSnapshot } from '@shoal/cluster-state';
import { matchesAny } from '@shoal/core';
import {
  type AcknowledgedMessage,
  CREATE_SNAPSHOT,
  type CreateSnapshotMessage,
  DELETE_SNAPSHOTS,
  GET_SNAPSHOTS,
  type GetSnapshotsMessage,
  type NamedSnapshotsMessage,
  type SnapshotInfo,
} from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import { indicesOf, type RepositoryIndex, withoutSnapshots } from '../repository/repository-index.ts';
import { RepositorySweep } from '../repository/repository-sweep.ts';
import { findSnapshots, runningIn } from './find-snapshots.ts';
import type { RunningSnapshots } from './running-snapshots.ts';
import { type OpenRepository, openRepository, requireManager, type SnapshotContext } from './snapshot-context.ts';

/** Longest wait of a deletion for a snapshot that is being made to end. */
const ABORT_WAIT_MS = 24 * 3_600_000;

export function registerSnapshotHandlers(context: SnapshotContext, running: RunningSnapshots): void {
  const { transport } = context.cluster;
  handleWith(transport, CREATE_SNAPSHOT, (message) => create(context, message));
  handleWith(transport, GET_SNAPSHOTS, async (message) => ({ snapshots: await find(context, running, message) }));
  handleWith(transport, DELETE_SNAPSHOTS, (message) => remove(context, message));
}

/** @throws repository_exception for a repository that takes no changes */
export function requireWritable({ name, isReadOnly }: OpenRepository, doing: string): void {
  if (isReadOnly) throw repositoryException(name, `cannot ${doing} in a readonly repository`);
}

async function create(context: SnapshotContext, message: CreateSnapshotMessage): Promise<AcknowledgedMessage> {
  requireManager(context);
  const { cluster, locks, runtime } = context;
  const { masterTimeoutMs, timeoutMs, repository: repositoryName, ...asked } = message;
  const repository = openRepository(context, repositoryName);
  checkSnapshotName(repositoryName, asked.name);
  requireWritable(repository, 'create snapshot');
  const { uuid, name } = asked;
  const snapshot: RunningSnapshot = {
    ...asked,
    repository: repositoryName,
    startMs: runtime.clock.wallMs(),
    isAborted: false,
  };
  // What has this name cannot come to be between the look into the repository and the change of the state.
  return locks.indexing(repositoryName, async () => {
    const index = await repository.folder.readIndex();
    const same = index.snapshots.find((other) => other.name === name);
    if (same !== undefined && same.uuid === uuid) return { acknowledged: true };
    if (same !== undefined)
      throw invalidSnapshotName(repositoryName, name, 'snapshot with the same name already exists');
    return cluster.changeAsManager({
      masterTimeoutMs,
      timeoutMs,
      source: `create_snapshot [${repositoryName}:${name}]`,
      update: (state) => {
        checkBlock(state, 'metadata_read', []);
        return beginSnapshot(state, snapshot);
      },
    });
  });
}

async function find(
  context: SnapshotContext,
  running: RunningSnapshots,
  message: GetSnapshotsMessage,
): Promise<readonly SnapshotInfo[]> {
  requireManager(context);
  const { cluster } = context;
  const { folder } = openRepository(context, message.repository);
  // The state first: a snapshot that ends between the two looks is in the index then.
  const unfinished = runningIn(cluster.state(), message.repository);
  const found = findSnapshots(await folder.readIndex(), unfinished, message);
  const infos: SnapshotInfo[] = [];
  for (const { uuid } of found.complete) infos.push(await folder.readInfo(uuid));
  for (const snapshot of found.running) infos.push(runningInfo(snapshot, running));
  return infos.sort((a, b) => a.startMs - b.startMs || (a.name < b.name ? -1 : 1));
}

export function runningInfo(snapshot: RunningSnapshot, running: RunningSnapshots): SnapshotInfo {
  const run = running.of(snapshot.uuid);
  if (run !== null) return run.info(0);
  const { name, uuid, indices, dataStreams, includesGlobalState, userMetadata, startMs } = snapshot;
  return {
    ...{ name, uuid, indices, dataStreams, includesGlobalState, userMetadata, startMs, endMs: 0 },
    ...{ state: 'IN_PROGRESS', version: '', reason: null, totalShards: 0, failures: [] },
  };
}

/** Names that are patterns may find nothing; one that is none must be there. */
async function remove(context: SnapshotContext, message: NamedSnapshotsMessage): Promise<AcknowledgedMessage> {
  requireManager(context);
  const { cluster, locks } = context;
  const { repository: repositoryName, names } = message;
  const repository = openRepository(context, repositoryName);
  requireWritable(repository, 'delete snapshot');
  const running = runningIn(cluster.state(), repositoryName);
  const index = await repository.folder.readIndex();
  for (const name of names) {
    const isThere = [...index.snapshots, ...running].some((snapshot) => snapshot.name === name);
    if (!isThere && !name.includes('*')) throw snapshotMissing(repositoryName, name);
  }
  const isMeant = ({ name }: { readonly name: string }): boolean => matchesAny(names, name);
  const aborted = new Set(running.filter(isMeant).map(({ uuid }) => uuid));
  await abort(context, message, aborted);
  const gone = new Set([...index.snapshots.filter(isMeant).map(({ uuid }) => uuid), ...aborted]);
  if (gone.size === 0) return { acknowledged: true };
  return locks.removing(repositoryName, async () => {
    checkNotRestored(cluster.state(), message, gone);
    const before = await locks.indexing(repositoryName, () => withoutIndexed(repository, gone));
    const after = await repository.folder.readIndex();
    const sweep = new RepositorySweep(repository.folder, after);
    await sweep.snapshots(gone);
    const touched = new Set([...gone].flatMap((uuid) => indicesOf(before, uuid).map(({ id }) => id)));
    for (const id of touched) await sweep.indexFolder(id);
    if (aborted.size > 0) await sweep.all();
    return { acknowledged: true };
  });
}

/** @throws concurrent_snapshot_execution_exception while shards are copied from one of the snapshots */
function checkNotRestored(
  state: ClusterState,
  { repository }: NamedSnapshotsMessage,
  uuids: ReadonlySet<string>,
): void {
  for (const { name, restoredFrom } of state.metadata.indices.values()) {
    if (restoredFrom === null || !uuids.has(restoredFrom.snapshotUuid)) continue;
    const shards = state.routing.indices.get(name) ?? [];
    if (shards.every(([primary]) => primary?.recoverySource !== 'SNAPSHOT')) continue;
    throw concurrentSnapshots(
      repository,
      restoredFrom.snapshot,
      `cannot delete snapshot during a restore in progress in [${restoredFrom.restoreUuid}]`,
    );
  }
}

/** The index without the snapshots is what counts then. @returns the index before */
async function withoutIndexed({ folder }: OpenRepository, gone: ReadonlySet<string>): Promise<RepositoryIndex> {
  const before = await folder.readIndex();
  if (before.snapshots.some(({ uuid }) => gone.has(uuid))) await folder.writeIndex(withoutSnapshots(before, gone));
  return before;
}

async function abort(
  { cluster }: SnapshotContext,
  { masterTimeoutMs, timeoutMs, repository }: NamedSnapshotsMessage,
  uuids: ReadonlySet<string>,
): Promise<void> {
  if (uuids.size === 0) return;
  await cluster.changeAsManager({
    masterTimeoutMs,
    timeoutMs,
    source: `abort_snapshot [${repository}]`,
    update: (state) => abortSnapshots(state, uuids),
  });
  const isOver = ({ uuid }: RunningSnapshot): boolean => !uuids.has(uuid);
  await cluster.waitForState((state) => state.metadata.runningSnapshots.every(isOver), ABORT_WAIT_MS);
}
