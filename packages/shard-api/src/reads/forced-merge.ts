/**
 * What a user asks of the segments of a shard: the merges that `_forcemerge` starts.
 */

export interface ForcedMerge {
  /** Segments to merge down to, at least 1; null: as the merge policy would. Not read with `onlyExpungeDeletes`. */
  readonly segmentsMax: number | null;
  /** Rewrites segments that hold many deleted documents, and no others. */
  readonly onlyExpungeDeletes: boolean;
}
