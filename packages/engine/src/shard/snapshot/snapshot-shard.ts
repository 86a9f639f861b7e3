/**
 * A shard into a snapshot: the files of its newest commit, which stay on disk until they are copied, then the manifest that names
 * them. A copy that ends half way leaves blobs that no manifest names; they are used by the next one, or cleaned up.
 */
import { asShoalError, isShoalError, ShoalError } from '@shoal/core';
import { type Disk, finalSyncDir, type Runtime, type ThreadTurns } from '@shoal/runtime';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import type { ShardStore } from '../commit/shard-store.ts';
import { TransferPace } from '../recovery/transfer-pace.ts';
import { type CopyOptions, copyToBlob } from './copy-blob.ts';
import { type ManifestFile, readManifest, type ShardManifest, writeManifest } from './shard-manifest.ts';

export interface ShardSnapshotRequest {
  /** Folder of the shard in the repository; made if missing. */
  readonly folder: string;
  readonly snapshotUuid: string;
  /** 0: as fast as can be. */
  readonly bytesPerSecond: number;
}

export interface SnapshotSource {
  readonly runtime: Pick<Runtime, 'disk' | 'clock' | 'sched'>;
  readonly turns: ThreadTurns;
  /** Folder of the shard. */
  readonly path: string;
  readonly store: ShardStore;
}

/**
 * Copies the newest commit.
 *
 * @throws index_shard_snapshot_failed_exception
 */
export async function snapshotCommit(
  source: SnapshotSource,
  request: ShardSnapshotRequest,
  stop: StopSignal,
): Promise<ShardManifest> {
  const held = source.store.holdCommit();
  try {
    return await copied(() => copyFiles(source, held.files, request, stop));
  } finally {
    held.release();
  }
}

async function copied(copy: () => Promise<ShardManifest>): Promise<ShardManifest> {
  try {
    return await copy();
  } catch (error) {
    if (isShoalError(error) && error.type === 'index_shard_snapshot_failed_exception') throw error;
    const cause = asShoalError(error);
    throw new ShoalError('index_shard_snapshot_failed_exception', 500, `failed to copy the shard: ${cause.message}`, {
      causedBy: cause,
    });
  }
}

async function copyFiles(
  { runtime, turns, path }: Omit<SnapshotSource, 'store'>,
  names: readonly string[],
  request: ShardSnapshotRequest,
  stop: StopSignal,
): Promise<ShardManifest> {
  const { disk, clock, sched } = runtime;
  const { folder: target, snapshotUuid } = request;
  // Asked again by a cluster manager that took over: what is whole stays as it is.
  const before = await readManifest(disk, target, snapshotUuid);
  if (before !== null) return before;
  const startMs = clock.wallMs();
  const startedMs = clock.monotonicMs();
  await makeFolder(disk, target);
  const pace = new TransferPace(clock, sched, request);
  const options: CopyOptions = {
    disk,
    stop,
    chunkCopied: async (bytes) => {
      await pace.copied(bytes);
      await turns.next();
    },
  };
  const files: ManifestFile[] = [];
  let newFileCount = 0;
  let newBytes = 0;
  for (const [position, name] of names.entries()) {
    const copied = await copyToBlob(options, `${path}/index/${name}`, target, `tmp-${snapshotUuid}-${position}`);
    files.push({ name, bytes: copied.bytes, blob: copied.blob });
    if (!copied.isNew) continue;
    newFileCount++;
    newBytes += copied.bytes;
  }
  await finalSyncDir(disk, target);
  const tookMs = Math.round(clock.monotonicMs() - startedMs);
  const manifest = { files, newFileCount, newBytes, startMs, tookMs };
  await writeManifest(disk, target, snapshotUuid, manifest);
  return manifest;
}

/** Repository / indices / index / shard: the names of the last two may be new. */
async function makeFolder(disk: Disk, folder: string): Promise<void> {
  if (await disk.exists(folder)) return;
  await disk.mkdir(folder);
  let at = folder;
  for (let level = 0; level < 3; level++) {
    at = at.slice(0, at.lastIndexOf('/'));
    await finalSyncDir(disk, at);
  }
}
