/**
 * Statistics of single copies, as their data nodes sent them.
 */
import type { ShardStatsMap } from '@shoal/protocol';

export interface CopyStats {
  readonly index: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly stats: ShardStatsMap;
}

/** The copies of each index. */
export function copiesByIndex(copies: readonly CopyStats[]): ReadonlyMap<string, readonly CopyStats[]> {
  const groups = new Map<string, CopyStats[]>();
  for (const copy of copies) {
    const group = groups.get(copy.index);
    if (group === undefined) groups.set(copy.index, [copy]);
    else group.push(copy);
  }
  return groups;
}
