/**
 * What a shard knows of an aggregation, in a form that can be merged with what other shards know.
 *
 * Keys are what they sort by: texts, numbers, 16-byte addresses as strings of bytes. How they are shown travels with them.
 */
import { assert } from '@shoal/core';
import type { HdrSketch } from '../sketches/hdr-sketch.ts';
import type { HyperLogLog } from '../sketches/hyper-log-log.ts';
import type { TDigest } from '../sketches/t-digest.ts';

/** How a field's values are shown. */
export type ValueFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'ip' }
  | { readonly kind: 'date'; readonly format: string; readonly timeZone: string }
  /** Java's DecimalFormat. */
  | { readonly kind: 'decimal'; readonly pattern: string };

export type BucketKey = string | number | bigint;

export interface Bucket<Key> {
  readonly key: Key;
  readonly docCount: number;
  /** One a child of the aggregation, in their order. */
  readonly children: readonly PartialResult[];
}

export interface TermsBucket extends Bucket<BucketKey> {
  /** How much the count may be short; -1: not known. */
  readonly error: number;
}

export interface StatsPartial {
  readonly kind: 'stats';
  readonly format: ValueFormat;
  readonly count: number;
  readonly sum: number;
  /** Of an empty set: +Infinity and -Infinity. */
  readonly min: number;
  readonly max: number;
  readonly sumOfSquares: number;
}

export interface CardinalityPartial {
  readonly kind: 'cardinality';
  readonly sketch: HyperLogLog;
}

export interface PercentilesPartial {
  readonly kind: 'percentiles';
  readonly format: ValueFormat;
  readonly sketch: TDigest | HdrSketch;
}

export interface WeightedAveragePartial {
  readonly kind: 'weightedAverage';
  /** Of values times their weights. */
  readonly sum: number;
  readonly weight: number;
}

export type TermsKeyKind = 'text' | 'long' | 'double';

export interface TermsPartial {
  readonly kind: 'terms';
  readonly keyKind: TermsKeyKind;
  readonly format: ValueFormat;
  /** Of documents whose buckets are not among the returned. */
  readonly otherDocCount: number;
  /** Largest count that a bucket not returned may have; -1: not known. */
  readonly error: number;
  /** Shards that this was made of. */
  readonly shardCount: number;
  /** In the order of the aggregation. */
  readonly buckets: readonly TermsBucket[];
}

export interface HistogramPartial {
  readonly kind: 'histogram';
  readonly format: ValueFormat;
  /** By key, ascending. */
  readonly buckets: readonly Bucket<number>[];
}

/** Of a range: its ends as numbers. */
export interface RangeEnds {
  readonly from: number;
  readonly to: number;
}

export interface RangePartial {
  readonly kind: 'range';
  readonly format: ValueFormat;
  /** In the order of the request; ends are infinite where open. */
  readonly buckets: readonly Bucket<RangeEnds>[];
}

export interface FiltersPartial {
  readonly kind: 'filters';
  /** In the order of the filters; the one of the rest, if wanted, last. */
  readonly buckets: readonly Bucket<null>[];
}

export interface CompositePartial {
  readonly kind: 'composite';
  /** One a source. */
  readonly formats: readonly ValueFormat[];
  readonly keyKinds: readonly TermsKeyKind[];
  /** In the order of the sources; null where the document had no value. */
  readonly buckets: readonly Bucket<readonly (BucketKey | null)[]>[];
}

export type PartialResult =
  | StatsPartial
  | CardinalityPartial
  | PercentilesPartial
  | WeightedAveragePartial
  | TermsPartial
  | HistogramPartial
  | RangePartial
  | FiltersPartial
  | CompositePartial;

export const PLAIN_FORMAT: ValueFormat = { kind: 'plain' };

/** A result that belongs to an aggregation of this kind. */
export function expectKind<Kind extends PartialResult['kind']>(
  partial: PartialResult,
  kind: Kind,
): Extract<PartialResult, { kind: Kind }> {
  assert(partial.kind === kind, `a partial result of kind ${partial.kind} where ${kind} belongs`);
  return partial as Extract<PartialResult, { kind: Kind }>;
}
