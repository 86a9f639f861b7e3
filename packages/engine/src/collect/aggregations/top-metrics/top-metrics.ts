/**
 * Collector of `top_metrics`.
 */

import { TOP_METRICS_SCORE } from '@shoal/aggregations';
import { assert, illegalArgument } from '@shoal/core';
import { type CompileContext, queryShardError } from '../../../match/context/compile-context.ts';

import type { CollectorKind } from '../collector/collector-kind.ts';
import { DocScores } from '../collector/doc-scores.ts';
import { keyOf, type ResolvedSource } from '../values/field-values.ts';
import { keyedSource } from '../values/numeric-source.ts';
import { TopMetricsCollector, type TopMetricsRequest } from './top-metrics-collector.ts';

export const topMetrics: CollectorKind<TopMetricsRequest> = {
  ignoresQuery: () => false,
  collector: ({ compile, documents }, request) => {
    const isScored = request.sort.field === TOP_METRICS_SCORE;
    assert(!isScored || documents !== null, `scores of [${request.name}] where there are none`);

    const sort = sortSource(compile, request);
    const metrics = request.metrics.map((source) => keyedSource(compile, source, 'top_metrics'));
    const missing = missingSort(compile, request, sort);
    const isNested = (compile.nestedPath ?? '') !== '';
    const scores = isScored && documents !== null ? new DocScores(documents.weight(), isNested) : null;
    return new TopMetricsCollector(request, { sort, scores, missing, metrics });
  },
};

function sortSource(ctx: CompileContext, { sort }: TopMetricsRequest): ResolvedSource {
  const { field, allowsUnmapped } = sort;
  const source = keyedSource(ctx, { field, missing: null, format: null, valueType: null, script: null }, 'top_metrics');
  if (source.kind === null) {
    if (allowsUnmapped) return source;
    throw queryShardError(ctx.shard, `No mapping found for [${field}] in order to sort on`);
  }
  if (source.keyKind === 'text') throw illegalArgument('only supported on numeric fields');
  return source;
}

/** Sort value of documents that have none: after or before all others, or the request's. */
function missingSort(
  ctx: CompileContext,
  { sort: { missing, isAscending } }: TopMetricsRequest,
  source: ResolvedSource,
): number | bigint {
  if (missing === null || missing === '_last') return isAscending ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  if (missing === '_first') return isAscending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const key = source.kind === null ? Number(missing) : keyOf(ctx, missing, source);
  if (typeof key === 'bigint' || (typeof key === 'number' && !Number.isNaN(key))) return key;
  throw illegalArgument(`[missing] of the sort by [${source.field}] must be a number but was [${String(missing)}]`);
}
