/**
 * Collector of `composite`.
 */
import type { CompositeAggregation, CompositeKey, CompositeSource } from '@shoal/aggregations';
import { tileOfName } from '@shoal/geo';
import type { QueryValue } from '@shoal/query';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { declaredSource } from '../values/declared-type.ts';
import { keyOf, type ResolvedSource } from '../values/field-values.ts';
import { asDates, numericSource } from '../values/numeric-source.ts';
import { cellSource } from '../values/point-source.ts';
import { CompositeCollector } from './composite-collector.ts';
import { valueWalk } from './value-walk.ts';

export const composite: CollectorKind<CompositeAggregation> = {
  ignoresQuery: () => false,
  collector: (context, request, children) => {
    const { compile } = context;
    const sources = request.sources.map((declared) => ({ declared, source: sourceOf(compile, declared) }));
    const after = request.after?.map((value, i) => afterKey(compile, value, sources[i]?.source)) ?? null;
    const [first] = sources;
    const walk = first === undefined ? null : valueWalk(context, first.declared, first.source);
    return new CompositeCollector(request, sources, { after, walk }, children);
  },
};

function sourceOf(ctx: CompileContext, declared: CompositeSource): ResolvedSource {
  switch (declared.kind) {
    case 'terms':
      return declaredSource(ctx, declared.source, 'composite');
    case 'histogram':
      return numericSource(ctx, declared.source, 'histogram');
    case 'dateHistogram':
      return numericSource(ctx, asDates(ctx, declared.source), 'date_histogram', declared.interval.timeZone);
    case 'geotile':
      return cellSource(ctx, declared.source, declared.grid, 'composite');
  }
}

function afterKey(ctx: CompileContext, value: QueryValue, source: ResolvedSource | undefined): CompositeKey[number] {
  if (value === null || source === undefined) return value === null ? null : String(value);
  if (source.format.kind === 'geotile') return tileOfName(String(value), source.format.precision);
  return keyOf(ctx, value, source);
}
