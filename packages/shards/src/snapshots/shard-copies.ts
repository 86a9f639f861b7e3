/**
 * Shards of this node for snapshots: each is copied into the repository by the thread that owns it.
 */
import { requireRepository } from '@shoal/cluster';
import type { ShardManifest, ShardSnapshotRequest } from '@shoal/engine';
import { type ShardFileStats, SNAPSHOT_SHARD, type SnapshotShardMessage } from '@shoal/protocol';
import { handleWith, type InboundRequest } from '@shoal/transport';
import type { ShardRequests } from '../handlers/shard-requests.ts';
import { openedRepository, type SnapshotContext } from './snapshot-context.ts';

export function registerShardCopies(context: SnapshotContext, requests: ShardRequests): void {
  handleWith(context.cluster.transport, SNAPSHOT_SHARD, async (message, inbound) =>
    fileStats(await copy(context, requests, message, inbound)),
  );
}

async function copy(
  context: SnapshotContext,
  requests: ShardRequests,
  message: SnapshotShardMessage,
  { signal, timeoutMs }: InboundRequest,
): Promise<ShardManifest> {
  const { target, indexId, snapshotUuid } = message;
  const { shard, worker } = await requests.find(target, timeoutMs);
  const state = context.cluster.state();
  const repository = openedRepository(context, requireRepository(state, message.repository));
  const request: ShardSnapshotRequest = {
    folder: repository.folder.shardFolder(indexId, target.shard),
    snapshotUuid,
    bytesPerSecond: repository.snapshotBytesPerSecond,
  };
  return worker.snapshot({ key: shard.key, request }, signal);
}

/** Numbers of a shard's files for users. */
export function fileStats({ files, newFileCount, newBytes, startMs, tookMs }: ShardManifest): ShardFileStats {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { fileCount: files.length, bytes, newFileCount, newBytes, startMs, tookMs };
}
