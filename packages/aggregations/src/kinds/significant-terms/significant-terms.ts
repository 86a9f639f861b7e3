/**
 * `significant_terms` and `significant_text`: a bucket for each term that is far more frequent in the documents around it than in the background.
 */
import { DoubleNumber, type Steps, sortInSteps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { groupedBuckets } from '../../contract/merged-by-key.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import type { BucketRenderer } from '../../render/bucket-renderer.ts';
import { keyText } from '../../render/key-text.ts';
import { compareKeys } from '../../values/bucket-key.ts';
import { formatOf, valuePrinter } from '../../values/value-format.ts';
import { commonKind } from '../terms/common-kind.ts';
import {
  SIGNIFICANT_TERMS_PARTIAL,
  type SignificantBucket,
  type SignificantTermsPartial,
} from './significant-terms-partial.ts';
import {
  parseSignificantTerms,
  readSignificantTerms,
  type SignificantTermsAggregation,
} from './significant-terms-request.ts';
import { parseSignificantText } from './significant-text-request.ts';
import { significanceScore } from './term-significance.ts';

export const significantTerms: BucketKind<SignificantTermsAggregation, SignificantTermsPartial> = {
  family: 'bucket',
  kind: 'significantTerms',
  parsers: { significant_terms: parseSignificantTerms, significant_text: parseSignificantText },
  read: readSignificantTerms,
  partial: SIGNIFICANT_TERMS_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: (_, { keyKind }) => (keyKind === 'text' ? 'sigsterms' : 'siglterms'),
  reduce: reduceSignificant,
  render: renderSignificant,
  keyText: (_, partial, { key }) => keyText(key, partial.format, false),
  pathNumber: (aggregation, partial, path) =>
    severalBuckets(
      aggregation,
      partial,
      path,
      partial.keyKind === 'text' ? 'SignificantStringTerms' : 'SignificantLongTerms',
    ),
};

/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 0.5;

function* reduceSignificant(
  aggregation: SignificantTermsAggregation,
  partials: readonly SignificantTermsPartial[],
  context: ReduceContext,
): Steps<SignificantTermsPartial> {
  const { meter } = context;
  const groups = yield* groupedBuckets(partials, ({ key }) => key, meter, BUCKET_UNITS);
  let [subsetSize, supersetSize] = [0, 0];
  for (const partial of partials) {
    subsetSize += partial.subsetSize;
    supersetSize += partial.supersetSize;
  }
  const score = significanceScore(aggregation.significance);
  const sizes = { subsetSize, supersetSize };
  const scored: SignificantBucket[] = [];
  for (const [key, buckets] of groups) {
    let [docCount, backgroundCount] = [0, 0];
    for (const bucket of buckets) {
      docCount += bucket.docCount;
      backgroundCount += bucket.backgroundCount;
    }
    const own = context.isFinal ? score({ ...sizes, subsetFreq: docCount, supersetFreq: backgroundCount }) : 0;
    const isShown = !context.isFinal || (own > 0 && docCount >= aggregation.minDocCount);
    if (isShown) scored.push({ key, docCount, backgroundCount, score: own, children: [] });
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  const sorted = context.isFinal ? yield* sortInSteps(scored, bySignificance, meter) : scored;
  const kept = context.isFinal ? sorted.slice(0, aggregation.size) : sorted;
  if (context.isFinal) context.buckets.take(kept.length);
  const buckets: SignificantBucket[] = [];
  for (const bucket of kept) {
    buckets.push({ ...bucket, ...(yield* mergedBucket(aggregation, groups.get(bucket.key) ?? [], context)) });
  }
  return {
    kind: 'significantTerms',
    keyKind: commonKind(aggregation, partials),
    format: formatOf(partials),
    isMapped: partials.some(({ isMapped }) => isMapped),
    ...sizes,
    buckets,
  };
}

/** The most significant first; of equal ones the smaller key. */
function bySignificance(a: SignificantBucket, b: SignificantBucket): number {
  return b.score - a.score || compareKeys(a.key, b.key);
}

function* renderSignificant(
  aggregation: SignificantTermsAggregation,
  partial: SignificantTermsPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const printer = valuePrinter(partial.format);
  const about = partial.isMapped ? { doc_count: partial.subsetSize, bg_count: partial.supersetSize } : {};
  const isFirstYet = to.out.members(about, isFirst);
  const shown = (at: number) => {
    const bucket = partial.buckets[at] as SignificantBucket;
    const head = {
      key: printer.shown(bucket.key, partial.keyKind),
      key_as_string: printer.text(bucket.key) ?? undefined,
      doc_count: bucket.docCount,
      score: new DoubleNumber(bucket.score),
      bg_count: bucket.backgroundCount,
    };
    return { name: '', head, bucket };
  };
  yield* to.member(aggregation, false, partial.buckets.length, shown, isFirstYet);
}
