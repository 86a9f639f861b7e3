/**
 * How far snapshots are, shard by shard: of those that are made, from whoever makes them; of the others, from their manifests.
 */
import { snapshotMissing } from '@shoal/cluster';
import type { RunningSnapshot } from '@shoal/cluster-state';
import { readManifest } from '@shoal/engine';
import {
  NO_FILES,
  type ShardSnapshotStatus,
  SNAPSHOT_STATUS,
  type SnapshotInfo,
  type SnapshotStatus,
  type SnapshotStatusMessage,
} from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import type { RepositoryFolder } from '../repository/repository-folder.ts';
import { indicesOf, type RepositoryIndex } from '../repository/repository-index.ts';
import { runningIn } from './find-snapshots.ts';
import type { RunningSnapshots } from './running-snapshots.ts';
import { fileStats } from './shard-copies.ts';
import { openRepository, requireManager, type SnapshotContext } from './snapshot-context.ts';
import { runningInfo } from './snapshot-service.ts';

const SHARD = /^\d{1,4}$/;

export function registerStatusHandler(context: SnapshotContext, running: RunningSnapshots): void {
  handleWith(context.cluster.transport, SNAPSHOT_STATUS, async (message) => ({
    statuses: await statuses(context, running, message),
  }));
}

async function statuses(
  context: SnapshotContext,
  running: RunningSnapshots,
  message: SnapshotStatusMessage,
): Promise<readonly SnapshotStatus[]> {
  requireManager(context);
  const state = context.cluster.state();
  const { repository, names, ignoresUnavailable } = message;
  const status = (snapshot: RunningSnapshot): SnapshotStatus => ({
    repository: snapshot.repository,
    info: runningInfo(snapshot, running),
    shards: running.of(snapshot.uuid)?.shards ?? [],
  });
  if (repository === null) return state.metadata.runningSnapshots.filter(({ isAborted }) => !isAborted).map(status);
  const { folder } = openRepository(context, repository);
  const unfinished = runningIn(state, repository);
  if (names.length === 0) return unfinished.map(status);
  const index = await folder.readIndex();
  const found: SnapshotStatus[] = [];
  for (const name of names) {
    const complete = index.snapshots.find((snapshot) => snapshot.name === name);
    const made = unfinished.find((snapshot) => snapshot.name === name);
    if (complete !== undefined) {
      const info = await folder.readInfo(complete.uuid);
      found.push({ repository, info, shards: await shardsOf(folder, index, info) });
    } else if (made !== undefined) found.push(status(made));
    else if (!ignoresUnavailable) throw snapshotMissing(repository, name);
  }
  return found;
}

async function shardsOf(
  folder: RepositoryFolder,
  index: RepositoryIndex,
  info: SnapshotInfo,
): Promise<readonly ShardSnapshotStatus[]> {
  const shards = info.failures.map(
    ({ index: name, shard, nodeId, reason }): ShardSnapshotStatus => ({
      ...{ index: name, shard, stage: 'FAILURE', nodeId, reason, stats: NO_FILES },
    }),
  );
  for (const { id, name } of indicesOf(index, info.uuid)) {
    for (const shard of await folder.list(folder.indexFolder(id))) {
      if (!SHARD.test(shard)) continue;
      const manifest = await readManifest(folder.disk, folder.shardFolder(id, Number(shard)), info.uuid);
      if (manifest === null) continue;
      const stats = fileStats(manifest);
      shards.push({ index: name, shard: Number(shard), stage: 'DONE', nodeId: null, reason: null, stats });
    }
  }
  return shards.sort((a, b) => (a.index === b.index ? a.shard - b.shard : a.index < b.index ? -1 : 1));
}
