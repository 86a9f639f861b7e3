/**
 * Sort key of a request's sort field, and the same key bound to one segment.
 *
 * Within a segment every key is a number of which the smaller comes first: values with their sign turned for descending order,
 * ordinals for strings, ranks for longs beyond 2^53. Real values are read only for the entries that are returned.
 */
import type { QueryValue, SortField } from '@shoal/query';
import type { SortColumn } from '@shoal/shard-api';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { KeyBlocks } from './key-blocks.ts';

/** One sort key in one segment. */
export interface SegmentKey {
  /** Smaller comes first. `score` is the document's. */
  key(doc: number, score: number): number;
  /** The key of a value given by `search_after`; between two keys when no document has it. */
  keyOfValue(value: QueryValue): number;
  /** Keys of documents at once, from `at` on; left out where one at a time is as fast. */
  fill?(docs: Uint32Array, count: number, into: Float64Array, at: number): void;
  /** Keys of the documents from..from + count - 1; left out where they are read document by document. */
  fillRun?(from: number, count: number, into: Float64Array): void;
  /**
   * Set where the order of keys follows from all matches: each of them is observed, before the first key is read. No document
   * that was not observed is asked for.
   */
  observe?(docs: Uint32Array, count: number): void;
  /** Left out where nothing is known of keys but by their documents. */
  readonly blocks?: KeyBlocks;
  /** Set where keys of different segments do not compare. */
  readonly isLocal?: true;
  /** Values of the kept documents, for the answer. `keys[i]` is what `key(docs[i])` was. */
  column(docs: Uint32Array, keys: Float64Array): SortColumn;
}

export interface SortKey {
  readonly field: SortField;
  bind(view: SegmentView): SegmentKey;
}

/**
 * Rank of a cursor's value where documents without one have the rank `missing`. Values that no document has share a rank when
 * they lie between the same two: there `order`, that of the value to the one of those documents, decides.
 */
export function besideMissing(rank: number, missing: number, order: number): number {
  return rank === missing ? rank + Math.sign(order) / 4 : rank;
}
