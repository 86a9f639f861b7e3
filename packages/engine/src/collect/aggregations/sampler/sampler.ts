/**
 * Collector of `sampler` and `diversified_sampler`.
 */
import type { SamplerAggregation } from '@shoal/aggregations';
import { illegalArgument, ShoalError } from '@shoal/core';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { DocScores } from '../collector/doc-scores.ts';
import { NoDocsCollector } from '../collector/no-docs-collector.ts';
import { resolveSource } from '../values/field-values.ts';
import { checkKeyed } from '../values/numeric-source.ts';
import { type DocKeys, docKeys } from './doc-keys.ts';
import { SamplerCollector } from './sampler-collector.ts';

export const sampler: CollectorKind<SamplerAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, request, children) => {
    const { shardSize, diversity } = request;
    const keys = diversity && keysOf(compile, diversity);
    // A field that nothing is known of takes no part in any sample.
    if (diversity !== null && keys === null) return new NoDocsCollector();
    if (shardSize <= 0) {
      throw illegalArgument(
        'numHits must be > 0; please use TotalHitCountCollector if you just need the total hit count',
      );
    }
    if (children.isEmpty) {
      throw new ShoalError(
        'aggregation_execution_exception',
        500,
        'Sampler aggregation must be used with child aggregations.',
      );
    }
    const { searcher, documents } = compile;
    const size = {
      size: Math.min(shardSize, Math.max(1, searcher.maxDoc)),
      perKey: diversity?.maxDocsPerValue ?? Number.POSITIVE_INFINITY,
    };
    const scores = documents ? new DocScores(documents.weight(), (compile.nestedPath ?? '') !== '') : null;
    return new SamplerCollector({ views: searcher.views, size, scores, keys }, children);
  },
};

const EXECUTION_HINTS = ['map', 'bytes_hash', 'global_ordinals'];

/** null: neither the mapping nor the request knows of the field. */
function keysOf(
  ctx: AggregationContext,
  { source, executionHint }: NonNullable<SamplerAggregation['diversity']>,
): DocKeys | null {
  const resolved = resolveSource(ctx, source);
  if (resolved.kind === null) return null;
  checkKeyed(resolved, 'diversified_sampler');
  if (resolved.keyKind === 'text' && executionHint !== null && !EXECUTION_HINTS.includes(executionHint)) {
    throw illegalArgument(
      `Unknown \`execution_hint\`: [${executionHint}], expected any of [${EXECUTION_HINTS.join(', ')}]`,
    );
  }
  const byOrdinal = executionHint === null || executionHint === 'global_ordinals';
  return docKeys(resolved, ctx.searcher.views, byOrdinal);
}
