/**
 * `boxplot`: the least and the largest value, and the three between quarters of the values, of the same sketch as percentiles.
 */
import { DoubleNumber, illegalArgument } from '@shoal/core';
import type { Members } from '../../render/members.ts';
import { TDigest } from '../../sketches/t-digest.ts';
import { valuePrinter } from '../../values/value-format.ts';
import type { PercentilesPartial } from './percentiles-partial.ts';

const BOXPLOT_METRICS = ['min', 'max', 'q1', 'q2', 'q3', 'lower', 'upper'] as const;
/** Whiskers reach as far as values do that are no further from the box than this many of its heights (Tukey, 1977). */
const WHISKER_BOXES = 1.5;
type BoxplotMetric = (typeof BOXPLOT_METRICS)[number];

export function isBoxplotMetric(name: string): name is BoxplotMetric {
  return (BOXPLOT_METRICS as readonly string[]).includes(name);
}

/** Without values the least is +Infinity, the largest -Infinity, and the others are NaN. @throws ShoalError for another name */
export function boxplotValue({ sketch }: PercentilesPartial, metric: string): number {
  if (!isBoxplotMetric(metric)) throw illegalArgument(`Unknown value [${metric}] in boxplot aggregation`);
  const isEmpty = Number.isNaN(sketch.quantile(0.5));
  switch (metric) {
    case 'min':
      return isEmpty ? Number.POSITIVE_INFINITY : sketch instanceof TDigest ? sketch.min : sketch.quantile(0);
    case 'max':
      return isEmpty ? Number.NEGATIVE_INFINITY : sketch instanceof TDigest ? sketch.max : sketch.quantile(1);
    case 'q1':
      return sketch.quantile(0.25);
    case 'q2':
      return sketch.quantile(0.5);
    case 'q3':
      return sketch.quantile(0.75);
    case 'lower':
    case 'upper':
      return whiskers(sketch)[metric];
  }
}

/** Ends of the whiskers: of the clusters of values within their reach, the outermost means; NaN without values. */
function whiskers(sketch: PercentilesPartial['sketch']): { readonly lower: number; readonly upper: number } {
  const [q1, q3] = [sketch.quantile(0.25), sketch.quantile(0.75)];
  const reach = WHISKER_BOXES * (q3 - q1);
  if (!(sketch instanceof TDigest)) {
    return { lower: Math.max(sketch.quantile(0), q1 - reach), upper: Math.min(sketch.quantile(1), q3 + reach) };
  }
  const { means } = sketch.clusters();
  return {
    lower: means.find((mean) => mean >= q1 - reach) ?? Number.NaN,
    upper: means.findLast((mean) => mean <= q3 + reach) ?? Number.NaN,
  };
}

export function renderBoxplot(partial: PercentilesPartial): Members {
  const printer = valuePrinter(partial.format);
  const members: Record<string, unknown> = {};
  for (const metric of BOXPLOT_METRICS) members[metric] = shown(boxplotValue(partial, metric));
  for (const metric of BOXPLOT_METRICS) {
    const value = boxplotValue(partial, metric);
    members[`${metric}_as_string`] = Number.isFinite(value) ? (printer.text(value) ?? undefined) : undefined;
  }
  return members;
}

/** Java writes what is no finite number as a text. */
function shown(value: number): unknown {
  return Number.isFinite(value) ? new DoubleNumber(value) : String(value);
}
