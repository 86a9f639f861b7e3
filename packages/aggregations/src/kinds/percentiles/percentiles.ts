/**
 * `percentiles`, `percentile_ranks`, `median_absolute_deviation` and `boxplot`: all are read from a sketch of the values' distribution.
 */
import { DoubleNumber } from '@shoal/core';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import { SKETCH_UNITS } from '../../contract/partial-kind.ts';
import { severalValues } from '../../contract/path-context.ts';
import { type Members, shownDouble } from '../../render/members.ts';
import { invalidOrderPath } from '../../request/bucket-order.ts';
import { HdrSketch } from '../../sketches/hdr-sketch.ts';
import { TDigest } from '../../sketches/t-digest.ts';
import { formatOf, valuePrinter } from '../../values/value-format.ts';
import { boxplotValue, isBoxplotMetric, renderBoxplot } from './boxplot.ts';
import { medianDeviation } from './median-deviation.ts';
import { PERCENTILES_PARTIAL, type PercentilesPartial } from './percentiles-partial.ts';
import {
  BOXPLOT,
  MEDIAN_DEVIATION,
  type PercentilesAggregation,
  parseBoxplot,
  parseMedianDeviation,
  parsePercentileRanks,
  parsePercentiles,
  readPercentiles,
} from './percentiles-request.ts';

export const percentiles: MetricKind<PercentilesAggregation, PercentilesPartial> = {
  family: 'metric',
  kind: 'percentiles',
  parsers: {
    boxplot: parseBoxplot,
    median_absolute_deviation: parseMedianDeviation,
    percentile_ranks: parsePercentileRanks,
    percentiles: parsePercentiles,
  },
  read: readPercentiles,
  partial: PERCENTILES_PARTIAL,
  reduceUnits: SKETCH_UNITS,
  // The digest of one shard is compressed once more, as those of several shards are.
  isWholeAlone: false,
  resultType: ({ type, method }) => (type === MEDIAN_DEVIATION || type === BOXPLOT ? type : `${method.kind}_${type}`),
  reduce: ({ method }, partials) => {
    const format = formatOf(partials);
    if (method.kind === 'hdr') {
      const sketch = new HdrSketch(method.digits);
      for (const partial of partials) if (partial.sketch instanceof HdrSketch) sketch.merge(partial.sketch);
      return { kind: 'percentiles', format, sketch };
    }
    const sketch = new TDigest(method.compression);
    for (const partial of partials) if (partial.sketch instanceof TDigest) sketch.merge(partial.sketch);
    return { kind: 'percentiles', format, sketch };
  },
  members: renderPercentiles,
  orderMetric: ({ type, name }, named, path) => {
    if (type === MEDIAN_DEVIATION) return MEDIAN_DEVIATION;
    if (named === null) throw invalidOrderPath(path, `The aggregation [${name}] is not a metric.`);
    if (type === BOXPLOT && !isBoxplotMetric(named)) throw invalidOrderPath(path, `[${name}] has no [${named}].`);
    return named;
  },
  orderNumber: (partial, metric) => {
    if (metric === MEDIAN_DEVIATION) return medianDeviation(partial);
    return isBoxplotMetric(metric) ? boxplotValue(partial, metric) : partial.sketch.quantile(Number(metric) / 100);
  },
  pathNumber: ({ type, name }, partial, [metric]) => {
    if (type === MEDIAN_DEVIATION) return medianDeviation(partial);
    if (metric === undefined) throw severalValues(name);
    if (type === BOXPLOT) return boxplotValue(partial, metric);
    const { sketch } = partial;
    return type === 'percentile_ranks' ? sketch.rank(Number(metric)) * 100 : sketch.quantile(Number(metric) / 100);
  },
};

function renderPercentiles(aggregation: PercentilesAggregation, partial: PercentilesPartial): Members {
  if (aggregation.type === BOXPLOT) return renderBoxplot(partial);
  const { sketch, format } = partial;
  const printer = valuePrinter(format);
  if (aggregation.type === MEDIAN_DEVIATION) {
    const value = medianDeviation(partial);
    const text = Number.isNaN(value) ? null : printer.text(value);
    return { value: shownDouble(value), value_as_string: text ?? undefined };
  }
  const isRank = aggregation.type === 'percentile_ranks';
  const points = aggregation.points.map((point) => {
    const value = isRank ? sketch.rank(point) * 100 : sketch.quantile(point / 100);
    return { point, value, text: Number.isNaN(value) ? null : printer.text(value) };
  });
  if (!aggregation.isKeyed) {
    return {
      values: points.map(({ point, value, text }) => ({
        key: new DoubleNumber(point),
        value: shownDouble(value),
        value_as_string: text ?? undefined,
      })),
    };
  }
  const values: Record<string, unknown> = {};
  for (const { point, value, text } of points) {
    const key = String(new DoubleNumber(point));
    values[key] = shownDouble(value);
    if (text !== null) values[`${key}_as_string`] = text;
  }
  return { values };
}
