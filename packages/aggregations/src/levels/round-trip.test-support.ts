/** Requests and results of aggregations, as they are parsed and as they come out of messages. */
import { type JsonObjectNode, parseJsonTree, ValueReader } from '@shoal/core';
import type { AggregationLevel } from '../tree/aggregation-node.ts';
import type { PartialNode } from '../tree/partial-node.ts';
import { parseAggregations } from './parse-aggregations.ts';
import { readPartials, writePartials } from './partial-codec.ts';
import { readAggregations } from './read-aggregations.ts';

export function parseAggs(aggs: unknown): AggregationLevel {
  return parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
}

/** The request as another node reads it. */
export function resent(level: AggregationLevel): AggregationLevel {
  return readAggregations(ValueReader.of(structuredClone(level)));
}

/** The results as another node reads them. */
export function reread(partials: readonly PartialNode[]): readonly PartialNode[] {
  return readPartials(writePartials(partials));
}
