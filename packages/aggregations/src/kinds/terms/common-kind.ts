/**
 * Kind of the keys of results that are merged: shards without buckets have no say.
 */
import { illegalArgument } from '@shoal/core';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { BucketedPartial } from '../../tree/partial-node.ts';
import type { KeyKind } from '../../values/bucket-key.ts';

interface KeyedPartial extends Pick<BucketedPartial, 'buckets'> {
  readonly keyKind: KeyKind;
}

/** @param field words for the field in the error @throws ShoalError for texts and numbers */
export function commonKind(
  { name }: AggregationNode,
  partials: readonly KeyedPartial[],
  field = 'the field you gave',
): KeyKind {
  const kinds = new Set(partials.filter(({ buckets }) => buckets.length > 0).map(({ keyKind }) => keyKind));
  const [first] = kinds;
  if (kinds.size <= 1) return first ?? partials.find(({ keyKind }) => keyKind !== 'text')?.keyKind ?? 'text';
  if (!kinds.has('text')) return 'double';
  throw illegalArgument(
    `Merging/Reducing the aggregations failed when computing the aggregation [${name}] because ${field} in the aggregation query existed as two different types in two different indices`,
  );
}
