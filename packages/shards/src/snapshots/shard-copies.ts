/**
 * Shards of this node for snapshots: each is copied into the repository by the thread that owns it, those of closed indices from
 * where they lie.
 */
import { requireRepository } from '@shoal/cluster';
import { type ShardManifest, type ShardSnapshotRequest, snapshotClosedShard } from '@shoal/engine';
import { type ShardFileStats, SNAPSHOT_SHARD, type SnapshotShardMessage } from '@shoal/protocol';
import { handleWith, type InboundRequest } from '@shoal/transport';
import type { ShardFolders } from '../folders/shard-folders.ts';
import type { ShardRequests } from '../handlers/shard-requests.ts';
import type { ShardSupervisor } from '../supervisor/shard-supervisor.ts';
import { openedRepository, type SnapshotContext } from './snapshot-context.ts';

export interface ShardsToCopy {
  readonly supervisor: ShardSupervisor;
  readonly requests: ShardRequests;
  readonly folders: ShardFolders;
}

export function registerShardCopies(context: SnapshotContext, shards: ShardsToCopy): void {
  handleWith(context.cluster.transport, SNAPSHOT_SHARD, async (message, inbound) =>
    fileStats(await copy(context, shards, message, inbound)),
  );
}

async function copy(
  context: SnapshotContext,
  { supervisor, requests, folders }: ShardsToCopy,
  message: SnapshotShardMessage,
  { signal, timeoutMs }: InboundRequest,
): Promise<ShardManifest> {
  const { target, indexId, snapshotUuid } = message;
  await requests.catchUp(target, timeoutMs);
  const state = context.cluster.state();
  const repository = openedRepository(context, requireRepository(state, message.repository));
  const request: ShardSnapshotRequest = {
    folder: repository.folder.shardFolder(indexId, target.shard),
    snapshotUuid,
    bytesPerSecond: repository.snapshotBytesPerSecond,
  };
  const local = supervisor.copyOf(target);
  if (local?.closedStats !== null && local?.closedStats !== undefined) {
    const stop = {
      get isStopped(): boolean {
        return signal.cancelled;
      },
    };
    return snapshotClosedShard(context.runtime, folders.ofShard(target.indexUuid, target.shard), request, stop);
  }
  const { shard, worker } = supervisor.find(target);
  return worker.snapshot({ key: shard.key, request }, signal);
}

/** Numbers of a shard's files for users. */
export function fileStats({ files, newFileCount, newBytes, startMs, tookMs }: ShardManifest): ShardFileStats {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { fileCount: files.length, bytes, newFileCount, newBytes, startMs, tookMs };
}
