/**
 * `geohash_grid` and `geotile_grid`: a bucket for each cell of the globe that has points.
 */
import { type Steps, sortInSteps } from '@shoal/core';
import { GEOHASH_LETTERS_MAX } from '@shoal/geo';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import { keyText } from '../../render/key-text.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import { type BucketKey, compareKeys } from '../../values/bucket-key.ts';
import { valuePrinter } from '../../values/value-format.ts';
import { GEO_GRID_PARTIAL, type GeoGridPartial } from './geo-grid-partial.ts';
import { type GeoGridAggregation, gridParser, readGeoGrid } from './geo-grid-request.ts';

export const geoGrid: BucketKind<GeoGridAggregation, GeoGridPartial> = {
  family: 'bucket',
  kind: 'geoGrid',
  parsers: { geohash_grid: gridParser('geohash'), geotile_grid: gridParser('geotile') },
  read: readGeoGrid,
  partial: GEO_GRID_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: ({ grid }) => (grid.kind === 'geohash' ? 'geohash_grid' : 'geotile_grid'),
  reduce: reduceGrid,
  render: renderGrid,
  keyText: ({ grid }, _partial, { key }) => keyText(key, grid, false),
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, 'InternalGeoGrid'),
};

type Cell = Bucket<BucketKey>;

function* reduceGrid(
  aggregation: GeoGridAggregation,
  partials: readonly GeoGridPartial[],
  context: ReduceContext,
): Steps<GeoGridPartial> {
  const { meter } = context;
  const groups = new Map<BucketKey, Cell[]>();
  for (const { buckets } of partials) {
    for (const bucket of buckets) {
      const found = groups.get(bucket.key);
      if (found === undefined) groups.set(bucket.key, [bucket]);
      else found.push(bucket);
      if (meter.isDue(0.3)) yield;
    }
  }
  const areWholeAlone = context.areWholeAlone(aggregation.children);
  const merged: Cell[] = [];
  for (const [key, cells] of groups) {
    const [only] = cells;
    if (only !== undefined && cells.length === 1 && areWholeAlone) merged.push(only);
    else merged.push({ key, ...(yield* mergedBucket(aggregation, cells, context)) });
    if (meter.isDue(0.3)) yield;
  }
  if (!context.isFinal) return { kind: 'geoGrid', buckets: merged };
  const sorted = yield* sortInSteps(merged, cellOrder(aggregation), meter);
  const buckets = sorted.slice(0, aggregation.size);
  context.buckets.take(buckets.length);
  return { kind: 'geoGrid', buckets };
}

/** The fullest first; of equally full ones the last by name, or by column and row. */
function cellOrder({ grid }: GeoGridAggregation): (a: Cell, b: Cell) => number {
  if (grid.kind === 'geotile') return (a, b) => b.docCount - a.docCount || compareKeys(b.key, a.key);
  const { shown } = valuePrinter(grid);
  const names = new Map<BucketKey, string>();
  const nameOf = (key: BucketKey): string => {
    let name = names.get(key);
    if (name === undefined) {
      name = String(shown(key, 'long'));
      // In 64 bits the eastern half of the longest geohashes is negative, and before the western one.
      if (grid.precision === GEOHASH_LETTERS_MAX) name = `${name < 'h' ? 'west' : 'east'}${name}`;
      names.set(key, name);
    }
    return name;
  };
  return (a, b) => b.docCount - a.docCount || compareKeys(nameOf(b.key), nameOf(a.key));
}

function renderGrid(
  aggregation: GeoGridAggregation,
  partial: GeoGridPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const { shown } = valuePrinter(aggregation.grid);
  const bucketAt = (at: number): ShownBucket => {
    const bucket = partial.buckets[at] as Cell;
    return { name: '', head: { key: shown(bucket.key, 'long'), doc_count: bucket.docCount }, bucket };
  };
  return to.member(aggregation, false, partial.buckets.length, bucketAt, isFirst);
}
