/**
 * From counted buckets to a shard's answer of a terms aggregation: chosen, ordered, cut to the shard's size.
 */
import {
  type BucketKey,
  bucketComparison,
  isByCountDescending,
  type KeyKind,
  type LimitedTerms,
  type PartialResult,
  SINGLE_KEYS,
  type TermKeys,
  type TermsBucket,
  type TermsLimits,
  type TermsList,
  termsError,
  type ValueFormat,
} from '@shoal/aggregations';
import { assert, illegalArgument, type StepMeter, type Steps, sortInSteps } from '@shoal/core';
import type { ChildBatch } from '../collector/bucket-collector.ts';

/** One candidate of one parent's bucket. */
export interface TermsCandidate<Key = BucketKey> {
  /** Where its children's results are. */
  readonly id: number;
  readonly key: Key;
  readonly docCount: number;
}

export interface TermsShape {
  readonly keyKind: KeyKind;
  readonly format: ValueFormat;
}

/** What is known of the terms of one parent's bucket. */
export interface TermsCandidates<Key = BucketKey> {
  readonly candidates: readonly TermsCandidate<Key>[];
  /** Documents whose buckets are not among the candidates. */
  readonly otherDocCount: number;
}

/** Counted terms without an object for each. */
export interface CountedTerms<Key = BucketKey> {
  readonly length: number;
  count(at: number): number;
  /** Only asked of those that may be among the first. */
  candidate(at: number, docCount: number): TermsCandidate<Key>;
}

/** Those that may be among the first; terms without documents are left out. */
export function* likelyCandidates<Key>(
  aggregation: TermsLimits,
  terms: CountedTerms<Key>,
  meter: StepMeter,
): Steps<TermsCandidates<Key>> {
  const { shardSize } = aggregation;
  const counts = new Float64Array(terms.length);
  for (let at = 0; at < counts.length; at++) {
    counts[at] = terms.count(at);
    if (meter.isDue(0.01)) yield;
  }
  const isByCount = isByCountDescending(aggregation.order);
  const least = isByCount ? yield* likelyLeast(counts, counts.length, shardSize, meter) : 1;
  const candidates: TermsCandidate<Key>[] = [];
  let otherDocCount = 0;
  for (let at = 0; at < counts.length; at++) {
    const docCount = counts[at] as number;
    if (docCount >= least) candidates.push(terms.candidate(at, docCount));
    else otherDocCount += docCount;
    if (meter.isDue(docCount >= least ? 0.2 : 0.01)) yield;
  }
  return { candidates, otherDocCount };
}

/** Terms without documents are wanted too. */
export function wantsEmptyTerms({ minDocCount, shardMinDocCount }: TermsLimits): boolean {
  return minDocCount === 0 && shardMinDocCount === 0;
}

/**
 * Terms of a segment, in ascending order, that can be buckets without documents among a parent's first: `count` of them from the start
 * or from the end.
 *
 * By counts descending, terms with documents come first; by key, they are mixed in: either way no more empty ones have room than the shard
 * returns. By counts ascending the empty ones come first and are not known before the counts; a metric may order them anyhow: all then.
 */
export function emptyTermsWanted({ order, shardSize }: TermsLimits): {
  readonly count: number;
  readonly isFromEnd: boolean;
} {
  const [first, second] = order;
  const byKey = first?.by === 'count' && !first.isAscending ? second : first;
  if (byKey?.by !== 'key') return { count: Number.MAX_SAFE_INTEGER, isFromEnd: false };
  return { count: shardSize, isFromEnd: !byKey.isAscending };
}

/** All terms of a parent that wants those without documents, else those that may be among the first. */
export function* candidatesOf<Key>(
  aggregation: TermsLimits,
  terms: CountedTerms<Key>,
  meter: StepMeter,
): Steps<TermsCandidates<Key>> {
  if (!wantsEmptyTerms(aggregation)) return yield* likelyCandidates(aggregation, terms, meter);
  const candidates: TermsCandidate<Key>[] = [];
  for (let at = 0; at < terms.length; at++) {
    candidates.push(terms.candidate(at, terms.count(at)));
    if (meter.isDue(0.2)) yield;
  }
  return { candidates, otherDocCount: 0 };
}

/** Buckets without documents of one shard: each term of the index in each bucket around the aggregation. */
const EMPTY_BUCKETS_MAX = 1 << 22;

/** @throws ShoalError where empty buckets would be more than any answer may have */
export function checkEmptyBuckets(parentCount: number, termCount: number): void {
  if (parentCount * termCount <= EMPTY_BUCKETS_MAX) return;
  throw illegalArgument(
    `[min_doc_count] of 0 would make [${parentCount * termCount}] buckets on a shard, more than [${EMPTY_BUCKETS_MAX}]`,
  );
}

/** One result a parent. */
export function* termsResults(
  aggregation: LimitedTerms,
  { keyKind, format }: TermsShape,
  parents: readonly TermsCandidates[],
  children: ChildBatch,
  meter: StepMeter,
): Steps<PartialResult[]> {
  const lists = yield* termsLists(aggregation, SINGLE_KEYS, parents, children, meter);
  return lists.map((list) => ({ kind: 'terms', keyKind, format, ...list }));
}

/** The first terms of each parent. */
export function* termsLists<Key>(
  aggregation: LimitedTerms,
  keys: TermKeys<Key>,
  parents: readonly TermsCandidates<Key>[],
  children: ChildBatch,
  meter: StepMeter,
): Steps<TermsList<Key>[]> {
  const { order, shardSize, shardMinDocCount } = aggregation;
  const counted = parents.map(({ candidates }) => candidates.filter(({ docCount }) => docCount >= shardMinDocCount));
  // Results of children are only made for the buckets that go out, unless the order asks for them.
  const isByMetric = order.some(({ by }) => by === 'metric');
  const compare = bucketComparison(order, aggregation.children, keys.compare);
  const idsOf = (lists: readonly (readonly TermsCandidate<Key>[])[]): number[][] =>
    lists.map((list) => list.map(({ id }) => id));
  const early = isByMetric ? yield* children.resultsOf(idsOf(counted), meter) : null;
  const kept: (readonly PlacedCandidate<Key>[])[] = [];
  for (const [p, list] of counted.entries()) {
    const buckets = list.map(({ id, key, docCount }, i): PlacedCandidate<Key> => {
      return { id, key, docCount, children: early?.[p]?.[i] ?? [] };
    });
    kept.push((yield* sortInSteps(buckets, compare, meter)).slice(0, shardSize));
  }
  const late = early === null ? yield* children.resultsOf(idsOf(kept), meter) : null;
  const results: TermsList<Key>[] = [];
  for (const [p, { candidates, otherDocCount: beside }] of parents.entries()) {
    let otherDocCount = beside;
    for (const { docCount } of candidates) otherDocCount += docCount;
    const buckets: TermsBucket<Key>[] = [];
    for (const [i, { key, docCount, children: known }] of (kept[p] ?? []).entries()) {
      otherDocCount -= docCount;
      buckets.push({ key, docCount, error: 0, children: late?.[p]?.[i] ?? known });
      if (meter.isDue(0.1)) yield;
    }
    assert(
      buckets.length <= shardSize && otherDocCount >= 0,
      `${buckets.length} of at most ${shardSize} buckets, ${otherDocCount} documents in others`,
    );
    results.push({ otherDocCount, error: termsError(aggregation, buckets), shardCount: 1, buckets });
  }
  return results;
}

interface PlacedCandidate<Key> extends TermsCandidate<Key> {
  readonly children: readonly PartialResult[];
}

/** Counts looked at in one loop: a loop that may stop behind each of them takes several times as long. */
export const COUNTS_A_STEP = 4_096;

/** The least count that may be among the first `size`; ties at the edge are all kept, the caller orders them. */
export function* likelyLeast(counts: ArrayLike<number>, total: number, size: number, meter: StepMeter): Steps<number> {
  const heap = new Float64Array(Math.min(size, total));
  let filled = 0;
  for (let from = 0; from < total; from += COUNTS_A_STEP) {
    const to = Math.min(total, from + COUNTS_A_STEP);
    filled = keepLargest(heap, filled, counts, from, to);
    if (meter.isDue((to - from) * 0.02)) yield;
  }
  return filled < size ? 1 : Math.max(1, heap[0] as number);
}

/** Keeps the largest counts in a heap, the least of them first; returns how many there are. */
function keepLargest(heap: Float64Array, before: number, counts: ArrayLike<number>, from: number, to: number): number {
  const size = heap.length;
  let filled = before;
  for (let i = from; i < to; i++) {
    const count = counts[i] as number;
    if (count <= 0) continue;
    if (filled < size) siftUp(heap, filled++, count);
    else if (count > (heap[0] as number)) siftDown(heap, size, count);
  }
  return filled;
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
