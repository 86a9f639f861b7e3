/**
 * Hands mapping, settings and aliases of the cluster state to the engines of open shards.
 */
import { withSynonymSets } from '@shoal/analysis';
import type { IndexMetadata, SynonymSets } from '@shoal/cluster-state';
import type { ShardKey } from '../calls/worker-calls.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import type { LocalShard } from './local-shard.ts';

/** Passes on what is newer than what the engine of the shard has; resolves when it has it. */
export async function passMetadata(shard: LocalShard, index: IndexMetadata, sets: SynonymSets): Promise<void> {
  const { worker, knownMetadata: known, knownSettings } = shard;
  if (worker === null || shard.phase !== 'open' || index.version < known.version) return;
  // Settings that an engine takes only when it is opened may change while the index is closed, and the mapping may need them.
  if (index.state === 'close') return;
  const settings = engineSettings(index, sets);
  if (index === known && settings === knownSettings) return;
  shard.knownMetadata = index;
  shard.knownSettings = settings;
  const updates: Promise<null>[] = [];
  if (index.mapping !== known.mapping) {
    updates.push(worker.call('updateMapping', { key: shard.key, mapping: index.mapping }));
  }
  if (settings !== knownSettings) updates.push(worker.call('updateSettings', { key: shard.key, settings }));
  if (index.aliases !== known.aliases) updates.push(passAliases(shard.key, worker, index));
  await Promise.all(updates);
}

/** Settings of an index as its engines have them: with the rules of the synonym sets that they name. */
export function engineSettings({ settings }: IndexMetadata, sets: SynonymSets): IndexMetadata['settings'] {
  return withSynonymSets(settings, sets);
}

/** Names that stand for the index in queries on `_index`. */
export function passAliases(key: ShardKey, worker: WorkerThread, { aliases }: IndexMetadata): Promise<null> {
  return worker.call('updateAliases', { key, aliases: [...aliases.keys()] });
}
