/**
 * Collectors of a request's aggregations over one shard: which field means what is decided here, by the shard's mapping.
 */
import {
  type Aggregation,
  type AggregationNode,
  type CompositeAggregation,
  type CompositeKey,
  isAggregation,
  type PercentilesAggregation,
  type RangeAggregation,
  type RangeEnds,
  type TermsAggregation,
} from '@shoal/aggregations';
import { assert, illegalArgument, unreachable } from '@shoal/core';
import { ALL_REGEXP_OPERATORS, type QueryValue, REGEXP_STATES_DEFAULT } from '@shoal/query';
import { dateFormatter } from '@shoal/schema';
import { parseDateMath } from '../../field-types/date/date-math.ts';
import type { AggregationKernels } from '../../kernels/aggregation-kernels.ts';
import { regexpAutomaton } from '../../match/automaton/term-automata.ts';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { memoryOf } from '../../match/kernel-plan/kernel-segment.ts';
import { compileQuery } from '../../match/registry/compile-query.ts';
import { NumberCardinalityCollector, TextCardinalityCollector } from './cardinality/cardinality-collectors.ts';
import { type BucketCollector, ChildBatch } from './collector/bucket-collector.ts';
import { CompositeCollector } from './composite/composite-collector.ts';
import { FiltersCollector, RangeCollector } from './fixed-buckets/fixed-buckets-collectors.ts';
import { HistogramCollector } from './histogram/histogram-collector.ts';
import { PercentilesCollector } from './percentiles/percentiles-collector.ts';
import { StatsCollector, TextCountCollector } from './stats/stats-collector.ts';
import { NumberTermsCollector } from './terms/number-terms-collector.ts';
import { numberChoice, textChoice } from './terms/terms-choice.ts';
import { TextTermsCollector } from './terms/text-terms-collector.ts';
import { keyOf, type ResolvedSource, resolveSource, takesPatterns, termOfKey } from './values/field-values.ts';
import { WeightedAverageCollector } from './weighted-average/weighted-average-collector.ts';

const UNSCORED = { boost: 1, isScored: false };

/** @throws ShoalError for what the shard's fields do not allow */
export function buildCollectors(
  ctx: CompileContext,
  aggregations: readonly AggregationNode[],
  isTop: boolean,
): BucketCollector[] {
  return aggregations.map((aggregation) => {
    assert(isAggregation(aggregation), `no aggregation is of kind ${aggregation.kind}`);
    return buildCollector(ctx, aggregation, isTop);
  });
}

function buildCollector(ctx: CompileContext, aggregation: Aggregation, isTop: boolean): BucketCollector {
  const children = new ChildBatch(buildCollectors(ctx, aggregation.children, false));
  switch (aggregation.kind) {
    case 'stats': {
      const source = resolveSource(ctx, aggregation.source);
      if (source.keyKind !== 'text' || source.kind === null) {
        return new StatsCollector(aggregation, source, isTop, kernelsOf(ctx));
      }
      if (aggregation.type === 'value_count') return new TextCountCollector(source);
      throw notNumeric(source, aggregation.type);
    }
    case 'cardinality': {
      const source = resolveSource(ctx, aggregation.source);
      if (source.keyKind === 'text') return new TextCardinalityCollector(aggregation, source, isTop);
      return new NumberCardinalityCollector(aggregation, source, isTop, kernelsOf(ctx));
    }
    case 'percentiles':
      return new PercentilesCollector(aggregation, numericSource(ctx, aggregation), isTop);
    case 'weightedAverage': {
      const [value, weight] = [resolveSource(ctx, aggregation.source), resolveSource(ctx, aggregation.weight)];
      for (const source of [value, weight]) {
        if (source.kind !== null && source.keyKind === 'text') throw notNumeric(source, 'weighted_avg');
      }
      return new WeightedAverageCollector(value, weight);
    }
    case 'terms':
      return termsCollector(ctx, aggregation, children, isTop);
    case 'histogram': {
      const source = resolveSource(ctx, aggregation.source);
      if (source.kind !== null && source.keyKind === 'text') throw notNumeric(source, 'histogram');
      return new HistogramCollector({ aggregation, source, children, isTop });
    }
    case 'dateHistogram': {
      const source = resolveSource(ctx, aggregation.source, aggregation.interval.timeZone);
      if (source.kind !== null && source.keyKind === 'text') throw notNumeric(source, 'date_histogram');
      return new HistogramCollector({ aggregation, source, children, isTop });
    }
    case 'range': {
      const source = resolveSource(ctx, aggregation.source, aggregation.timeZone ?? 'UTC');
      if (source.kind !== null && source.keyKind === 'text') throw notNumeric(source, aggregation.type);
      return new RangeCollector(source, rangeEnds(ctx, aggregation, source), children, isTop);
    }
    case 'filters': {
      const weights = aggregation.filters.map(({ query }) => compileQuery(ctx, query, UNSCORED));
      return new FiltersCollector(aggregation, weights, children);
    }
    case 'composite':
      return compositeCollector(ctx, aggregation, children);
    default:
      return unreachable(aggregation);
  }
}

function kernelsOf({ searcher }: CompileContext): AggregationKernels | null {
  return memoryOf(searcher.views)?.aggregations ?? null;
}

function notNumeric({ field, kind }: ResolvedSource, type: string): Error {
  return illegalArgument(`Field [${field}] of type [${kind}] is not supported for aggregation [${type}]`);
}

function numericSource(ctx: CompileContext, aggregation: PercentilesAggregation): ResolvedSource {
  const source = resolveSource(ctx, aggregation.source);
  if (source.kind !== null && source.keyKind === 'text') throw notNumeric(source, aggregation.type);
  return source;
}

function termsCollector(
  ctx: CompileContext,
  aggregation: TermsAggregation,
  children: ChildBatch,
  isTop: boolean,
): BucketCollector {
  const source = resolveSource(ctx, aggregation.source);
  const { choice, name } = aggregation;
  if (aggregation.maxDocCount !== null && source.keyKind === 'double') {
    throw illegalArgument('RareTerms aggregation does not support floating point fields.');
  }
  if (source.keyKind !== 'text') {
    const numbers = choice && numberChoice(choice, ctx, source, name);
    return new NumberTermsCollector({ aggregation, source, children, isTop, choice: numbers });
  }
  if (choice?.kind === 'pattern' && !takesPatterns(source)) {
    throw illegalArgument(
      `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of values for include/exclude clauses`,
    );
  }
  const termBytes = (value: string): Uint8Array => termOfKey(source, keyOf(ctx, value, source));
  const texts = choice && textChoice(choice, termBytes, patternTest);
  return new TextTermsCollector({ aggregation, source, children, isTop, choice: texts });
}

/** `include` and `exclude` as regular expressions of the usual sort. */
function patternTest(pattern: string): (bytes: Uint8Array) => boolean {
  const automaton = regexpAutomaton({
    pattern,
    operators: ALL_REGEXP_OPERATORS,
    ignoresCase: false,
    statesMax: REGEXP_STATES_DEFAULT,
  });
  return (bytes) => automaton.matches(bytes);
}

function rangeEnds(ctx: CompileContext, aggregation: RangeAggregation, source: ResolvedSource): readonly RangeEnds[] {
  const end = (value: QueryValue, open: number): number => {
    if (value === null) return open;
    if (source.format.kind !== 'date') return source.kind === null ? Number(value) : Number(keyOf(ctx, value, source));
    const formatter = dateFormatter(source.format.format);
    const options = { formatter, nowMs: ctx.nowMs, roundUp: false, timeZone: aggregation.timeZone };
    return typeof value === 'string' ? parseDateMath(value, options) : Number(value);
  };
  return aggregation.ranges.map(({ from, to }) => ({
    from: end(from, Number.NEGATIVE_INFINITY),
    to: end(to, Number.POSITIVE_INFINITY),
  }));
}

function compositeCollector(
  ctx: CompileContext,
  aggregation: CompositeAggregation,
  children: ChildBatch,
): BucketCollector {
  const sources = aggregation.sources.map((declared) => {
    const zone = declared.kind === 'dateHistogram' ? declared.interval.timeZone : 'UTC';
    const source = resolveSource(ctx, declared.source, zone);
    if (declared.kind !== 'terms' && source.kind !== null && source.keyKind === 'text') {
      throw notNumeric(source, declared.kind === 'histogram' ? 'histogram' : 'date_histogram');
    }
    return { declared, source };
  });
  const after = aggregation.after?.map((value, i) => afterKey(ctx, value, sources[i]?.source)) ?? null;
  return new CompositeCollector(aggregation, sources, after, children);
}

function afterKey(ctx: CompileContext, value: QueryValue, source: ResolvedSource | undefined): CompositeKey[number] {
  if (value === null || source === undefined) return value === null ? null : String(value);
  return keyOf(ctx, value, source);
}
