/**
 * Partial results: what a shard knows of an aggregation, in a form that merges with what other shards know.
 *
 * Keys are what buckets sort by; how they are shown travels with them. Each kind extends the node with its own values.
 */
import { assert } from '@shoal/core';

export interface PartialNode {
  readonly kind: string;
}

export interface Bucket<Key> {
  readonly key: Key;
  readonly docCount: number;
  /** One partial result a child of the aggregation, in their order. */
  readonly children: readonly PartialNode[];
}

export interface BucketedPartial extends PartialNode {
  readonly buckets: readonly Bucket<unknown>[];
}

export function isBucketed(partial: PartialNode): partial is BucketedPartial {
  return 'buckets' in partial;
}

/** @throws AssertionFailure for a result without buckets */
export function asBucketed(partial: PartialNode): BucketedPartial {
  assert(isBucketed(partial), `a partial result of kind ${partial.kind} without buckets`);
  return partial;
}
