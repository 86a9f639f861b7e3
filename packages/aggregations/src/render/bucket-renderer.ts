/**
 * Buckets as JSON text: they may be many, and an object for each member of each would cost more than the text, and could not be
 * made in steps.
 */
import type { StepMeter, Steps } from '@shoal/core';
import type { AggregationLevel, AggregationNode } from '../tree/aggregation-node.ts';
import { type FinishedBucket, type FinishedLevel, NO_VALUES } from '../tree/finished-level.ts';
import type { AnswerText } from './answer-text.ts';
import type { Members } from './members.ts';

/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 0.6;

export interface ShownBucket {
  /** Name where buckets are members of an object. */
  readonly name: string;
  /** Members before those of the children. */
  readonly head: Members;
  readonly bucket: FinishedBucket;
}

/** Renders a level as members of an object that is open. */
export type RenderLevel = (level: AggregationLevel, finished: FinishedLevel, isFirst: boolean) => Steps<void>;

export class BucketRenderer {
  readonly out: AnswerText;
  private readonly meter: StepMeter;
  private readonly renderLevel: RenderLevel;

  constructor(out: AnswerText, meter: StepMeter, renderLevel: RenderLevel) {
    this.out = out;
    this.meter = meter;
    this.renderLevel = renderLevel;
  }

  /** Renders one bucket: its head, then its children. */
  private *bucket(aggregation: AggregationNode, { head, bucket }: ShownBucket): Steps<void> {
    const { out, meter } = this;
    const { children, pipelines } = aggregation;
    out.add('{');
    const isEmpty = out.members(headBeside(head, aggregation), true);
    if (children.length > 0 || pipelines.length > 0) {
      const finished = { partials: bucket.children, values: bucket.values ?? NO_VALUES };
      yield* this.renderLevel({ aggregations: children, pipelines }, finished, isEmpty);
    }
    out.add('}');
    if (meter.isDue(BUCKET_UNITS)) yield;
  }

  *list(aggregation: AggregationNode, count: number, shown: (at: number) => ShownBucket): Steps<void> {
    this.out.add('[');
    for (let at = 0; at < count; at++) {
      if (at > 0) this.out.add(',');
      yield* this.bucket(aggregation, shown(at));
    }
    this.out.add(']');
  }

  /** Renders buckets as members of an object; of several with one name, the last is shown where the first would be. */
  private *keyed(aggregation: AggregationNode, count: number, shown: (at: number) => ShownBucket): Steps<void> {
    const byName = new Map<string, ShownBucket>();
    for (let at = 0; at < count; at++) {
      const one = shown(at);
      byName.set(one.name, one);
      if (this.meter.isDue(BUCKET_UNITS)) yield;
    }
    this.out.add('{');
    let isFirst = true;
    for (const [name, one] of byName) {
      this.out.add(`${isFirst ? '' : ','}${JSON.stringify(name)}:`);
      isFirst = false;
      yield* this.bucket(aggregation, one);
    }
    this.out.add('}');
  }

  /** Renders the member `buckets`, as an object or a list. */
  *member(
    aggregation: AggregationNode,
    isKeyed: boolean,
    count: number,
    shown: (at: number) => ShownBucket,
    isFirst: boolean,
  ): Steps<void> {
    this.out.add(`${isFirst ? '' : ','}"buckets":`);
    yield* isKeyed ? this.keyed(aggregation, count, shown) : this.list(aggregation, count, shown);
  }

  /** Renders the only bucket of an aggregation as the result itself. */
  *single(aggregation: AggregationNode, bucket: FinishedBucket): Steps<void> {
    const { children, pipelines } = aggregation;
    const isEmpty = this.out.members(headBeside({ doc_count: bucket.docCount }, aggregation), true);
    const finished = { partials: bucket.children, values: bucket.values ?? NO_VALUES };
    yield* this.renderLevel({ aggregations: children, pipelines }, finished, isEmpty);
  }
}

/** The head without members whose names children bear: then the child is shown. */
function headBeside(head: Members, { children, pipelines }: AggregationNode): Members {
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
