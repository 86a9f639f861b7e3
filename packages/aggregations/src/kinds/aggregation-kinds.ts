/**
 * Look-up of kinds, and the unions of their requests and partial results. A kind that lacks a part does not compile.
 */
import { assert } from '@shoal/core';
import type { AggregationKind, PartialOf, RequestOf } from '../contract/aggregation-kind.ts';
import type { AggregationParser } from '../contract/aggregation-parser.ts';
import type { PartialKind } from '../contract/partial-kind.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import { asBucketed, type BucketedPartial, type PartialNode } from '../tree/partial-node.ts';
import * as registry from './registry.ts';

type Registered = (typeof registry)[keyof typeof registry];

/** Request of any kind. */
export type Aggregation = RequestOf<Registered>;
/** Partial result of any kind. */
export type PartialResult = PartialOf<Registered>;

const KINDS: readonly AggregationKind[] = Object.values(registry);
const BY_NAME: ReadonlyMap<string, AggregationKind> = new Map(KINDS.map((kind) => [kind.kind, kind]));

/** Kinds of partial results by their number on the wire. All nodes of a cluster that share shards have one version. */
export const PARTIAL_KINDS: readonly PartialKind[] = [...new Set(KINDS.map(({ partial }) => partial))];

const PARTIALS_BY_NAME: ReadonlyMap<string, PartialKind> = new Map(PARTIAL_KINDS.map((kind) => [kind.kind, kind]));

export function partialKindOf({ kind }: PartialNode): PartialKind {
  const found = PARTIALS_BY_NAME.get(kind);
  assert(found, `no kind [${kind}] of partial results is registered`);
  return found;
}

/** A type of a request with its kind's parser. */
export interface RegisteredType {
  readonly kind: AggregationKind;
  readonly parse: AggregationParser<AggregationNode>;
}

/** Types of aggregations by the names that requests give them. */
export const AGGREGATION_TYPES: ReadonlyMap<string, RegisteredType> = new Map(
  KINDS.flatMap((kind) => Object.entries(kind.parsers).map(([type, parse]) => [type, { kind, parse }] as const)),
);

export function kindNamed(name: string): AggregationKind | null {
  return BY_NAME.get(name) ?? null;
}

export function kindOf({ kind, name }: AggregationNode): AggregationKind {
  const found = BY_NAME.get(kind);
  assert(found, `no kind [${kind}] of aggregation [${name}] is registered`);
  return found;
}

/** True for a request of a registered kind, which all requests are that were parsed or read. */
export function isAggregation(node: AggregationNode): node is Aggregation {
  return BY_NAME.has(node.kind);
}

/** @throws AssertionFailure for a result of another kind: shards and coordinator act on the same request */
export function assertResult(kind: AggregationKind, partial: PartialNode): void {
  assert(
    partial.kind === kind.partial.kind,
    `a partial result of kind ${partial.kind} where ${kind.partial.kind} belongs`,
  );
}

/** @throws AssertionFailure for a result of another kind */
export function bucketedResult(kind: AggregationKind, partial: PartialNode): BucketedPartial {
  assertResult(kind, partial);
  return asBucketed(partial);
}
