/**
 * `terms` and `rare_terms`: a bucket for each value of a field.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import type { BucketRenderer } from '../../render/bucket-renderer.ts';
import { keyText } from '../../render/key-text.ts';
import type { Members } from '../../render/members.ts';
import { valuePrinter } from '../../values/value-format.ts';
import { reduceTerms } from './reduce-terms.ts';
import type { TermsLimits } from './terms-limits.ts';
import type { TermsList } from './terms-list.ts';
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

interface ErrorMembers {
  /** Members of the result. */
  readonly list: Members;
  ofBucket(bucket: { readonly error: number }): Members;
}

/** What an answer says of counts that may be wrong. */
export function errorMembers(
  { showsErrors }: TermsLimits,
  { error, otherDocCount }: Pick<TermsList<unknown>, 'error' | 'otherDocCount'>,
): ErrorMembers {
  return {
    list: { doc_count_error_upper_bound: error, sum_other_doc_count: otherDocCount },
    ofBucket: (bucket) => (showsErrors ? { doc_count_error_upper_bound: bucket.error } : {}),
  };
}

function* renderTerms(
  aggregation: TermsAggregation,
  partial: TermsPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const printer = valuePrinter(partial.format);
  const { list, ofBucket } = errorMembers(aggregation, partial);
  const isFirstYet = to.out.members(aggregation.maxDocCount === null ? list : {}, isFirst);
  const shown = (at: number) => {
    const bucket = partial.buckets[at] as TermsPartial['buckets'][number];
    const head = {
      key: printer.shown(bucket.key, partial.keyKind),
      key_as_string: printer.text(bucket.key) ?? undefined,
      doc_count: bucket.docCount,
      ...ofBucket(bucket),
    };
    return { name: '', head, bucket };
  };
  yield* to.member(aggregation, false, partial.buckets.length, shown, isFirstYet);
}
