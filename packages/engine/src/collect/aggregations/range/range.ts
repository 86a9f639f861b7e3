/**
 * Collector of `range`, `date_range` and `geo_distance`.
 */
import type { RangeAggregation, RangeEnds } from '@shoal/aggregations';
import type { QueryValue } from '@shoal/query';
import { dateFormatter, parseDateMath } from '@shoal/schema';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { keyOf, type ResolvedSource } from '../values/field-values.ts';
import { checkIsLeaf, HistogramBatch, histogramSource } from '../values/histogram-batch.ts';
import { asDates, numericSource } from '../values/numeric-source.ts';
import { distanceSource } from '../values/point-source.ts';
import { RangeCollector } from './range-collector.ts';

export const range: CollectorKind<RangeAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, request, children) => {
    if (request.origin !== undefined) {
      const distances = distanceSource(compile, request.source, request.origin);
      return new RangeCollector(distances, rangeEnds(compile, request, distances), children, isTop);
    }
    const declared = request.type === 'date_range' ? asDates(compile, request.source) : request.source;
    const counted = request.type === 'range' ? histogramSource(compile, declared) : null;
    if (counted !== null) {
      checkIsLeaf('Range', children);
      const ends = rangeEnds(compile, request, { ...counted.source, kind: null });
      return new RangeCollector(counted.source, ends, children, isTop, new HistogramBatch(counted));
    }
    const source = numericSource(compile, declared, request.type, request.timeZone ?? 'UTC');
    return new RangeCollector(source, rangeEnds(compile, request, source), children, isTop);
  },
};

function rangeEnds(ctx: CompileContext, { ranges, timeZone }: RangeAggregation, source: ResolvedSource): RangeEnds[] {
  const end = (value: QueryValue, open: number): number => {
    if (value === null) return open;
    if (source.format.kind !== 'date') return source.kind === null ? Number(value) : Number(keyOf(ctx, value, source));
    const formatter = dateFormatter(source.format.format);
    const options = { formatter, clock: ctx.clock, roundUp: false, timeZone };
    // A number is a text of digits in the format of the field: seconds where it has seconds.
    return parseDateMath(typeof value === 'string' ? value : String(Math.trunc(Number(value))), options);
  };
  return ranges.map(({ from, to }) => ({
    from: end(from, Number.NEGATIVE_INFINITY),
    to: end(to, Number.POSITIVE_INFINITY),
  }));
}
