/**
 * `children` and `parent`: one bucket, of the documents that those of the parent bucket are joined with.
 */
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import type { FiltersPartial } from '../filters/filters-partial.ts';
import { singleBucketKind } from '../filters/single-bucket.ts';
import { type JoinAggregation, parseChildren, parseParent, readJoin } from './join-request.ts';

export const join: BucketKind<JoinAggregation, FiltersPartial> = singleBucketKind({
  kind: 'join',
  parsers: { children: parseChildren, parent: parseParent },
  read: readJoin,
  resultType: ({ type }) => type,
});
