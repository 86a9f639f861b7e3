/**
 * Partial result of the stats: count, sums and extremes, from which all their values follow.
 */

import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { KahanSum } from '../../values/kahan-sum.ts';
import { formatOf, type ValueFormat } from '../../values/value-format.ts';
import { readFormat, writeFormat } from '../../wire/value-codec.ts';

export interface StatsPartial extends PartialNode {
  readonly kind: 'stats';
  readonly format: ValueFormat;
  readonly count: number;
  readonly sum: number;
  /** +Infinity without values. */
  readonly min: number;
  /** -Infinity without values. */
  readonly max: number;
  readonly sumOfSquares: number;
}

export const STATS_PARTIAL: LeafPartialKind<StatsPartial> = {
  family: 'leaf',
  kind: 'stats',
  units: 0.2,
  write: (sink, partial) => {
    writeFormat(sink, partial.format);
    sink.f64(partial.count);
    sink.f64(partial.sum);
    sink.f64(partial.min);
    sink.f64(partial.max);
    sink.f64(partial.sumOfSquares);
  },
  read: (from) => {
    const format = readFormat(from);
    const [count, sum, min, max, sumOfSquares] = [from.f64(), from.f64(), from.f64(), from.f64(), from.f64()];
    return { kind: 'stats', format, count, sum, min, max, sumOfSquares };
  },
  emptied: (partial) => ({
    ...partial,
    count: 0,
    sum: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    sumOfSquares: 0,
  }),
};

export function mergeStats(partials: readonly StatsPartial[]): StatsPartial {
  let [count, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const sum = new KahanSum();
  const sumOfSquares = new KahanSum();
  for (const partial of partials) {
    count += partial.count;
    min = Math.min(min, partial.min);
    max = Math.max(max, partial.max);
    sum.add(partial.sum);
    sumOfSquares.add(partial.sumOfSquares);
  }
  const format = formatOf(partials);
  return { kind: 'stats', format, count, sum: sum.value, min, max, sumOfSquares: sumOfSquares.value };
}
