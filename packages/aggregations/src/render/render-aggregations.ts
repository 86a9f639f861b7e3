/**
 * Reduced results in the shape that users know, ready for the JSON writer.
 */
import { assert, DoubleNumber, RawJson, unreachable, writeJson } from '@shoal/core';
import type {
  Aggregation,
  AggregationLevel,
  CompositeAggregation,
  DateHistogramAggregation,
  FiltersAggregation,
  HistogramAggregation,
  RangeAggregation,
  TermsAggregation,
} from '../aggregation.ts';
import { compareKeys } from '../bucket-keys.ts';
import { MEDIAN_DEVIATION } from '../metric-value.ts';
import {
  type CompositePartial,
  expectKind,
  type FiltersPartial,
  type HistogramPartial,
  type PartialResult,
  type RangePartial,
  type TermsPartial,
} from '../partial-result.ts';
import type { FinishedLevel } from '../pipelines/apply-pipelines.ts';
import type { FinishedBucket, PipelineValues } from '../pipelines/bucket-value.ts';
import type { Steps } from '../steps.ts';
import { valuePrinter } from '../value-formats.ts';
import { renderCardinality, renderPercentiles, renderStats, renderWeightedAverage } from './render-metrics.ts';
import { renderPipelines } from './render-pipelines.ts';

export interface RenderAggregationsOptions {
  /** Names carry the type of the result: `sterms#name`. */
  readonly typedKeys: boolean;
}

type Rendered = Readonly<Record<string, unknown>>;

/** The member `aggregations` of an answer, as JSON. */
// biome-ignore lint/correctness/useYield: steps of buckets follow
export function* renderInSteps(
  level: AggregationLevel,
  finished: FinishedLevel,
  options: RenderAggregationsOptions,
): Steps<RawJson> {
  return new RawJson(writeJson(renderAggregations(level, finished, options)));
}

/** @param finished by the final reduce: one an aggregation, in their order, and the values of pipelines */
export function renderAggregations(
  { aggregations, pipelines }: AggregationLevel,
  finished: FinishedLevel,
  options: RenderAggregationsOptions,
): Rendered {
  // Names are the user's: members are defined and never assigned, so that `__proto__` is one like any other.
  return Object.fromEntries([
    ...aggregations.map((aggregation, i) => {
      const partial = finished.partials[i];
      assert(partial, `aggregation ${aggregation.name} was not reduced`);
      const name = options.typedKeys ? `${typeOf(aggregation, partial)}#${aggregation.name}` : aggregation.name;
      const meta = aggregation.meta === null ? {} : { meta: aggregation.meta };
      return [name, { ...meta, ...renderOne(aggregation, partial, options) }] as const;
    }),
    ...renderPipelines(pipelines, finished.values, options.typedKeys),
  ]);
}

function renderOne(aggregation: Aggregation, partial: PartialResult, options: RenderAggregationsOptions): Rendered {
  switch (aggregation.kind) {
    case 'stats':
      return renderStats(aggregation, expectKind(partial, 'stats'));
    case 'cardinality':
      return renderCardinality(expectKind(partial, 'cardinality'));
    case 'percentiles':
      return renderPercentiles(aggregation, expectKind(partial, 'percentiles'));
    case 'weightedAverage':
      return renderWeightedAverage(aggregation, expectKind(partial, 'weightedAverage'));
    case 'terms':
      return renderTerms(aggregation, expectKind(partial, 'terms'), options);
    case 'histogram':
    case 'dateHistogram':
      return renderHistogram(aggregation, expectKind(partial, 'histogram'), options);
    case 'range':
      return renderRanges(aggregation, expectKind(partial, 'range'), options);
    case 'filters':
      return renderFilters(aggregation, expectKind(partial, 'filters'), options);
    case 'composite':
      return renderComposite(aggregation, expectKind(partial, 'composite'), options);
    default:
      return unreachable(aggregation);
  }
}

const TERMS_TYPES = { text: 'sterms', long: 'lterms', double: 'dterms' } as const;

function typeOf(aggregation: Aggregation, partial: PartialResult): string {
  switch (aggregation.kind) {
    case 'terms':
      return termsType(aggregation, partial);
    case 'weightedAverage':
      return 'weighted_avg';
    case 'percentiles':
      return aggregation.type === MEDIAN_DEVIATION
        ? aggregation.type
        : `${aggregation.method.kind}_${aggregation.type}`;
    case 'dateHistogram':
      return 'date_histogram';
    case 'stats':
    case 'range':
    case 'filters':
      return aggregation.type;
    default:
      return aggregation.kind;
  }
}

function termsType({ maxDocCount }: TermsAggregation, partial: PartialResult): string {
  const kind = partial.kind === 'terms' ? partial.keyKind : 'text';
  if (maxDocCount === null) return TERMS_TYPES[kind];
  return kind === 'text' ? 'srareterms' : 'lrareterms';
}

function childrenOf(aggregation: Aggregation, bucket: FinishedBucket, options: RenderAggregationsOptions): Rendered {
  const level = { aggregations: aggregation.children, pipelines: aggregation.pipelines };
  return renderAggregations(level, { partials: bucket.children, values: bucket.values ?? NO_VALUES }, options);
}

const NO_VALUES: PipelineValues = new Map();

function renderTerms(
  aggregation: TermsAggregation,
  partial: TermsPartial,
  options: RenderAggregationsOptions,
): Rendered {
  const printer = valuePrinter(partial.format);
  const isRare = aggregation.maxDocCount !== null;
  return {
    doc_count_error_upper_bound: isRare ? undefined : partial.error,
    sum_other_doc_count: isRare ? undefined : partial.otherDocCount,
    buckets: partial.buckets.map((bucket) => ({
      key: printer.shown(bucket.key, partial.keyKind),
      key_as_string: printer.text(bucket.key) ?? undefined,
      doc_count: bucket.docCount,
      doc_count_error_upper_bound: aggregation.showsErrors ? bucket.error : undefined,
      ...childrenOf(aggregation, bucket, options),
    })),
  };
}

function renderHistogram(
  aggregation: HistogramAggregation | DateHistogramAggregation,
  partial: HistogramPartial,
  options: RenderAggregationsOptions,
): Rendered {
  const printer = valuePrinter(partial.format);
  const isDate = aggregation.kind === 'dateHistogram';
  const rendered = partial.buckets.map((bucket) => {
    const text = printer.text(bucket.key);
    const body = {
      key_as_string: text ?? undefined,
      key: isDate ? bucket.key : new DoubleNumber(bucket.key),
      doc_count: bucket.docCount,
      ...childrenOf(aggregation, bucket, options),
    };
    return { name: text ?? String(isDate ? bucket.key : new DoubleNumber(bucket.key)), body };
  });
  return { buckets: bucketsOf(rendered, aggregation.isKeyed) };
}

function bucketsOf(rendered: readonly { readonly name: string; readonly body: Rendered }[], isKeyed: boolean): unknown {
  return isKeyed
    ? Object.fromEntries(rendered.map(({ name, body }) => [name, body]))
    : rendered.map(({ body }) => body);
}

function renderRanges(
  aggregation: RangeAggregation,
  partial: RangePartial,
  options: RenderAggregationsOptions,
): Rendered {
  const printer = valuePrinter(partial.format);
  const rendered = partial.buckets.map((bucket, i) => {
    const { from, to } = bucket.key;
    const text = (end: number): string | null => (Number.isFinite(end) ? printer.text(end) : null);
    const named = (end: number): string =>
      Number.isFinite(end) ? (printer.text(end) ?? String(new DoubleNumber(end))) : '*';
    const key = aggregation.ranges[i]?.key ?? `${named(from)}-${named(to)}`;
    const body = {
      from: Number.isFinite(from) ? new DoubleNumber(from) : undefined,
      from_as_string: text(from) ?? undefined,
      to: Number.isFinite(to) ? new DoubleNumber(to) : undefined,
      to_as_string: text(to) ?? undefined,
      doc_count: bucket.docCount,
      ...childrenOf(aggregation, bucket, options),
    };
    return { name: key, body: aggregation.isKeyed ? body : { key, ...body }, from, to };
  });
  rendered.sort((a, b) => a.from - b.from || a.to - b.to || 0);
  return { buckets: bucketsOf(rendered, aggregation.isKeyed) };
}

function renderFilters(
  aggregation: FiltersAggregation,
  partial: FiltersPartial,
  options: RenderAggregationsOptions,
): Rendered {
  const rendered = partial.buckets.map((bucket, i) => ({
    name: aggregation.filters[i]?.key ?? aggregation.otherKey ?? '',
    body: { doc_count: bucket.docCount, ...childrenOf(aggregation, bucket, options) },
  }));
  const [only] = rendered;
  switch (aggregation.type) {
    case 'filters':
      return { buckets: bucketsOf(rendered, aggregation.isKeyed) };
    case 'adjacency_matrix':
      // What no document is in says nothing.
      return {
        buckets: rendered
          .filter(({ body }) => body.doc_count > 0)
          .sort((a, b) => compareKeys(a.name, b.name))
          .map(({ name, body }) => ({ key: name, ...body })),
      };
    case 'ip_range': {
      const shown = rendered.map(({ name, body }, i) => {
        const { from, to } = aggregation.filters[i] ?? {};
        const key = aggregation.isKeyed ? {} : { key: name };
        return { name, body: { ...key, from: from ?? undefined, to: to ?? undefined, ...body } };
      });
      return { buckets: bucketsOf(shown, aggregation.isKeyed) };
    }
    default:
      return only?.body ?? { doc_count: 0 };
  }
}

function renderComposite(
  aggregation: CompositeAggregation,
  partial: CompositePartial,
  options: RenderAggregationsOptions,
): Rendered {
  const printers = partial.formats.map((format) => ({ printer: valuePrinter(format), format }));
  const keyOf = (key: CompositePartial['buckets'][number]['key']): Rendered =>
    Object.fromEntries(
      aggregation.sources.map((source, i) => {
        const value = key[i] ?? null;
        const found = printers[i];
        if (value === null || found === undefined) return [source.name, value];
        // A date is shown as text only where the request names a format.
        const isText = found.format.kind === 'date' ? source.source.format !== null : found.format.kind === 'boolean';
        const text = isText ? found.printer.text(value) : null;
        const shown = found.format.kind === 'boolean' ? Number(value) !== 0 : text;
        return [source.name, shown ?? found.printer.shown(value, partial.keyKinds[i] ?? 'text')];
      }),
    );
  const last = partial.buckets.at(-1);
  return {
    after_key: last === undefined ? undefined : keyOf(last.key),
    buckets: partial.buckets.map((bucket) => ({
      key: keyOf(bucket.key),
      doc_count: bucket.docCount,
      ...childrenOf(aggregation, bucket, options),
    })),
  };
}
