/**
 * What a shard tells of one of its segments.
 */

export interface SegmentInfo {
  /** `_` and the segment's number in base 36. */
  readonly name: string;
  /** Documents that are not deleted, nested ones included. */
  readonly liveCount: number;
  readonly deletedCount: number;
  readonly sizeBytes: number;
  /** Held in memory by kernels and caches. */
  readonly memoryBytes: number;
  /** The last commit names it. */
  readonly isCommitted: boolean;
  /** Searches see it. */
  readonly isSearchable: boolean;
}
