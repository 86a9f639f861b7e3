/**
 * Sizes by which segments are read in pages.
 */

/** How segments are written and read in pages. */
export interface SegmentPaging {
  /** Size of a page of the segments that are written, in bytes: a power of two. Each file says its own. */
  readonly pageBytes: number;
  /** Sections of a field that are used together are read whole up to this length, in bytes, and longer ones by range. */
  readonly wholeBytesMax: number;
  /** Bytes of the terms and postings that a merge has in memory at a time, of all its inputs together. */
  readonly mergeWindowBytes: number;
}

/** Sizes in use; others only in tests. */
export const SEGMENT_PAGING: SegmentPaging = {
  pageBytes: 64 * 1024,
  wholeBytesMax: 256 * 1024,
  mergeWindowBytes: 4 * 1024 * 1024,
};
