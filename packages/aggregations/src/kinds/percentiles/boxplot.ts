/**
 * `boxplot`: the least and the largest value, and the three between quarters of the values, of the same sketch as percentiles.
 */
import { DoubleNumber, illegalArgument } from '@shoal/core';
import type { Members } from '../../render/members.ts';
import { TDigest } from '../../sketches/t-digest.ts';
import { valuePrinter } from '../../values/value-format.ts';
import type { PercentilesPartial } from './percentiles-partial.ts';

const BOXPLOT_METRICS = ['min', 'max', 'q1', 'q2', 'q3'] as const;
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
  }
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
