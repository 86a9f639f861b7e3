/**
 * Outcome of a list of write operations on one shard.
 */
import type { PackedResults } from './packed-results.ts';

/**
 * `mappingUpdate`: the first `results.length` operations are done; the next one needs fields that the mapping has not.
 * The caller gets the update (for all remaining operations) confirmed by the cluster manager, calls `updateMapping`
 * and hands the operations in again, from that one on.
 */
export interface WriteOutcome {
  readonly results: PackedResults;
  readonly mappingUpdate: Readonly<Record<string, unknown>> | null;
}
