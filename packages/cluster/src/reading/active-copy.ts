/** Copies that serve: reads and writes reach them. */
import type { ShardRouting } from '@shoal/cluster-state';

export function isActive({ state }: Pick<ShardRouting, 'state'>): boolean {
  return state === 'STARTED' || state === 'RELOCATING';
}

/** @param copies copies of one shard, the primary first */
export function isPrimaryActive([primary]: readonly ShardRouting[]): boolean {
  return primary !== undefined && isActive(primary);
}
