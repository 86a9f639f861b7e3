/**
 * `rate`: what falls in an interval of time, for each unit of it.
 */
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import { shownDouble } from '../../render/members.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { printDecimal } from '../../values/decimal-pattern.ts';
import { KahanSum } from '../../values/kahan-sum.ts';
import { checkRateParents } from './rate-intervals.ts';
import { parseRate, type RateAggregation, readRate } from './rate-request.ts';

export interface RatePartial extends PartialNode {
  readonly kind: 'rate';
  readonly sum: number;
  /** Units in the interval around it; 0 until that is known, and where nothing was counted. */
  readonly units: number;
}

const RATE_PARTIAL: LeafPartialKind<RatePartial> = {
  family: 'leaf',
  kind: 'rate',
  units: 0.2,
  write: (sink, { sum, units }) => {
    sink.f64(sum);
    sink.f64(units);
  },
  read: (from) => ({ kind: 'rate', sum: from.f64(), units: from.f64() }),
  emptied: () => ({ kind: 'rate', sum: 0, units: 0 }),
};

export const rate: MetricKind<RateAggregation, RatePartial> = {
  family: 'metric',
  kind: 'rate',
  parsers: { rate: parseRate },
  read: readRate,
  partial: RATE_PARTIAL,
  reduceUnits: 0.1,
  isWholeAlone: true,
  checkParents: checkRateParents,
  resultType: () => 'rate',
  reduce: (_, partials) => {
    const sum = new KahanSum();
    for (const partial of partials) sum.add(partial.sum);
    return { kind: 'rate', sum: sum.value, units: Math.max(...partials.map(({ units }) => units)) };
  },
  members: ({ format }, partial) => {
    const value = perUnit(partial);
    return { value: shownDouble(value), value_as_string: format === null ? undefined : printDecimal(value, format) };
  },
  orderMetric: () => 'value',
  orderNumber: perUnit,
  pathNumber: (_, partial) => perUnit(partial),
};

function perUnit({ sum, units }: RatePartial): number {
  return units === 0 ? 0 : sum / units;
}
