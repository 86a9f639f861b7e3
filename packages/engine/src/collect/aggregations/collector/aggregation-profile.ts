/**
 * `profile` of the aggregations of a request on one shard: what each of them took to be made, to collect and to answer.
 *
 * Every step of every collector is timed where it runs. A collector hands documents on to its children, so that its time has
 * theirs in it, as clients expect.
 */
import type { AggregationNode, PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { StepTimes } from '../../../match/profile/step-times.ts';
import type { BucketCollector } from './bucket-collector.ts';
import type { DocBatch } from './doc-batch.ts';

const STEPS = ['initialize', 'build_leaf_collector', 'collect', 'post_collection', 'build_aggregation'] as const;
type Step = (typeof STEPS)[number];

/** Names that do not follow from the type of the aggregation. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['percentiles', 'TDigestPercentiles'],
  ['percentile_ranks', 'TDigestPercentileRanks'],
  ['date_range', 'Range'],
  ['ip_range', 'BinaryRange'],
  ['geohash_grid', 'GeoHashGrid'],
  ['geotile_grid', 'GeoTileGrid'],
]);

function aggregatorName(aggregation: AggregationNode): string {
  const { type } = aggregation;
  const camel = type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${NAMES.get(type) ?? camel}Aggregator`;
}

class AggregationPart {
  readonly children: AggregationPart[] = [];
  /** Collector that is timed; null until it is made. */
  collector: BucketCollector | null = null;
  private readonly aggregation: AggregationNode;
  private readonly times: StepTimes<Step>;

  constructor(clock: Clock, aggregation: AggregationNode) {
    this.aggregation = aggregation;
    this.times = new StepTimes(clock, STEPS);
  }

  /** @param count times that the step counts: one of `collect` is a document */
  timed<T>(step: Step, count: number, work: () => T): T {
    return this.times.timed(step, count, work);
  }

  *timedSteps<T>(step: Step, steps: Steps<T>): Steps<T> {
    for (let next = this.timed(step, 1, () => steps.next()); ; next = this.timed(step, 0, () => steps.next())) {
      if (next.done === true) return next.value;
      yield;
    }
  }

  render(): Readonly<Record<string, unknown>> {
    const { total, breakdown } = this.times.render();
    const { name } = this.aggregation;
    const profiled = this.collector?.profiled;
    return {
      type: profiled?.type ?? aggregatorName(this.aggregation),
      description: name,
      time_in_nanos: total,
      // Shards do not reduce: the coordinator does, once.
      breakdown: { ...breakdown, reduce: 0, reduce_count: 0 },
      debug: profiled?.debug,
      children: this.children.length === 0 ? undefined : this.children.map((child) => child.render()),
    };
  }
}

export class AggregationProfile {
  private readonly clock: Clock;
  private readonly roots: AggregationPart[] = [];
  private readonly open: AggregationPart[] = [];

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Makes a collector; those that are made meanwhile are its children. */
  around(aggregation: AggregationNode, make: () => BucketCollector): BucketCollector {
    const part = new AggregationPart(this.clock, aggregation);
    const siblings = this.open.at(-1)?.children ?? this.roots;
    siblings.push(part);
    this.open.push(part);
    try {
      part.collector = part.timed('initialize', 1, make);
      return new TimedCollector(part, part.collector);
    } finally {
      this.open.pop();
    }
  }

  /** A value for `writeJson`: `aggregations` of a shard. */
  render(): readonly Readonly<Record<string, unknown>>[] {
    assert(this.open.length === 0, `${this.open.length} collectors are still being made`);
    return this.roots.map((part) => part.render());
  }
}

class TimedCollector implements BucketCollector {
  private readonly part: AggregationPart;
  private readonly inner: BucketCollector;

  constructor(part: AggregationPart, inner: BucketCollector) {
    this.part = part;
    this.inner = inner;
  }

  get memoryBytes(): number {
    return this.inner.memoryBytes;
  }

  get owed(): Steps<void> | null {
    return this.inner.owed ?? null;
  }

  enter(view: SegmentView): void {
    this.part.timed('build_leaf_collector', 1, () => this.inner.enter(view));
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    this.part.timed('collect', batch.count, () => this.inner.collect(batch, buckets));
  }

  leave(meter: StepMeter): Steps<void> | null {
    const { part, inner } = this;
    const steps = part.timed('post_collection', 0, () => inner.leave(meter));
    return steps === null ? null : part.timedSteps('post_collection', steps);
  }

  results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    return this.part.timedSteps('build_aggregation', this.inner.results(buckets, meter));
  }
}
