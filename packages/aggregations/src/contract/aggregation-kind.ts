/**
 * What each kind of aggregation brings: parsers of its types, the reader of its request in a message, its partial result, and how
 * that is reduced and rendered.
 *
 * The functions are methods, so that kinds can stand in one list. The lookup by kind guarantees that each is given only its own
 * requests and results.
 */
import type { Steps, ValueReader } from '@shoal/core';
import type { BucketRenderer } from '../render/bucket-renderer.ts';
import type { AggregationNode, NamedParts } from '../tree/aggregation-node.ts';
import type { FinishedBucket } from '../tree/finished-level.ts';
import type { BucketedPartial, PartialNode } from '../tree/partial-node.ts';
import type { AggregationParser } from './aggregation-parser.ts';
import type { BucketedPartialKind, LeafPartialKind } from './partial-kind.ts';
import type { PathContext } from './path-context.ts';
import type { ReduceContext } from './reduce-context.ts';

interface KindParts<A extends AggregationNode, P extends PartialNode> {
  readonly kind: A['kind'];
  /** Types of this kind in requests, each with its parser. */
  readonly parsers: Readonly<Record<string, AggregationParser<A>>>;
  /** Reads a request that another node sent. @throws ShoalError for what no parser gives */
  read(r: ValueReader, named: NamedParts): A;
  /** Type of the result, which `typed_keys` puts before its name. */
  resultType(aggregation: A, partial: P): string;
  /** The number that the rest of a pipeline's path names in a result. @throws ShoalError where it names none */
  pathNumber(aggregation: A, partial: P, path: readonly string[], context: PathContext): number;
}

/** Values of documents, without buckets and so without children. */
export interface MetricKind<A extends AggregationNode, P extends PartialNode> extends KindParts<A, P> {
  readonly family: 'metric';
  readonly partial: LeafPartialKind<P>;
  /** Microseconds that the result of one more shard costs to merge, about. */
  readonly reduceUnits: number;
  /** True where the result of one shard alone needs no reduce. */
  readonly isWholeAlone: boolean;
  /** Refuses places of the request where the metric may not be; left out where it may be anywhere. @throws ShoalError */
  checkParents?(aggregation: A, parents: readonly AggregationNode[]): void;
  reduce(aggregation: A, partials: readonly P[]): P;
  /** Members of the result in the answer. */
  members(aggregation: A, partial: P): Readonly<Record<string, unknown>>;
  /**
   * The metric that buckets are ordered by.
   *
   * @param named what the path names behind the aggregation; null: nothing
   * @throws ShoalError where this is no number
   */
  orderMetric(aggregation: A, named: string | null, path: string): string;
  /** Value of a metric that `orderMetric` gave; NaN where there are no values. */
  orderNumber(partial: P, metric: string): number;
}

/** Documents sorted into buckets. */
export interface BucketKind<A extends AggregationNode, P extends BucketedPartial> extends KindParts<A, P> {
  readonly family: 'bucket';
  readonly partial: BucketedPartialKind<P>;
  /** Buckets follow each other at intervals: pipelines may compare neighbours. */
  readonly isSequence: boolean;
  /** Key of the bucket behind one with the given key; left out where buckets do not follow each other at intervals that are known. */
  nextKey?(aggregation: A, key: number): number;
  /** The buckets are several, also where a request happens to make one. */
  hasSeveralBuckets(aggregation: A): boolean;
  /** An order of buckets may go through the first bucket, or count its documents. */
  isOrderStep(aggregation: A): boolean;
  /** @param parents the aggregations around it, the outermost first. @throws ShoalError for a type that may not be in them */
  checkParents(aggregation: A, parents: readonly AggregationNode[]): void;
  reduce(aggregation: A, partials: readonly P[], context: ReduceContext): Steps<P>;
  /** Renders the members of the result; `isFirst`: nothing was written before them. */
  render(aggregation: A, partial: P, to: BucketRenderer, isFirst: boolean): Steps<void>;
  /** Key of a bucket as text. */
  keyText(aggregation: A, partial: P, bucket: FinishedBucket, position: number): string;
}

export type AggregationKind = MetricKind<AggregationNode, PartialNode> | BucketKind<AggregationNode, BucketedPartial>;

/** Request of a kind. */
export type RequestOf<Kind extends AggregationKind> = ReturnType<Kind['read']>;

/** Partial result of a kind. */
export type PartialOf<Kind extends AggregationKind> = ReturnType<Kind['partial']['emptied']>;
