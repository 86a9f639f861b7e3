/**
 * `composite`: buckets by the values of several fields at once, in the order of their keys, the first `size` behind `after`.
 *
 * Every combination of a document's values is a key. Where the keys of a segment's sources are numbered, a combination is one
 * number whose order is that of the keys, so that most documents whose bucket cannot be in the answer cost a comparison. Once
 * more keys were seen than an answer can hold, those that cannot be in it any more are given up.
 */
import {
  type Bucket,
  type BucketKey,
  type CompositeAggregation,
  type CompositeKey,
  compareCompositeKeys,
  type PartialResult,
  tupleName,
} from '@shoal/aggregations';
import { assert, StepMeter, type Steps, sortInSteps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts, BucketIds } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { CompositeSourceKeys, type ResolvedCompositeSource } from './composite-source.ts';
import type { ValueWalk } from './value-walk.ts';

/** Keys kept beyond the size before they are sorted and cut. */
const SLACK = 10_000;
/** Microseconds, about, in which a bucket is given up. */
const DROP_UNITS = 0.3;
/** Combinations of a segment that were met and are remembered, with those that are in no bucket. */
const MET_MAX = 100_000;
const REJECTED = -1;

interface CompositeBucket {
  readonly name: string;
  readonly key: CompositeKey;
  readonly id: number;
}

export class CompositeCollector implements BucketCollector {
  private readonly aggregation: CompositeAggregation;
  private readonly sources: readonly CompositeSourceKeys[];
  private readonly children: ChildBatch;
  /** Key behind which buckets start. */
  private readonly after: CompositeKey | null;
  private readonly buckets = new Map<string, CompositeBucket>();
  /** Those that the last cut kept, in order. */
  private kept: readonly CompositeBucket[] = [];
  /** Those made since. */
  private made: CompositeBucket[] = [];
  /** A cut that has begun. */
  private cutting: Steps<void> | null = null;
  private readonly counts = new BucketCounts();
  private docCounts: DocCounts | null = null;
  private nextId = 0;
  /** Keys behind this one cannot be in the answer; null while all can. */
  private last: CompositeKey | null = null;
  /** What one more in the rank of each source adds to a combination of this segment; null: its keys are not numbered. */
  private factors: readonly number[] | null = null;
  /** Combinations that were met, and the bucket of each. */
  private met: BucketIds;
  private bucketOf: number[] = [];
  /** Combinations up to the first and from the second on are known to be in no bucket. */
  private rejectedTo = -1;
  private rejectedFrom = Number.POSITIVE_INFINITY;
  private readonly combined = new Float64Array(BATCH_SIZE);

  constructor(
    aggregation: CompositeAggregation,
    sources: readonly ResolvedCompositeSource[],
    { after, walk }: { readonly after: CompositeKey | null; readonly walk: ValueWalk | null },
    children: ChildBatch,
  ) {
    this.aggregation = aggregation;
    this.sources = sources.map((source, i) => new CompositeSourceKeys(source, i === 0 ? walk : null));
    this.after = after;
    assert(sources.length > 0, `a composite aggregation of ${sources.length} sources`);
    this.children = children;
    this.met = new BucketIds(children.hashSecret);
  }

  get memoryBytes(): number {
    const { buckets, met, bucketOf, counts, children } = this;
    return buckets.size * 200 + met.memoryBytes + bucketOf.length * 8 + counts.memoryBytes + children.memoryBytes;
  }

  get owed(): Steps<void> | null {
    return this.cutting;
  }

  enter(view: SegmentView): void {
    for (const source of this.sources) source.enter(view);
    this.factors = factorsOf(this.sources);
    this.docCounts = DocCounts.of(view);
    const factorCount = this.factors?.length ?? this.sources.length;
    assert(factorCount === this.sources.length, `${factorCount} factors of ${this.sources.length} sources`);
    this.forget();
    this.rejectedTo = -1;
    this.rejectedFrom = Number.POSITIVE_INFINITY;
    this.children.enter(view);
  }

  private forget(): void {
    this.met = new BucketIds(this.children.hashSecret);
    this.bucketOf = [];
  }

  collect(docs: DocBatch, _buckets: Uint32Array): void {
    const { factors } = this;
    if (factors === null) this.collectKeys(docs);
    else {
      for (const source of this.sources) source.readRanks(docs);
      if (this.sources.every(({ ranks }) => ranks.isWhole)) this.collectWhole(docs, factors);
      else this.collectRanks(docs, factors);
    }
  }

  /** Every document has one value of each source. */
  private collectWhole({ docs, count }: DocBatch, factors: readonly number[]): void {
    const { combined } = this;
    combined.fill(0, 0, count);
    for (let s = 0; s < factors.length; s++) {
      const { values } = (this.sources[s] as CompositeSourceKeys).ranks;
      const factor = factors[s] as number;
      for (let i = 0; i < count; i++) combined[i] = (combined[i] as number) + factor * (values[i] as number);
    }
    for (let i = 0; i < count; i++) {
      const combination = combined[i] as number;
      if (combination > this.rejectedTo && combination < this.rejectedFrom) {
        this.addCombination(docs[i] as number, combination, factors);
      }
    }
  }

  /** Documents with several values, or none. */
  private collectRanks({ docs, count }: DocBatch, factors: readonly number[]): void {
    const starts = this.sources.map(() => 0);
    for (let i = 0; i < count; i++) {
      let combinations: readonly number[] = [0];
      for (const [s, { ranks, noneRank }] of this.sources.entries()) {
        const factor = factors[s] as number;
        const own: number[] = [];
        let at = starts[s] as number;
        for (; at < ranks.length && ranks.positions[at] === i; at++) own.push(factor * (ranks.values[at] as number));
        starts[s] = at;
        if (own.length === 0 && noneRank >= 0) own.push(factor * noneRank);
        combinations = combinations.flatMap((head) => own.map((rank) => head + rank));
      }
      for (const combination of combinations) {
        if (combination > this.rejectedTo && combination < this.rejectedFrom) {
          this.addCombination(docs[i] as number, combination, factors);
        }
      }
    }
  }

  private addCombination(doc: number, combination: number, factors: readonly number[]): void {
    const met = this.met.idOf(0, combination);
    let id = this.bucketOf[met];
    if (id === undefined) {
      id = this.bucketId(this.keyOf(combination, factors));
      this.bucketOf[met] = id;
      if (this.met.count > MET_MAX) this.forget();
      if (id === REJECTED) this.reject(combination, factors);
    }
    if (id !== REJECTED) this.count(doc, id);
  }

  private count(doc: number, id: number): void {
    this.counts.add(id, this.docCounts === null ? 1 : this.docCounts.at(doc));
    if (!this.children.isEmpty) this.children.push(doc, id);
  }

  private keyOf(combination: number, factors: readonly number[]): CompositeKey {
    let rest = combination;
    return this.sources.map((source, s) => {
      const factor = factors[s] as number;
      const rank = Math.floor(rest / factor);
      rest -= rank * factor;
      return source.keyOfRank(rank);
    });
  }

  /** A key outside the page: so are all before it, or all behind it. */
  private reject(combination: number, factors: readonly number[]): void {
    const isBefore = this.isBeforePage(this.keyOf(combination, factors));
    if (isBefore) this.rejectedTo = Math.max(this.rejectedTo, combination);
    else this.rejectedFrom = Math.min(this.rejectedFrom, combination);
  }

  private isBeforePage(key: CompositeKey): boolean {
    return this.after !== null && compareCompositeKeys(this.aggregation.sources, key, this.after) <= 0;
  }

  /** Where keys are not numbered. */
  private collectKeys(batch: DocBatch): void {
    const { docs, count } = batch;
    for (const source of this.sources) source.readKeys(batch);
    for (let i = 0; i < count; i++) {
      let keys: readonly CompositeKey[] = [[]];
      for (const source of this.sources) {
        const own = source.take(i);
        keys = keys.flatMap((head) => own.map((key): (BucketKey | null)[] => [...head, key]));
      }
      for (const key of keys) {
        const id = this.bucketId(key);
        if (id !== REJECTED) this.count(docs[i] as number, id);
      }
    }
  }

  /** The bucket of a key, made when it is new; `REJECTED` outside the page. */
  private bucketId(key: CompositeKey): number {
    const { sources } = this.aggregation;
    if (this.isBeforePage(key)) return REJECTED;
    if (this.last !== null && compareCompositeKeys(sources, key, this.last) > 0) return REJECTED;
    const name = tupleName(key);
    const known = this.buckets.get(name);
    if (known !== undefined) return known.id;
    const bucket = { name, key, id: this.nextId++ };
    this.buckets.set(name, bucket);
    this.made.push(bucket);
    if (this.cutting === null && this.buckets.size > this.aggregation.size + SLACK) this.cutting = this.cut();
    return bucket.id;
  }

  /** Gives up what cannot be in the answer. Whoever collects does not go on before this is done. */
  private *cut(): Steps<void> {
    const { buckets } = this;
    const { size } = this.aggregation;
    const meter = new StepMeter();
    const sorted = yield* this.inOrder(meter);
    for (const { name } of sorted.slice(size)) {
      buckets.delete(name);
      if (meter.isDue(DROP_UNITS)) yield;
    }
    this.kept = sorted.slice(0, size);
    this.made = [];
    this.last = this.kept.at(-1)?.key ?? null;
    this.cutting = null;
  }

  /** Most stand in order already. */
  private inOrder(meter: StepMeter): Steps<readonly CompositeBucket[]> {
    const { sources } = this.aggregation;
    const compare = (a: CompositeBucket, b: CompositeBucket): number => compareCompositeKeys(sources, a.key, b.key);
    return sortInSteps([...this.kept, ...this.made], compare, meter);
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.children.leave(meter);
    this.forget();
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) partials.push(yield* this.result(meter));
    return partials;
  }

  private *result(meter: StepMeter): Steps<PartialResult> {
    if (this.cutting !== null) yield* this.cutting;
    const sorted = yield* this.inOrder(meter);
    const kept = sorted.slice(0, this.aggregation.size);
    const ids = kept.map(({ id }) => id);
    const results = yield* this.children.results(ids, meter);
    const buckets: Bucket<CompositeKey>[] = [];
    for (const [i, { key, id }] of kept.entries()) {
      buckets.push({ key, docCount: this.counts.at(id), children: results[i] ?? [] });
      if (meter.isDue(0.1)) yield;
    }
    return {
      kind: 'composite',
      formats: this.sources.map(({ source }) => source.format),
      keyKinds: this.sources.map(({ source }) => source.keyKind),
      buckets,
      lastKey: buckets.at(-1)?.key ?? null,
    };
  }
}

/** The last source's ranks count one; null where some keys are not numbered, or there are too many combinations. */
function factorsOf(sources: readonly CompositeSourceKeys[]): readonly number[] | null {
  if (sources.some(({ isNumbered }) => !isNumbered)) return null;
  const factors: number[] = [];
  let factor = 1;
  for (const { rankCount } of sources.toReversed()) {
    factors.unshift(factor);
    factor *= Math.max(rankCount, 1);
  }
  return factor <= Number.MAX_SAFE_INTEGER ? factors : null;
}
