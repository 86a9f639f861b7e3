/**
 * `terms` and `rare_terms`: a bucket for each value of a field.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import type { BucketRenderer } from '../../render/bucket-renderer.ts';
import { keyText } from '../../render/key-text.ts';
import { valuePrinter } from '../../values/value-format.ts';
import { reduceTerms } from './reduce-terms.ts';
import { TERMS_PARTIAL, type TermsPartial } from './terms-partial.ts';
import { parseRareTerms, parseTerms, readTerms, type TermsAggregation } from './terms-request.ts';

const RESULT_TYPES = { text: 'sterms', long: 'lterms', double: 'dterms' } as const;
const CLASS_NAMES = { text: 'StringTerms', long: 'LongTerms', double: 'DoubleTerms' } as const;

export const terms: BucketKind<TermsAggregation, TermsPartial> = {
  family: 'bucket',
  kind: 'terms',
  parsers: { rare_terms: parseRareTerms, terms: parseTerms },
  read: readTerms,
  partial: TERMS_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: ({ maxDocCount }, { keyKind }) => {
    if (maxDocCount === null) return RESULT_TYPES[keyKind];
    return keyKind === 'text' ? 'srareterms' : 'lrareterms';
  },
  reduce: reduceTerms,
  render: renderTerms,
  keyText: (_, partial, { key }) => keyText(key, partial.format, partial.keyKind === 'double'),
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, CLASS_NAMES[partial.keyKind]),
};

function* renderTerms(
  aggregation: TermsAggregation,
  partial: TermsPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const printer = valuePrinter(partial.format);
  const { showsErrors } = aggregation;
  const isRare = aggregation.maxDocCount !== null;
  const about = { doc_count_error_upper_bound: partial.error, sum_other_doc_count: partial.otherDocCount };
  const isFirstYet = to.out.members(isRare ? {} : about, isFirst);
  const shown = (at: number) => {
    const bucket = partial.buckets[at] as TermsPartial['buckets'][number];
    const head = {
      key: printer.shown(bucket.key, partial.keyKind),
      key_as_string: printer.text(bucket.key) ?? undefined,
      doc_count: bucket.docCount,
      doc_count_error_upper_bound: showsErrors ? bucket.error : undefined,
    };
    return { name: '', head, bucket };
  };
  yield* to.member(aggregation, false, partial.buckets.length, shown, isFirstYet);
}
