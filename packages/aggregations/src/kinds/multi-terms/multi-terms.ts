/**
 * `multi_terms`: a bucket for each combination of values of several fields, the most frequent first.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import type { ReduceContext } from '../../contract/reduce-context.ts';
import type { BucketRenderer } from '../../render/bucket-renderer.ts';
import type { KeyTuple } from '../../values/key-tuple.ts';
import { formatOf, valuePrinter } from '../../values/value-format.ts';
import type { KeyShape } from '../../wire/value-codec.ts';
import { commonKind } from '../terms/common-kind.ts';
import { mergeTerms, TUPLE_KEYS } from '../terms/reduce-terms.ts';
import { errorMembers } from '../terms/terms.ts';
import { MULTI_TERMS_PARTIAL, type MultiTermsPartial } from './multi-terms-partial.ts';
import { type MultiTermsAggregation, parseMultiTerms, readMultiTerms } from './multi-terms-request.ts';

export const multiTerms: BucketKind<MultiTermsAggregation, MultiTermsPartial> = {
  family: 'bucket',
  kind: 'multiTerms',
  parsers: { multi_terms: parseMultiTerms },
  read: readMultiTerms,
  partial: MULTI_TERMS_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: () => 'multi_terms',
  reduce: reduceMultiTerms,
  render: renderMultiTerms,
  keyText: (_, { shapes }, { key }) => (Array.isArray(key) ? tuplePrinter(shapes)(key).text : ''),
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, 'InternalMultiTerms'),
};

function* reduceMultiTerms(
  aggregation: MultiTermsAggregation,
  partials: readonly MultiTermsPartial[],
  context: ReduceContext,
): Steps<MultiTermsPartial> {
  const shapes = aggregation.sources.map((_, at): KeyShape => {
    const own = partials.flatMap(({ shapes: all, buckets }) => {
      const shape = all[at];
      return shape === undefined ? [] : [{ ...shape, buckets }];
    });
    const field = `the field in position ${at + 1} you gave`;
    return { keyKind: commonKind(aggregation, own, field), format: formatOf(own) };
  });
  return { kind: 'multiTerms', shapes, ...(yield* mergeTerms(aggregation, partials, TUPLE_KEYS, context)) };
}

interface PrintedTuple {
  readonly values: readonly unknown[];
  readonly text: string;
}

/** Prints tuples as lists and as texts. */
function tuplePrinter(shapes: readonly KeyShape[]): (tuple: KeyTuple) => PrintedTuple {
  const printers = shapes.map(({ keyKind, format }) => ({ keyKind, format, printer: valuePrinter(format) }));
  return (tuple) => {
    const values = tuple.map((value, at) => {
      const found = printers[at];
      if (found === undefined) return value;
      const { format, printer, keyKind } = found;
      if (format.kind === 'boolean') return Number(value) !== 0;
      return printer.text(value) ?? printer.shown(value, keyKind);
    });
    return { values, text: values.join('|') };
  };
}

function* renderMultiTerms(
  aggregation: MultiTermsAggregation,
  partial: MultiTermsPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const printed = tuplePrinter(partial.shapes);
  const { list, ofBucket } = errorMembers(aggregation, partial);
  const isFirstYet = to.out.members(list, isFirst);
  const shown = (at: number) => {
    const bucket = partial.buckets[at] as MultiTermsPartial['buckets'][number];
    const { values, text } = printed(bucket.key);
    const head = { key: values, key_as_string: text, doc_count: bucket.docCount, ...ofBucket(bucket) };
    return { name: '', head, bucket };
  };
  yield* to.member(aggregation, false, partial.buckets.length, shown, isFirstYet);
}
