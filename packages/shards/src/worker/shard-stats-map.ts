/**
 * What a shard counts, as a map of numbers for other threads and nodes.
 */
import type { Shard } from '@shoal/engine';
import { FIELDDATA_FIELDS_MAX, FIELDDATA_OF, SEARCH_GROUP_OF, type ShardStatsMap, SYNC_ID_OF } from '@shoal/protocol';

/** Numbers of the shard and, beside them, of its fields, those that hold most, and of searches with a name. */
export function statsOf(shard: Shard): ShardStatsMap {
  const held = [...shard.fielddata()].sort(([, a], [, b]) => b - a).slice(0, FIELDDATA_FIELDS_MAX);
  const groups = [...shard.searchGroups()].flatMap(([group, stats]) =>
    Object.entries(stats).map(([name, value]) => [`${SEARCH_GROUP_OF}${name}:${group}`, Math.round(value)] as const),
  );
  const { syncId, committedSeqNo } = shard.commit;
  return {
    ...shard.stats(),
    committedSeqNo,
    ...(syncId === null ? {} : { [SYNC_ID_OF + syncId]: 1 }),
    ...Object.fromEntries(held.map(([field, bytes]) => [FIELDDATA_OF + field, bytes])),
    ...Object.fromEntries(groups),
  };
}
