/**
 * `t_test`: how likely two means as different as those found would be if nothing but chance set them apart.
 */
import type { ByteSink, ByteSource } from '@shoal/core';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import { shownDouble } from '../../render/members.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { printDecimal } from '../../values/decimal-pattern.ts';
import { KahanSum } from '../../values/kahan-sum.ts';
import { readChoice } from '../../wire/wire-list.ts';
import { studentTail } from './student-distribution.ts';
import { parseTTest, readTTest, type TTestAggregation } from './t-test-request.ts';

/** What is known of a population. */
export interface Moments {
  readonly count: number;
  readonly sum: number;
  readonly sumOfSquares: number;
}

export interface TTestPartial extends PartialNode {
  readonly kind: 'tTest';
  readonly testType: TTestAggregation['testType'];
  readonly tails: number;
  /** Differences between the values of documents, where these are paired. */
  readonly a: Moments;
  /** Without values where these are paired. */
  readonly b: Moments;
}

const TYPES: readonly TTestAggregation['testType'][] = ['paired', 'homoscedastic', 'heteroscedastic'];
const NO_VALUES: Moments = { count: 0, sum: 0, sumOfSquares: 0 };

const T_TEST_PARTIAL: LeafPartialKind<TTestPartial> = {
  family: 'leaf',
  kind: 'tTest',
  units: 0.5,
  write: (sink, { testType, tails, a, b }) => {
    sink.u8(TYPES.indexOf(testType));
    sink.u8(tails);
    for (const moments of [a, b]) writeMoments(sink, moments);
  },
  read: (from) => {
    const [testType, tails] = [readChoice(from, TYPES), from.u8()];
    return { kind: 'tTest', testType, tails, a: readMoments(from), b: readMoments(from) };
  },
  emptied: (partial) => ({ ...partial, a: NO_VALUES, b: NO_VALUES }),
};

function writeMoments(sink: ByteSink, { count, sum, sumOfSquares }: Moments): void {
  for (const number of [count, sum, sumOfSquares]) sink.f64(number);
}

function readMoments(from: ByteSource): Moments {
  return { count: from.f64(), sum: from.f64(), sumOfSquares: from.f64() };
}

export const tTest: MetricKind<TTestAggregation, TTestPartial> = {
  family: 'metric',
  kind: 'tTest',
  parsers: { t_test: parseTTest },
  read: readTTest,
  partial: T_TEST_PARTIAL,
  reduceUnits: 0.2,
  isWholeAlone: true,
  resultType: () => 't_test',
  reduce: ({ testType, tails }, partials) => ({
    kind: 'tTest',
    testType,
    tails,
    a: added(partials.map(({ a }) => a)),
    b: added(partials.map(({ b }) => b)),
  }),
  members: ({ format }, partial) => {
    const value = probability(partial);
    const text = format === null || Number.isNaN(value) ? undefined : printDecimal(value, format);
    return { value: shownDouble(value), value_as_string: text };
  },
  orderMetric: () => 'value',
  orderNumber: probability,
  pathNumber: (_, partial) => probability(partial),
};

function added(parts: readonly Moments[]): Moments {
  const [sum, sumOfSquares] = [new KahanSum(), new KahanSum()];
  let count = 0;
  for (const part of parts) {
    count += part.count;
    sum.add(part.sum);
    sumOfSquares.add(part.sumOfSquares);
  }
  return { count, sum: sum.value, sumOfSquares: sumOfSquares.value };
}

/** NaN where there are too few values to tell. */
function probability({ testType, tails, a, b }: TTestPartial): number {
  if (testType === 'paired') return tails * pairedTail(a);
  if (a.count < 2 || b.count < 2) return Number.NaN;
  const difference = a.sum / a.count - b.sum / b.count;
  if (testType === 'homoscedastic') {
    const degrees = a.count + b.count - 2;
    const pooled = (variance(a) * (a.count - 1) + variance(b) * (b.count - 1)) / degrees;
    return tails * studentTail(difference / Math.sqrt(pooled * (1 / a.count + 1 / b.count)), degrees);
  }
  // Degrees of freedom of B. L. Welch (1947).
  const [ofA, ofB] = [variance(a) / a.count, variance(b) / b.count];
  const degrees = (ofA + ofB) ** 2 / (ofA ** 2 / (a.count - 1) + ofB ** 2 / (b.count - 1));
  return tails * studentTail(difference / Math.sqrt(ofA + ofB), degrees);
}

function pairedTail({ count, sum, sumOfSquares }: Moments): number {
  if (count < 2) return Number.NaN;
  const mean = sum / count;
  const spread = (sumOfSquares - (sum * sum) / count) / count;
  if (spread <= 0) return mean === 0 ? Number.NaN : 0;
  return studentTail(mean / Math.sqrt(spread / (count - 1)), count - 1);
}

/** Unbiased; rounding makes it never less than 0. */
function variance({ count, sum, sumOfSquares }: Moments): number {
  return Math.max(0, (sumOfSquares - (sum * sum) / count) / (count - 1));
}
