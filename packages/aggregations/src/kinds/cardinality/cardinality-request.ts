/**
 * Requests of `cardinality`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface CardinalityAggregation extends AggregationNode {
  readonly kind: 'cardinality';
  readonly source: ValuesSource;
  /** Distinct values up to which the count is nearly exact; 0..40000. */
  readonly precisionThreshold: number;
}

const PRECISION_THRESHOLD_DEFAULT = 3_000;
const PRECISION_THRESHOLD_MAX = 40_000;

export const parseCardinality: AggregationParser<CardinalityAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  options.ignore('rehash', 'execution_hint');
  const given = options.integer('precision_threshold');
  if (given !== null && given < 0) {
    throw illegalArgument(
      `[precisionThreshold] must be greater than or equal to 0. Found [${given}] in [${named.name}]`,
    );
  }
  const precisionThreshold = Math.min(given ?? PRECISION_THRESHOLD_DEFAULT, PRECISION_THRESHOLD_MAX);
  return { ...named, kind: 'cardinality', source, precisionThreshold };
};

export function readCardinality(r: ValueReader, named: NamedParts): CardinalityAggregation {
  const source = readValuesSource(r.object('source'));
  const precisionThreshold = r.integer('precisionThreshold', 0, PRECISION_THRESHOLD_MAX);
  return { ...named, kind: 'cardinality', source, precisionThreshold };
}
