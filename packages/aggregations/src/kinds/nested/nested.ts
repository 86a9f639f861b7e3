/**
 * `nested` and `reverse_nested`: one bucket, of the documents inside those of the parent, or around them.
 */
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import type { FiltersPartial } from '../filters/filters-partial.ts';
import { singleBucketKind } from '../filters/single-bucket.ts';
import { type NestedAggregation, parseNested, parseReverseNested, readNested } from './nested-request.ts';

export const nested: BucketKind<NestedAggregation, FiltersPartial> = singleBucketKind({
  kind: 'nested',
  parsers: { nested: parseNested, reverse_nested: parseReverseNested },
  read: readNested,
  resultType: ({ type }) => type,
});
