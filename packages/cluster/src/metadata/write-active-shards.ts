/**
 * Check of `index.write.wait_for_active_shards` against the copies of an index: more than there can be would refuse every write.
 */
import { illegalArgument } from '@shoal/core';
import { writeActiveShards } from '@shoal/schema';

/** Throws when writes to the index would wait for more copies than it has. */
export function checkWriteActiveShards(settings: Readonly<Record<string, string>>, numberOfReplicas: number): void {
  const wanted = writeActiveShards(settings);
  const copies = 1 + numberOfReplicas;
  if (wanted === 'all' || wanted <= copies) return;
  throw illegalArgument(
    `invalid index.write.wait_for_active_shards[${wanted}]: cannot be greater than number of shard copies [${copies}]`,
  );
}
