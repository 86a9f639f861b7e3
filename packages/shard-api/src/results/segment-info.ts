/**
 * What a shard tells of one of its segments.
 */

/** What one field takes of a segment's files, in bytes. Padding and the directory belong to no field. */
export interface FieldDiskBytes {
  readonly name: string;
  /** Terms, postings and positions. */
  readonly invertedIndex: number;
  readonly storedFields: number;
  /** Columns of values. Those of keywords share the terms of the inverted index where there is one. */
  readonly docValues: number;
  /** Boxes around values of places. */
  readonly points: number;
  readonly norms: number;
}

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
  /** Empty unless it was asked for. */
  readonly fields: readonly FieldDiskBytes[];
}
