/**
 * Hands mapping, settings and aliases of the cluster state to the engines of open shards.
 */
import type { IndexMetadata } from '@shoal/protocol';
import type { ShardKey } from '../calls/worker-calls.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import type { LocalShard } from './local-shard.ts';

/** Passes on what is newer than what the engine of the shard has; resolves when it has it. */
export async function passMetadata(shard: LocalShard, index: IndexMetadata): Promise<void> {
  const { worker, knownMetadata: known } = shard;
  if (worker === null || shard.phase !== 'open' || index.version < known.version || index === known) return;
  shard.knownMetadata = index;
  const updates: Promise<null>[] = [];
  if (index.mapping !== known.mapping) {
    updates.push(worker.call('updateMapping', { key: shard.key, mapping: index.mapping }));
  }
  if (index.settings !== known.settings) {
    updates.push(worker.call('updateSettings', { key: shard.key, settings: index.settings }));
  }
  if (index.aliases !== known.aliases) updates.push(passAliases(shard.key, worker, index));
  await Promise.all(updates);
}

/** Names that stand for the index in queries on `_index`. */
export function passAliases(key: ShardKey, worker: WorkerThread, { aliases }: IndexMetadata): Promise<null> {
  return worker.call('updateAliases', { key, aliases: [...aliases.keys()] });
}
