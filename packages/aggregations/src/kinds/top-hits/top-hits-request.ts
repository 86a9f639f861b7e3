/**
 * Requests of `top_hits`.
 */
import type { ValueReader } from '@shoal/core';
import { type HitOptions, parseTopHitOptions, readTopHitOptions } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface TopHitsAggregation extends AggregationNode {
  readonly kind: 'topHits';
  readonly hits: HitOptions;
}

export const parseTopHits: AggregationParser<TopHitsAggregation> = (named, options) => {
  const hits = parseTopHitOptions(options.node, named.name);
  for (const { name } of options.node.members) options.take(name);
  return { ...named, kind: 'topHits', hits };
};

export function readTopHits(r: ValueReader, named: NamedParts): TopHitsAggregation {
  return { ...named, kind: 'topHits', hits: readTopHitOptions(r.object('hits')) };
}
