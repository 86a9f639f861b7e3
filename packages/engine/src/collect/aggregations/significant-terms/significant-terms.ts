/**
 * Collector of `significant_terms` and `significant_text`: counts all terms as `terms` does, and compares the counts with those of the background.
 */
import {
  type BucketKey,
  type PartialResult,
  type SignificantTermsAggregation,
  significanceScore,
  type TermsAggregation,
} from '@shoal/aggregations';
import { assert, ShoalError, type StepMeter, type Steps, sortInSteps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { compileQuery } from '../../../match/registry/compile-query.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { termsCollector } from '../terms/terms.ts';
import { declaredSource } from '../values/declared-type.ts';
import { type Background, BackgroundCounts, type BackgroundFrequencies } from './background-counts.ts';
import { TermBackground } from './term-background.ts';
import { textSource } from './text-source.ts';

type TermsPartial = Extract<PartialResult, { kind: 'terms' }>;
type SignificantPartial = Extract<PartialResult, { kind: 'significantTerms' }>;

export const significantTerms: CollectorKind<SignificantTermsAggregation> = {
  ignoresQuery: () => false,
  collector: (context, request, children) => {
    const { compile } = context;
    const { text } = request;
    const source =
      text === null
        ? declaredSource(compile, request.source, 'significant_terms')
        : textSource(compile, request.source.field, text);
    if (source.keyKind === 'double') {
      const reason = 'No support for examining floating point numerics';
      throw new ShoalError('unsupported_operation_exception', 500, reason);
    }
    const counted = termsCollector(context, asTerms(request), source, children);
    const { background: query } = request;
    const filter = query && compileQuery(compile, query, { boost: 1, isScored: false });
    const background = { source, views: compile.searcher.views, filter };
    return new SignificantTermsCollector(request, counted, background);
  },
};

const ALL_TERMS = 0x7fff_ffff;

/** The same terms without a limit: which of them are significant is known when all are counted. */
function asTerms(request: SignificantTermsAggregation): TermsAggregation {
  const { name, meta, children, pipelines, source, choice, executionHint, shardMinDocCount } = request;
  return {
    ...{ name, meta, children, pipelines, source, choice, executionHint, shardMinDocCount },
    kind: 'terms',
    type: 'terms',
    size: ALL_TERMS,
    shardSize: ALL_TERMS,
    minDocCount: 1,
    order: [{ by: 'key', path: '', isAscending: true }],
    showsErrors: false,
    collectMode: null,
    maxDocCount: null,
  };
}

class SignificantTermsCollector implements BucketCollector {
  readonly #request: SignificantTermsAggregation;
  readonly #counted: BucketCollector;
  readonly #background: Background;
  /** Documents of each bucket of the parent. */
  readonly #sizes = new BucketCounts();

  constructor(request: SignificantTermsAggregation, counted: BucketCollector, background: Background) {
    this.#request = request;
    this.#counted = counted;
    this.#background = background;
  }

  get memoryBytes(): number {
    return this.#counted.memoryBytes + this.#sizes.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.#counted.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    for (let i = 0; i < batch.count; i++) this.#sizes.add(buckets[i] as number, 1);
    this.#counted.collect(batch, buckets);
  }

  leave(meter: StepMeter): Steps<void> | null {
    return this.#counted.leave(meter);
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const counted = yield* this.#counted.results(buckets, meter);
    assert(counted.length === buckets.length, `${counted.length} results for ${buckets.length} buckets`);
    const terms = counted.map(asCounted);
    const Counts = this.#request.text === null ? BackgroundCounts : TermBackground;
    const background = new Counts(this.#background, keysOf(terms));
    yield* background.count(meter);
    const partials: PartialResult[] = [];
    for (const [i, partial] of terms.entries()) {
      partials.push(yield* this.#significant(partial, this.#sizes.at(buckets[i] as number), background, meter));
    }
    return partials;
  }

  *#significant(
    { buckets, keyKind, format }: TermsPartial,
    subsetSize: number,
    background: BackgroundFrequencies,
    meter: StepMeter,
  ): Steps<SignificantPartial> {
    const { significance, shardSize } = this.#request;
    const score = significanceScore(significance);
    const sizes = { subsetSize, supersetSize: background.size };
    const scored: SignificantPartial['buckets'][number][] = [];
    for (const { key, docCount, children } of buckets) {
      const backgroundCount = background.of(key);
      const own = score({ ...sizes, subsetFreq: docCount, supersetFreq: backgroundCount });
      scored.push({ key, docCount, backgroundCount, score: own, children });
      if (meter.isDue(0.5)) yield;
    }
    const sorted = yield* sortInSteps(scored, (a, b) => b.score - a.score, meter);
    const isMapped = this.#background.source.kind !== null;
    const counts = isMapped ? sizes : { subsetSize: 0, supersetSize: 0 };
    return { kind: 'significantTerms', keyKind, format, isMapped, ...counts, buckets: sorted.slice(0, shardSize) };
  }
}

function asCounted(partial: PartialResult): TermsPartial {
  assert(partial.kind === 'terms', `terms were counted as ${partial.kind}`);
  return partial;
}

function* keysOf(terms: readonly TermsPartial[]): Generator<BucketKey> {
  for (const { buckets } of terms) for (const { key } of buckets) yield key;
}
