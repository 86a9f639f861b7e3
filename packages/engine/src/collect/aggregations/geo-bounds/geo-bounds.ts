/**
 * `geo_bounds` on a shard: how far points reach in each direction.
 */
import type { GeoBoundsAggregation, PartialResult } from '@shoal/aggregations';
import { NO_EXTREMES } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { PointBatch } from '../values/point-batch.ts';
import { type PointSource, pointSource } from '../values/point-source.ts';

export const geoBounds: CollectorKind<GeoBoundsAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, { source }) => new BoundsCollector(pointSource(compile, source, 'geo_bounds')),
};

/** Sides of one bucket: top, bottom, and left and right of either half of the globe. */
const SIDES = 6;
const BUCKETS_MIN = 64;

class BoundsCollector implements BucketCollector {
  private readonly points: PointBatch;
  /** `SIDES` a bucket; the lesser is the farther: tops and rights have their sign turned. */
  private sides = new Float64Array(BUCKETS_MIN * SIDES).fill(Number.POSITIVE_INFINITY);

  constructor(source: PointSource) {
    this.points = new PointBatch(source);
  }

  get memoryBytes(): number {
    return this.sides.byteLength;
  }

  enter(view: SegmentView): void {
    this.points.enter(view);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    this.points.each(docs, ({ lat, lon }, position) => {
      const at = (buckets[position] as number) * SIDES;
      if (at >= this.sides.length) this.reserve(at + SIDES);
      const { sides } = this;
      sides[at] = Math.min(sides[at] as number, -lat);
      sides[at + 1] = Math.min(sides[at + 1] as number, lat);
      const half = at + (lon >= 0 ? 2 : 4);
      sides[half] = Math.min(sides[half] as number, lon);
      sides[half + 1] = Math.min(sides[half + 1] as number, -lon);
    });
  }

  private reserve(size: number): void {
    const next = new Float64Array(Math.max(size, 2 * this.sides.length)).fill(Number.POSITIVE_INFINITY);
    next.set(this.sides);
    this.sides = next;
  }

  leave(): null {
    this.points.leave();
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      partials.push(this.resultOf(buckets[i] as number));
      if (meter.isDue(0.1)) yield;
    }
    return partials;
  }

  private resultOf(bucket: number): PartialResult {
    const at = bucket * SIDES;
    if (at >= this.sides.length) return { kind: 'geoBounds', ...NO_EXTREMES };
    const [top, bottom, eastLeft, eastRight, westLeft, westRight] = this.sides.subarray(at, at + SIDES) as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return {
      kind: 'geoBounds',
      top: -top,
      bottom,
      eastLeft,
      eastRight: -eastRight,
      westLeft,
      westRight: -westRight,
    };
  }
}
