/**
 * Requests of `stats`, `extended_stats`, and of one of their values alone.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { shownNumber } from '../../request/number-options.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export const STATS_TYPES = ['min', 'max', 'sum', 'avg', 'value_count', 'stats', 'extended_stats'] as const;
export type StatsType = (typeof STATS_TYPES)[number];

export interface StatsAggregation extends AggregationNode {
  readonly kind: 'stats';
  readonly type: StatsType;
  readonly source: ValuesSource;
  /** Standard deviations of the bounds of `extended_stats`. */
  readonly sigma: number;
}

const SIGMA_DEFAULT = 2;

export function statsParser(type: StatsType): AggregationParser<StatsAggregation> {
  return (named, options) => {
    const source = parseValuesSource(options);
    const sigma = type === 'extended_stats' ? (options.number('sigma') ?? SIGMA_DEFAULT) : SIGMA_DEFAULT;
    if (sigma < 0)
      throw illegalArgument(
        `[sigma] must be greater than or equal to 0. Found [${shownNumber(sigma)}] in [${named.name}]`,
      );
    return { ...named, kind: 'stats', type, source, sigma };
  };
}

export function readStats(r: ValueReader, named: NamedParts): StatsAggregation {
  const sigma = r.number('sigma');
  if (sigma < 0) r.refuse('sigma', 'at least 0');
  const [type, source] = [r.oneOf('type', STATS_TYPES), readValuesSource(r.object('source'))];
  return { ...named, kind: 'stats', type, source, sigma };
}
