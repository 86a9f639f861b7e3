/**
 * `geohash_grid` and `geotile_grid`: a bucket for each cell of the globe that has points.
 */
import { type StepMeter, type Steps, sortInSteps } from '@shoal/core';
import { cellRank, GEOHASH_LETTERS_MAX, hasWideCells } from '@shoal/geo';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { mergedByKey } from '../../contract/merged-by-key.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import type { ReduceContext } from '../../contract/reduce-context.ts';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import { keyText } from '../../render/key-text.ts';
import type { GridOptions } from '../../request/grid-options.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
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
  const merged = yield* mergedByKey(aggregation, partials, context);
  if (!context.isFinal) return { kind: 'geoGrid', buckets: merged };
  const buckets = yield* firstCells(aggregation, merged, context.meter);
  context.buckets.take(buckets.length);
  return { kind: 'geoGrid', buckets };
}

interface RankedCell {
  readonly cell: Cell;
  readonly docCount: number;
  /** What comes first among equally full cells is larger. */
  readonly rank: number | bigint | string;
}

/** The fullest first; of equally full ones the last by name, or by column and row. */
function* firstCells({ grid, size }: GeoGridAggregation, cells: readonly Cell[], meter: StepMeter): Steps<Cell[]> {
  const rankOf = cellRanks(grid);
  const ranked: RankedCell[] = [];
  for (const cell of cells) {
    ranked.push({ cell, docCount: cell.docCount, rank: rankOf(cell.key) });
    if (meter.isDue(0.1)) yield;
  }
  const byRank = (a: RankedCell, b: RankedCell): number =>
    b.docCount - a.docCount || (a.rank < b.rank ? 1 : Number(a.rank > b.rank) * -1);
  const sorted = yield* sortInSteps(ranked, byRank, meter);
  return sorted.slice(0, size).map(({ cell }) => cell);
}

function cellRanks(grid: GridOptions): (key: BucketKey) => number | bigint | string {
  if (grid.kind === 'geotile') return (key) => key;
  if (!hasWideCells(grid)) return (key) => cellRank(grid, Number(key));
  const { shown } = valuePrinter(grid);
  return (key) => {
    const name = String(shown(key, 'long'));
    // In 64 bits the eastern half of the longest geohashes is negative, and before the western one.
    return grid.precision === GEOHASH_LETTERS_MAX ? `${name < 'h' ? 'west' : 'east'}${name}` : name;
  };
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
