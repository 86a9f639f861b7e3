/**
 * The index whose documents a shrunk, split or cloned index began with.
 */
import type { IndexMetadata, ShardRouting } from '@shoal/cluster-state';

export interface ResizeSource {
  readonly index: string;
  readonly indexUuid: string;
}

/** null: the index began empty. */
export function resizeSourceOf({ settings }: Pick<IndexMetadata, 'settings'>): ResizeSource | null {
  const index = settings['index.resize.source.name'];
  const indexUuid = settings['index.resize.source.uuid'];
  return index === undefined || indexUuid === undefined ? null : { index, indexUuid };
}

/** Shards of the source whose documents go to a shard of the new index. */
export function sourceShards(
  shard: number,
  { source, target }: { readonly source: number; readonly target: number },
): readonly number[] {
  if (source <= target) return [Math.floor(shard / (target / source))];
  const factor = source / target;
  return Array.from({ length: factor }, (_, at) => shard * factor + at);
}

/** No copy of it was ever started: nothing that lies on a disk belongs to it. */
export function isNeverStarted({ recoverySource }: Pick<ShardRouting, 'recoverySource'>): boolean {
  return recoverySource === 'EMPTY_STORE' || recoverySource === 'LOCAL_SHARDS' || recoverySource === 'SNAPSHOT';
}
