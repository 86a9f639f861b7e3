/**
 * Reduced results in the shape that users know, as JSON text: buckets may be many, and an object for each member of each
 * would cost more than the text, and could not be made in steps.
 */
import { assert, DoubleNumber, RawJson, runSteps, StepMeter, type Steps } from '@shoal/core';
import { compareKeys } from '../partials/bucket-keys.ts';
import {
  type BucketKey,
  type CompositePartial,
  expectKind,
  type FiltersPartial,
  type HistogramPartial,
  type PartialResult,
  PLAIN_FORMAT,
  type RangePartial,
  type TermsPartial,
} from '../partials/partial-result.ts';
import type { FinishedLevel } from '../pipelines/apply-pipelines.ts';
import { type FinishedBucket, isSingle, type PipelineValues } from '../pipelines/bucket-value.ts';
import type {
  Aggregation,
  AggregationLevel,
  BucketAggregation,
  CompositeAggregation,
  DateHistogramAggregation,
  FiltersAggregation,
  HistogramAggregation,
  RangeAggregation,
  TermsAggregation,
} from '../tree/aggregation.ts';
import { isMetric } from '../values/metric-value.ts';
import { valuePrinter } from '../values/value-formats.ts';
import { AnswerText, jsonText, PrintedJson } from './answer-text.ts';
import { renderMetric } from './render-metrics.ts';
import { renderPipelines } from './render-pipelines.ts';
import { resultType } from './result-type.ts';

export interface RenderAggregationsOptions {
  /** Names carry the type of the result: `sterms#name`. */
  readonly typedKeys: boolean;
}

/** Microseconds that a metric or a bucket costs, about. */
const METRIC_UNITS = 0.6;
const BUCKET_UNITS = 0.6;
const NO_VALUES: PipelineValues = new Map();

/** @param finished by the final reduce: one an aggregation, in their order, and the values of pipelines */
export function renderAggregations(
  level: AggregationLevel,
  finished: FinishedLevel,
  options: RenderAggregationsOptions,
): RawJson {
  return runSteps(renderInSteps(level, finished, options));
}

/** As `renderAggregations`: what stands under `aggregations` in an answer. */
export function* renderInSteps(
  level: AggregationLevel,
  finished: FinishedLevel,
  options: RenderAggregationsOptions,
): Steps<RawJson> {
  const out = new AnswerText();
  out.add('{');
  yield* new AggregationRenderer(out, options).level(level, finished, true);
  out.add('}');
  return new RawJson(out.bytes());
}

/** What shows before the children of a bucket, by name. */
type BucketHead = Readonly<Record<string, unknown>>;

interface ShownBucket {
  /** Where buckets are members of an object. */
  readonly name: string;
  readonly head: BucketHead;
  readonly bucket: FinishedBucket;
}

class AggregationRenderer {
  private readonly out: AnswerText;
  private readonly options: RenderAggregationsOptions;
  private readonly meter = new StepMeter();

  constructor(out: AnswerText, options: RenderAggregationsOptions) {
    this.out = out;
    this.options = options;
  }

  /** As members of an object that is open. */
  *level({ aggregations, pipelines }: AggregationLevel, finished: FinishedLevel, isFirst: boolean): Steps<void> {
    const { out, meter } = this;
    let isFirstYet = isFirst;
    for (let i = 0; i < aggregations.length; i++) {
      const aggregation = aggregations[i] as Aggregation;
      const partial = finished.partials[i];
      assert(partial, `aggregation ${aggregation.name} was not reduced`);
      this.open(aggregation, partial, isFirstYet);
      isFirstYet = false;
      const isEmptyYet = aggregation.meta === null || out.members({ meta: aggregation.meta }, true);
      if (isMetric(aggregation)) out.members(renderMetric(aggregation, partial), isEmptyYet);
      else yield* this.buckets(aggregation, partial, isEmptyYet);
      out.add('}');
      if (meter.isDue(METRIC_UNITS)) yield;
    }
    if (pipelines.length > 0) {
      for (const [name, value] of renderPipelines(pipelines, finished.values, this.options.typedKeys)) {
        out.add(`${isFirstYet ? '' : ','}${JSON.stringify(name)}:${jsonText(value)}`);
        isFirstYet = false;
      }
    }
  }

  private open(aggregation: Aggregation, partial: PartialResult, isFirst: boolean): void {
    const type = this.options.typedKeys ? `${resultType(aggregation, partial)}#` : '';
    this.out.add(`${isFirst ? '' : ','}${JSON.stringify(type + aggregation.name)}:{`);
  }

  /** The members of a result with buckets. */
  private *buckets(aggregation: BucketAggregation, partial: PartialResult, isFirst: boolean): Steps<void> {
    switch (aggregation.kind) {
      case 'terms':
        return yield* this.terms(aggregation, expectKind(partial, 'terms'), isFirst);
      case 'histogram':
      case 'dateHistogram':
        return yield* this.histogram(aggregation, expectKind(partial, 'histogram'), isFirst);
      case 'range':
        return yield* this.ranges(aggregation, expectKind(partial, 'range'), isFirst);
      case 'filters':
        return yield* this.filters(aggregation, expectKind(partial, 'filters'), isFirst);
      case 'composite':
        return yield* this.composite(aggregation, expectKind(partial, 'composite'), isFirst);
    }
  }

  /** One bucket: what it shows before its children, which come behind it. */
  private *bucket(aggregation: BucketAggregation, head: BucketHead, bucket: FinishedBucket): Steps<void> {
    const { out, meter } = this;
    const { children, pipelines } = aggregation;
    out.add('{');
    const isEmpty = out.members(headBeside(head, aggregation), true);
    if (children.length > 0 || pipelines.length > 0) {
      const finished = { partials: bucket.children, values: bucket.values ?? NO_VALUES };
      yield* this.level({ aggregations: children, pipelines }, finished, isEmpty);
    }
    out.add('}');
    if (meter.isDue(BUCKET_UNITS)) yield;
  }

  private *list(aggregation: BucketAggregation, count: number, shown: (at: number) => ShownBucket): Steps<void> {
    this.out.add('[');
    for (let at = 0; at < count; at++) {
      if (at > 0) this.out.add(',');
      const { head, bucket } = shown(at);
      yield* this.bucket(aggregation, head, bucket);
    }
    this.out.add(']');
  }

  /** Of buckets with one name, the last is shown where the first would be. */
  private *keyed(aggregation: BucketAggregation, count: number, shown: (at: number) => ShownBucket): Steps<void> {
    const byName = new Map<string, ShownBucket>();
    for (let at = 0; at < count; at++) {
      const one = shown(at);
      byName.set(one.name, one);
      if (this.meter.isDue(BUCKET_UNITS)) yield;
    }
    this.out.add('{');
    let isFirst = true;
    for (const [name, { head, bucket }] of byName) {
      this.out.add(`${isFirst ? '' : ','}${JSON.stringify(name)}:`);
      isFirst = false;
      yield* this.bucket(aggregation, head, bucket);
    }
    this.out.add('}');
  }

  private *terms(aggregation: TermsAggregation, partial: TermsPartial, isFirst: boolean): Steps<void> {
    const printer = valuePrinter(partial.format);
    const { showsErrors } = aggregation;
    const isRare = aggregation.maxDocCount !== null;
    const about = { doc_count_error_upper_bound: partial.error, sum_other_doc_count: partial.otherDocCount };
    const isFirstYet = this.out.members(isRare ? {} : about, isFirst);
    this.out.add(`${isFirstYet ? '' : ','}"buckets":`);
    yield* this.list(aggregation, partial.buckets.length, (at) => {
      const bucket = partial.buckets[at] as TermsPartial['buckets'][number];
      const head = {
        key: printer.shown(bucket.key, partial.keyKind),
        key_as_string: printer.text(bucket.key) ?? undefined,
        doc_count: bucket.docCount,
        doc_count_error_upper_bound: showsErrors ? bucket.error : undefined,
      };
      return { name: '', head, bucket };
    });
  }

  private *histogram(
    aggregation: HistogramAggregation | DateHistogramAggregation,
    partial: HistogramPartial,
    isFirst: boolean,
  ): Steps<void> {
    const printer = valuePrinter(partial.format);
    const isDate = aggregation.kind === 'dateHistogram';
    const shown = (at: number): ShownBucket => {
      const bucket = partial.buckets[at] as HistogramPartial['buckets'][number];
      const text = printer.text(bucket.key);
      const key = isDate ? bucket.key : new DoubleNumber(bucket.key);
      const head = { key_as_string: text ?? undefined, key, doc_count: bucket.docCount };
      return { name: text ?? (aggregation.isKeyed ? String(key) : ''), head, bucket };
    };
    yield* this.named(aggregation, aggregation.isKeyed, partial.buckets.length, shown, isFirst);
  }

  private *named(
    aggregation: BucketAggregation,
    isKeyed: boolean,
    count: number,
    shown: (at: number) => ShownBucket,
    isFirst: boolean,
  ): Steps<void> {
    this.out.add(`${isFirst ? '' : ','}"buckets":`);
    yield* isKeyed ? this.keyed(aggregation, count, shown) : this.list(aggregation, count, shown);
  }

  private *ranges(aggregation: RangeAggregation, partial: RangePartial, isFirst: boolean): Steps<void> {
    const printer = valuePrinter(partial.format);
    const text = (end: number): string | null => (Number.isFinite(end) ? printer.text(end) : null);
    const named = (end: number): string =>
      Number.isFinite(end) ? (printer.text(end) ?? String(new DoubleNumber(end))) : '*';
    const rendered = partial.buckets.map((bucket, i) => {
      const { from, to } = bucket.key;
      const name = aggregation.ranges[i]?.key ?? `${named(from)}-${named(to)}`;
      const head = {
        key: aggregation.isKeyed ? undefined : name,
        from: Number.isFinite(from) ? new DoubleNumber(from) : undefined,
        from_as_string: text(from) ?? undefined,
        to: Number.isFinite(to) ? new DoubleNumber(to) : undefined,
        to_as_string: text(to) ?? undefined,
        doc_count: bucket.docCount,
      };
      return { name, head, bucket, from, to };
    });
    rendered.sort((a, b) => a.from - b.from || a.to - b.to || 0);
    const shown = (at: number): ShownBucket => rendered[at] as ShownBucket;
    yield* this.named(aggregation, aggregation.isKeyed, rendered.length, shown, isFirst);
  }

  private *filters(aggregation: FiltersAggregation, partial: FiltersPartial, isFirst: boolean): Steps<void> {
    const { type, otherKey, isKeyed } = aggregation;
    const isListed = type === 'adjacency_matrix' || (type === 'ip_range' && !isKeyed);
    let rendered = partial.buckets.map((bucket, i) => {
      const filter = aggregation.filters[i];
      const name = filter?.key ?? otherKey ?? '';
      const head = {
        key: isListed ? name : undefined,
        from: filter?.from ?? undefined,
        to: filter?.to ?? undefined,
        doc_count: bucket.docCount,
      };
      return { name, head, bucket };
    });
    if (isSingle(type)) {
      const [only] = rendered;
      this.out.add(isFirst ? '' : ',');
      if (only === undefined) this.out.add('"doc_count":0');
      else yield* this.single(aggregation, only);
      return;
    }
    if (type === 'adjacency_matrix') {
      // What no document is in says nothing.
      rendered = rendered.filter(({ bucket }) => bucket.docCount > 0).sort((a, b) => compareKeys(a.name, b.name));
    }
    const shown = (at: number): ShownBucket => rendered[at] as ShownBucket;
    yield* this.named(aggregation, isKeyed && !isListed, rendered.length, shown, isFirst);
  }

  /** The one bucket is the result itself. */
  private *single(aggregation: FiltersAggregation, { bucket }: ShownBucket): Steps<void> {
    const { children, pipelines } = aggregation;
    const head = headBeside({ doc_count: bucket.docCount }, aggregation);
    const isEmpty = this.out.members(head, true);
    const finished = { partials: bucket.children, values: bucket.values ?? NO_VALUES };
    yield* this.level({ aggregations: children, pipelines }, finished, isEmpty);
  }

  private *composite(aggregation: CompositeAggregation, partial: CompositePartial, isFirst: boolean): Steps<void> {
    const keyOf = compositeKeyPrinter(aggregation, partial);
    const last = partial.buckets.at(-1);
    const afterKey = last === undefined ? '' : `"after_key":${keyOf(last.key)},`;
    this.out.add(`${isFirst ? '' : ','}${afterKey}"buckets":`);
    yield* this.list(aggregation, partial.buckets.length, (at) => {
      const bucket = partial.buckets[at] as CompositePartial['buckets'][number];
      const key = new PrintedJson(keyOf(bucket.key));
      return { name: '', head: { key, doc_count: bucket.docCount }, bucket };
    });
  }
}

/** A child may bear the name of what a bucket shows of itself: then the child is shown. */
function headBeside(head: BucketHead, { children, pipelines }: BucketAggregation): BucketHead {
  if (!children.some(isNamedAsHead) && !pipelines.some(isNamedAsHead)) return head;
  const names = new Set([...children, ...pipelines].map(({ name }) => name));
  return Object.fromEntries(Object.entries(head).filter(([name]) => !names.has(name)));
}

const HEAD_NAMES: ReadonlySet<string> = new Set([
  'key',
  'key_as_string',
  'doc_count',
  'doc_count_error_upper_bound',
  'from',
  'from_as_string',
  'to',
  'to_as_string',
]);

function isNamedAsHead({ name }: { readonly name: string }): boolean {
  return HEAD_NAMES.has(name);
}

/** Prints keys of a composite result, as objects. */
function compositeKeyPrinter(
  { sources }: CompositeAggregation,
  { formats, keyKinds }: CompositePartial,
): (key: CompositePartial['buckets'][number]['key']) => string {
  const printers = sources.map(({ name, source }, i) => {
    const format = formats[i] ?? PLAIN_FORMAT;
    const printer = valuePrinter(format);
    const keyKind = keyKinds[i] ?? 'text';
    // A date is shown as text only where the request names a format.
    const isText = format.kind === 'date' && source.format !== null;
    const shown = (value: BucketKey): unknown => {
      if (format.kind === 'boolean') return Number(value) !== 0;
      return (isText ? printer.text(value) : null) ?? printer.shown(value, keyKind);
    };
    return { name: JSON.stringify(name), shown };
  });
  return (key) => {
    let text = '{';
    for (let i = 0; i < printers.length; i++) {
      const { name, shown } = printers[i] as (typeof printers)[number];
      const value = key[i] ?? null;
      text += `${i === 0 ? '' : ','}${name}:${value === null ? 'null' : jsonText(shown(value))}`;
    }
    return `${text}}`;
  };
}
