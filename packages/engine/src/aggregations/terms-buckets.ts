/**
 * From counted buckets to a shard's answer of a terms aggregation: chosen, ordered, cut to the shard's size.
 */
import {
  type BucketKey,
  bucketComparison,
  isByCountDescending,
  type PartialResult,
  type TermsAggregation,
  type TermsBucket,
  type TermsKeyKind,
  termsError,
  type ValueFormat,
} from '@shoal/aggregations';
import type { ChildBatch } from './bucket-collector.ts';

/** One candidate of one parent's bucket. */
export interface TermsCandidate {
  /** Where its children's results are. */
  readonly id: number;
  readonly key: BucketKey;
  readonly docCount: number;
}

export interface TermsShape {
  readonly keyKind: TermsKeyKind;
  readonly format: ValueFormat;
}

/** What is known of the terms of one parent's bucket. */
export interface TermsCandidates {
  readonly candidates: readonly TermsCandidate[];
  /** Of documents whose buckets are not among them. */
  readonly otherDocCount: number;
}

/** Counted terms without an object for each. */
export interface CountedTerms {
  readonly length: number;
  count(at: number): number;
  /** Only asked of those that may be among the first. */
  candidate(at: number, docCount: number): TermsCandidate;
}

/** Those that may be among the first; terms without documents are left out. */
export function likelyCandidates(aggregation: TermsAggregation, terms: CountedTerms): TermsCandidates {
  const { shardSize, shardMinDocCount } = aggregation;
  const counts = new Float64Array(terms.length);
  for (let at = 0; at < counts.length; at++) counts[at] = terms.count(at);
  const least = isByCountDescending(aggregation.order) ? likelyTop(counts, counts.length, shardSize).least : 1;
  const candidates: TermsCandidate[] = [];
  let otherDocCount = 0;
  for (let at = 0; at < counts.length; at++) {
    const docCount = counts[at] as number;
    if (docCount >= least) candidates.push(terms.candidate(at, docCount));
    else if (docCount >= shardMinDocCount) otherDocCount += docCount;
  }
  return { candidates, otherDocCount };
}

/** One result a parent. */
export function termsResults(
  aggregation: TermsAggregation,
  shape: TermsShape,
  parents: readonly TermsCandidates[],
  children: ChildBatch,
): PartialResult[] {
  const { order, shardSize, shardMinDocCount } = aggregation;
  const counted = parents.map(({ candidates }) => candidates.filter(({ docCount }) => docCount >= shardMinDocCount));
  // Results of children are only made for the buckets that go out, unless the order asks for them.
  const isByMetric = order.some(({ by }) => by === 'metric');
  const compare = bucketComparison(order, aggregation.children);
  const early = isByMetric ? children.resultsOf(counted.map((list) => list.map(({ id }) => id))) : null;
  const kept = counted.map((list, p) => {
    const buckets = list.map(({ id, key, docCount }, i) => ({ id, key, docCount, children: early?.[p]?.[i] ?? [] }));
    return buckets.sort(compare).slice(0, shardSize);
  });
  const late = early === null ? children.resultsOf(kept.map((list) => list.map(({ id }) => id))) : null;
  const { keyKind, format } = shape;
  return parents.map(({ otherDocCount: beside }, p): PartialResult => {
    let otherDocCount = beside;
    for (const { docCount } of counted[p] ?? []) otherDocCount += docCount;
    const buckets = (kept[p] ?? []).map((bucket, i): TermsBucket => {
      otherDocCount -= bucket.docCount;
      const { key, docCount } = bucket;
      return { key, docCount, error: 0, children: late?.[p]?.[i] ?? bucket.children };
    });
    const error = termsError(aggregation, buckets);
    return { kind: 'terms', keyKind, format, otherDocCount, error, shardCount: 1, buckets };
  });
}

/**
 * The best of many by count alone, without an object for each: positions of those whose count may be among the first
 * `size`. Ties at the edge are all kept, the caller orders them.
 */
export function likelyTop(counts: ArrayLike<number>, total: number, size: number): { readonly least: number } {
  let distinct = 0;
  for (let i = 0; i < total; i++) if ((counts[i] as number) > 0) distinct++;
  if (distinct <= size) return { least: 1 };
  const heap = new Float64Array(size);
  let filled = 0;
  for (let i = 0; i < total; i++) {
    const count = counts[i] as number;
    if (count <= 0) continue;
    if (filled < size) siftUp(heap, filled++, count);
    else if (count > (heap[0] as number)) siftDown(heap, size, count);
  }
  return { least: Math.max(1, heap[0] as number) };
}

function siftUp(heap: Float64Array, start: number, value: number): void {
  let at = start;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((heap[parent] as number) <= value) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = value;
}

function siftDown(heap: Float64Array, size: number, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= value) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = value;
}
