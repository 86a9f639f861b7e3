/**
 * Counts the aggregations of requests by their type and the type of the values that they are over, as `_nodes/usage` shows them.
 */

import { type AggregationNode, declaredKind, isAggregation, type SourceType, sourceTypesOf } from '@shoal/aggregations';
import { assert } from '@shoal/core';
import type { ExistsQuery, QueryNode } from '@shoal/query';
import type { FieldKind, Mapping } from '@shoal/schema';
import type { NameCounts } from '@shoal/shard-api';
import { fieldType } from '../../../field-types/field-types.ts';

/** Types whose values are no plain bytes or numbers. */
const KINDS: ReadonlyMap<FieldKind, SourceType> = new Map<FieldKind, SourceType>([
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['date_nanos', 'date'],
  ['geo_point', 'geopoint'],
  ['geo_shape', 'geo_shape'],
  ['ip', 'ip'],
]);

/** Counts every aggregation once, under its type and that of its values with a colon between. */
export function countUsage(usage: NameCounts, mapping: Mapping, aggregations: readonly AggregationNode[]): void {
  for (const aggregation of aggregations) {
    usage.add(`${aggregation.type}:${sourceType(mapping, aggregation)}`);
    countUsage(usage, mapping, aggregation.children);
  }
}

function sourceType(mapping: Mapping, aggregation: AggregationNode): SourceType {
  const [unmapped] = sourceTypesOf(aggregation.type);
  assert(unmapped !== undefined, `an aggregation of the type [${aggregation.type}] is over no values`);
  if (unmapped === 'other') return unmapped;
  const { field, valueType } = valuesOf(aggregation);
  const kind = mapping.field(field)?.kind ?? declaredKind(valueType);
  return kind === null ? unmapped : typeOfKind(kind);
}

interface NamedValues {
  /** Empty where a script alone makes the values. */
  readonly field: string;
  readonly valueType: string | null;
}

const UNNAMED: NamedValues = { field: '', valueType: null };

function valuesOf(aggregation: AggregationNode): NamedValues {
  assert(isAggregation(aggregation), `no aggregation is of kind ${aggregation.kind}`);
  if ('source' in aggregation) return aggregation.source ?? UNNAMED;
  if (aggregation.kind === 'sampler') return aggregation.diversity?.source ?? UNNAMED;
  if (aggregation.kind !== 'filters' || aggregation.type !== 'missing') return UNNAMED;
  const query = aggregation.filters[0]?.query;
  const absent = query?.kind === 'bool' ? query.mustNot[0] : undefined;
  return absent !== undefined && isExists(absent) ? { ...UNNAMED, field: absent.field } : UNNAMED;
}

function isExists(query: QueryNode): query is ExistsQuery {
  return query.kind === 'exists';
}

function typeOfKind(kind: FieldKind): SourceType {
  const known = KINDS.get(kind);
  if (known !== undefined) return known;
  const { keyKind, ranges } = fieldType(kind).aggregation;
  if (ranges !== undefined) return 'range';
  return keyKind === 'text' ? 'bytes' : 'numeric';
}
