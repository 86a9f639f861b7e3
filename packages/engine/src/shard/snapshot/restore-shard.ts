/**
 * A shard out of a snapshot: its files from the repository, each proved to be what was written, then a commit that begins an empty
 * translog, and last the shard's own state, so that a folder with it holds a whole shard.
 */
import { asShoalError, randomUuid, ShoalError } from '@shoal/core';
import { finalSyncDir, type Runtime } from '@shoal/runtime';
import { commitFileName, readCommit, writeCommit } from '../commit/commit-file.ts';
import { writeShardState } from '../commit/shard-state-file.ts';
import { adoptedCommit, beginAdoptedTranslog } from '../recovery/adopted-commit.ts';
import { TransferPace } from '../recovery/transfer-pace.ts';
import { copyFromBlob } from './copy-blob.ts';
import { readManifest, type ShardManifest } from './shard-manifest.ts';

const UUID_BYTES = 16;
const NEVER = { isStopped: false };

/** Folder of a shard, and whose it is to be. */
export interface RestoreTarget {
  readonly path: string;
  readonly indexUuid: string;
  readonly allocationId: string;
}

/** Where a shard is restored from. */
export interface ShardRestore {
  /** Folder of the shard in the repository. */
  readonly folder: string;
  readonly snapshotUuid: string;
  /** 0: as fast as can be. */
  readonly bytesPerSecond: number;
}

/**
 * Fills the shard's folder, which must be empty or missing.
 *
 * @throws index_shard_restore_failed_exception
 */
export async function restoreShard(
  runtime: Runtime,
  target: RestoreTarget,
  restore: ShardRestore,
  yieldNow: () => Promise<void>,
): Promise<ShardManifest> {
  try {
    return await fill(runtime, target, restore, yieldNow);
  } catch (error) {
    const cause = asShoalError(error);
    throw new ShoalError('index_shard_restore_failed_exception', 500, `restore failed: ${cause.message}`, {
      causedBy: cause,
    });
  }
}

async function fill(
  { disk, clock, sched, random }: Runtime,
  { path, indexUuid, allocationId }: RestoreTarget,
  { folder, snapshotUuid, bytesPerSecond }: ShardRestore,
  yieldNow: () => Promise<void>,
): Promise<ShardManifest> {
  const manifest = await readManifest(disk, folder, snapshotUuid);
  if (manifest === null) {
    throw new ShoalError('index_shard_restore_failed_exception', 500, `[${folder}] has no snapshot [${snapshotUuid}]`);
  }
  const segments = `${path}/index`;
  await disk.mkdir(segments);
  await disk.mkdir(`${path}/translog`);
  const pace = new TransferPace(clock, sched, { bytesPerSecond });
  const chunkCopied = async (bytes: number): Promise<void> => {
    await pace.copied(bytes);
    await yieldNow();
  };
  for (const file of manifest.files) {
    await copyFromBlob({ disk, chunkCopied, stop: NEVER }, folder, file, segments);
  }
  const commit = await readCommit(disk, segments);
  if (commit === null) throw new ShoalError('corrupt_index_exception', 500, `snapshot in [${folder}] has no commit`);
  // What the snapshot holds is all that there ever was of the new shard, and nobody has a copy of that.
  const { generation, maxSeqNo } = commit;
  const checkpoints = { localCheckpoint: maxSeqNo, globalCheckpoint: maxSeqNo };
  const next = { ...adoptedCommit(commit, checkpoints), leases: new Map() };
  await writeCommit(disk, segments, next);
  await disk.unlink(`${segments}/${commitFileName(generation)}`);
  await finalSyncDir(disk, segments);
  await beginAdoptedTranslog({ disk, sched }, `${path}/translog`);
  await finalSyncDir(disk, path);
  const historyUuid = randomUuid(random.bytes(UUID_BYTES));
  await writeShardState(disk, path, { indexUuid, allocationId, historyUuid, primaryTerm: 0 });
  return manifest;
}
