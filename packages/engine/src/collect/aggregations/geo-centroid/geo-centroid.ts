/**
 * `geo_centroid` on a shard: sums of latitudes and longitudes.
 */
import type { GeoCentroidAggregation, PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { PointBatch } from '../values/point-batch.ts';
import { type PointSource, pointSource } from '../values/point-source.ts';

export const geoCentroid: CollectorKind<GeoCentroidAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, { source }) => new CentroidCollector(pointSource(compile, source, 'geo_centroid')),
};

class CentroidCollector implements BucketCollector {
  private readonly points: PointBatch;
  private readonly counts = new BucketCounts();
  private readonly lats = new BucketCounts();
  private readonly lons = new BucketCounts();

  constructor(source: PointSource) {
    this.points = new PointBatch(source);
  }

  get memoryBytes(): number {
    return 3 * this.counts.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.points.enter(view);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    this.points.each(docs, ({ lat, lon }, position) => {
      const bucket = buckets[position] as number;
      this.counts.add(bucket, 1);
      this.lats.add(bucket, lat);
      this.lons.add(bucket, lon);
    });
  }

  leave(): null {
    this.points.leave();
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const bucket = buckets[i] as number;
      const [count, latSum, lonSum] = [this.counts.at(bucket), this.lats.at(bucket), this.lons.at(bucket)];
      partials.push({ kind: 'geoCentroid', count, latSum, lonSum });
      if (meter.isDue(0.1)) yield;
    }
    return partials;
  }
}
