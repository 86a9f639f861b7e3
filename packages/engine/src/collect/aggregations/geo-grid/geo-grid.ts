/**
 * `geohash_grid` and `geotile_grid` on a shard: documents by the cells that their points lie in.
 */
import type { BucketKey, GeoGridAggregation, GridOptions, PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { cellNumbers, cellOfPoint, type GeoBox, type GeoPoint, hasWideCells, wideCellNumber } from '@shoal/geo';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { keyedResults } from '../keyed/keyed-results.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { PointBatch } from '../values/point-batch.ts';
import { type PointSource, pointSource } from '../values/point-source.ts';
import { WideKeys } from '../values/wide-keys.ts';

export const geoGrid: CollectorKind<GeoGridAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, { source, grid }, children) => {
    const points = pointSource(compile, source, `${grid.kind}_grid`);
    return new GridCollector(points, grid, children, isTop);
  },
};

class GridCollector implements BucketCollector {
  private readonly grid: GridOptions;
  private readonly children: ChildBatch;
  /** The parent is the request: it has one bucket. */
  private readonly isTop: boolean;
  private readonly isWide: boolean;
  private readonly numberOf: (point: GeoPoint) => number;
  private readonly points: PointBatch;
  private readonly buckets: KeyedBuckets;
  private readonly wide = new WideKeys();

  constructor(source: PointSource, grid: GridOptions, children: ChildBatch, isTop: boolean) {
    this.grid = grid;
    this.children = children;
    this.isTop = isTop;
    this.isWide = hasWideCells(grid);
    this.numberOf = cellNumbers(grid);
    this.points = new PointBatch(source);
    this.buckets = new KeyedBuckets(children);
  }

  get memoryBytes(): number {
    return this.buckets.memoryBytes + this.wide.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.points.enter(view);
    this.buckets.enter(null, this.isTop, DocCounts.of(view));
    this.children.enter(view);
  }

  collect(batch: DocBatch, parents: Uint32Array): void {
    const { docs } = batch;
    const { bounds } = this.grid;
    let lastAt = -1;
    /** Cells of the document: several points in one count once. */
    const seen = new Set<number>();
    this.points.each(batch, (point, at) => {
      if (bounds !== null && !isInside(bounds, point)) return;
      const key = this.keyOf(point);
      if (at !== lastAt) seen.clear();
      else if (seen.has(key)) return;
      lastAt = at;
      seen.add(key);
      this.buckets.add(docs[at] as number, parents[at] as number, key);
    });
  }

  private keyOf(point: GeoPoint): number {
    return this.isWide ? this.wide.of(wideCellNumber(this.grid, cellOfPoint(this.grid, point))) : this.numberOf(point);
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.buckets.leave(meter);
    yield* this.children.leave(meter);
    this.points.leave();
  }

  *results(parents: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { buckets, children, wide } = this;
    const keyOf = (number: number): BucketKey => wide.value(number);
    const lists = yield* keyedResults({ buckets, children, isSorted: false, keyOf }, parents, meter);
    return lists.map((list) => ({ kind: 'geoGrid', buckets: list }));
  }
}

function isInside({ north, south, west, east }: GeoBox, { lat, lon }: GeoPoint): boolean {
  if (lat > north || lat < south) return false;
  return west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
}
