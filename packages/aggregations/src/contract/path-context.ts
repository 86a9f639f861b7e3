/**
 * Paths of pipelines through results: what the kinds on the way ask of each other, and how they refuse.
 */
import { illegalArgument } from '@shoal/core';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { FinishedBucket } from '../tree/finished-level.ts';
import type { BucketedPartial } from '../tree/partial-node.ts';

export interface PathContext {
  /** The number that a path names in a bucket. @throws ShoalError where it names none */
  numberIn(children: readonly AggregationNode[], bucket: FinishedBucket, path: readonly string[]): number;
}

/** @throws ShoalError unless the path asks for the count of buckets: no other number is in a list of them */
export function severalBuckets(
  { name }: AggregationNode,
  { buckets }: BucketedPartial,
  path: readonly string[],
  className: string,
): number {
  if (path[0] === '_bucket_count') return buckets.length;
  const found = path.length > 0 ? 'Object[]' : className;
  throw illegalArgument(
    `buckets_path must reference either a number value or a single value numeric metric aggregation, got: [${found}] at aggregation [${name}]`,
  );
}

/** 400: a path must name one of several values. */
export function severalValues(name: string): Error {
  return illegalArgument(
    `buckets_path must reference either a number value or a single value numeric metric aggregation, but [${name}] contains multiple values. Please specify which to use.`,
  );
}
