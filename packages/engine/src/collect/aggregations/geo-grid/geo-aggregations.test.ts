/** Aggregations of points, against counts over the points themselves. */
import {
  arcDistance,
  type CellGrid,
  cellName,
  cellNumbers,
  cellOfPoint,
  cellRank,
  type GeoPoint,
  wideCellNumber,
} from '@shoal/geo';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { at: { type: 'geo_point' }, k: { type: 'keyword' } } };

interface Source {
  readonly at: readonly GeoPoint[];
  readonly k: string;
}

/** Points whose latitude and longitude are steps of the column: nothing is rounded. */
const step = (most: number) => fc.integer({ min: -64, max: 63 }).map((n) => (n * most) / 64);
const point: fc.Arbitrary<GeoPoint> = fc.record({ lat: step(90), lon: step(180) });
const source: fc.Arbitrary<Source> = fc.record({ at: fc.array(point, { maxLength: 3 }), k: fc.constantFrom('a', 'b') });
const shards = fc.array(fc.array(source, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });

const answer = (docs: readonly (readonly object[])[], aggs: object) => answerOf(MAPPING, docs, aggs);
const nameOf = (grid: CellGrid, at: GeoPoint): string => cellName(grid, wideCellNumber(grid, cellOfPoint(grid, at)));

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
}

const bucketsOf = (shown: unknown): readonly Bucket[] => (shown as { readonly buckets: readonly Bucket[] }).buckets;

function countsOf(docs: readonly Source[], keysOf: (doc: Source) => readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const doc of docs) for (const key of new Set(keysOf(doc))) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

describe('grids', () => {
  const grid: fc.Arbitrary<CellGrid> = fc.oneof(
    fc.record({ kind: fc.constant('geohash' as const), precision: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('geotile' as const), precision: fc.integer({ min: 0, max: 29 }) }),
  );

  test('count the documents of each cell over all shards, the fullest first', async () => {
    await fc.assert(
      fc.asyncProperty(shards, grid, async (docs, { kind, precision }) => {
        const cells = { [`${kind}_grid`]: { field: 'at', precision }, aggs: { k: { terms: { field: 'k' } } } };
        const buckets = bucketsOf((await answer(docs, { cells })).cells);
        const counts = countsOf(docs.flat(), ({ at }) => at.map((one) => nameOf({ kind, precision }, one)));
        expect(Object.fromEntries(buckets.map(({ key, doc_count: n }) => [key, n]))).toEqual(counts);
        expect(buckets.map(({ doc_count: n }) => n)).toEqual(Object.values(counts).sort((a, b) => b - a));
        for (const bucket of buckets) {
          const inner = bucketsOf((bucket as unknown as { readonly k: unknown }).k);
          expect(inner.reduce((sum, { doc_count: n }) => sum + n, 0)).toBe(bucket.doc_count);
        }
      }),
    );
  });

  test('leave out what is outside their bounds, also over the date line', async () => {
    const docs = [[{ at: [10, 10] }, { at: [179, 0] }, { at: [-179, 0] }, { at: [0, 0] }]];
    const keys = async (bounds: object) => {
      const { cells } = await answer(docs, { cells: { geotile_grid: { field: 'at', precision: 4, bounds } } });
      return bucketsOf(cells)
        .map(({ key }) => key)
        .sort();
    };
    expect(await keys({ top: 20, left: 5, bottom: 5, right: 15 })).toEqual(['4/8/7']);
    expect(await keys({ top: 20, left: 170, bottom: -20, right: -170 })).toEqual(['4/0/8', '4/15/8']);
  });

  test('take a distance as precision, and a point for documents without one', async () => {
    const docs = [[{ at: [10, 10] }, { k: 'a' }]];
    const cells = { geohash_grid: { field: 'at', precision: '100km', missing: '52,13' } };
    expect(bucketsOf((await answer(docs, { cells })).cells).map(({ key }) => key)).toEqual(['u31p', 's1z0']);
  });

  test.each([
    [{ geohash_grid: { field: 'at', precision: 13 } }, 'failed to parse field [precision]'],
    [{ geotile_grid: { field: 'at', precision: 30 } }, 'failed to parse field [precision]'],
    [{ geotile_grid: { field: 'at', precision: '1km' } }, 'failed to parse field [precision]'],
    [{ geotile_grid: { field: 'k' } }, 'Field [k] of type [keyword] is not supported for aggregation [geotile_grid]'],
    [{ geohash_grid: { field: 'at', size: 0 } }, '[size] must be greater than 0'],
    [{ geohash_grid: { field: 'at', bounds: { top: 1 } } }, 'bottom latitude is invalid: NaN'],
  ])('%j are refused', async (cells, reason) => {
    await expect(answer([[{ at: [1, 1] }]], { cells })).rejects.toThrow(reason);
  });
});

test('a composite source of tiles goes page by page, by column and row', async () => {
  await fc.assert(
    fc.asyncProperty(shards, fc.constantFrom(0, 3, 7, 28), async (docs, precision) => {
      const single = docs.map((list) => list.map(({ at, k }) => ({ at: at.slice(0, 1), k })));
      const sources = [{ t: { geotile_grid: { field: 'at', precision } } }];
      const seen: (readonly [string, number])[] = [];
      let after: object = {};
      for (;;) {
        const { page } = await answer(single, { page: { composite: { size: 4, sources, ...after } } });
        const { buckets, after_key: last } = page as unknown as {
          buckets: readonly { key: { t: string }; doc_count: number }[];
          after_key?: object;
        };
        seen.push(...buckets.map(({ key, doc_count: n }) => [key.t, n] as const));
        if (last === undefined) break;
        after = { after: last };
      }
      const grid: CellGrid = { kind: 'geotile', precision };
      expect(Object.fromEntries(seen)).toEqual(countsOf(single.flat(), ({ at }) => at.map((one) => nameOf(grid, one))));
      const [zoomed] = [seen.map(([name]) => name.split('/').map(Number))];
      const order = zoomed.map(([, x, y]) => (x as number) * 2 ** 29 + (y as number));
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }),
    { numRuns: 50 },
  );
});

test('geo_distance counts the documents of each ring', async () => {
  await fc.assert(
    fc.asyncProperty(shards, point, async (docs, origin) => {
      const ranges = [{ to: 3000 }, { from: 3000, to: 9000, key: 'middle' }, { from: 9000 }];
      const { rings } = await answer(docs, { rings: { geo_distance: { field: 'at', origin, unit: 'km', ranges } } });
      const keyOf = (at: GeoPoint) => {
        const km = arcDistance(origin.lat, origin.lon, at.lat, at.lon) / 1000;
        return km < 3000 ? '*-3000.0' : km < 9000 ? 'middle' : '9000.0-*';
      };
      const counts = countsOf(docs.flat(), ({ at }) => at.map(keyOf));
      expect(Object.fromEntries(bucketsOf(rings).map(({ key, doc_count: n }) => [key, n]))).toEqual({
        '*-3000.0': 0,
        middle: 0,
        '9000.0-*': 0,
        ...counts,
      });
    }),
  );
});

test('a ring from 0 begins nowhere', async () => {
  const near = { geo_distance: { field: 'at', origin: [0, 0], keyed: true, ranges: [{ to: 100 }] } };
  expect((await answer([[{ at: [0, 0] }]], { near })).near).toEqual({
    buckets: { '*-100.0': { from: 0, to: 100, doc_count: 1 } },
  });
});

describe('geo_bounds and geo_centroid', () => {
  test('are the extremes and the mean of all points, by bucket', async () => {
    await fc.assert(
      fc.asyncProperty(shards, async (docs) => {
        const aggs = {
          c: { geo_centroid: { field: 'at' } },
          b: { geo_bounds: { field: 'at', wrap_longitude: false } },
        };
        const shown = await answer(docs, { k: { terms: { field: 'k' }, aggs } });
        for (const bucket of bucketsOf(shown.k)) {
          const points = docs.flat().flatMap(({ at, k }) => (k === bucket.key ? at : []));
          const { c, b } = bucket as unknown as {
            c: { count: number; location?: GeoPoint };
            b: { bounds?: { top_left: GeoPoint; bottom_right: GeoPoint } };
          };
          const [lats, lons] = [points.map(({ lat }) => lat), points.map(({ lon }) => lon)];
          expect(c.count).toBe(points.length);
          if (points.length === 0) {
            expect([c, b]).toEqual([{ count: 0 }, {}]);
            continue;
          }
          expect(c.location?.lat).toBeCloseTo(lats.reduce((x, y) => x + y) / lats.length, 6);
          expect(c.location?.lon).toBeCloseTo(lons.reduce((x, y) => x + y) / lons.length, 6);
          expect(b.bounds).toEqual({
            top_left: { lat: Math.max(...lats), lon: Math.min(...lons) },
            bottom_right: { lat: Math.min(...lats), lon: Math.max(...lons) },
          });
        }
      }),
    );
  });

  test('a box goes over the date line where that is the shorter way', async () => {
    const docs = [
      [
        {
          at: [
            [170, 10],
            [-175, 5],
          ],
        },
      ],
    ];
    const [wrapped, whole] = [{ geo_bounds: { field: 'at' } }, { geo_bounds: { field: 'at', wrap_longitude: false } }];
    const shown = await answer(docs, { wrapped, whole });
    const near = (lat: number, lon: number) => ({ lat: expect.closeTo(lat, 6), lon: expect.closeTo(lon, 6) });
    expect(shown.wrapped?.bounds).toEqual({ top_left: near(10, 170), bottom_right: near(5, -175) });
    expect(shown.whole?.bounds).toEqual({ top_left: near(10, -175), bottom_right: near(5, 170) });
  });
});

const narrowGrid: fc.Arbitrary<CellGrid> = fc.oneof(
  fc.record({ kind: fc.constant('geotile' as const), precision: fc.integer({ min: 0, max: 26 }) }),
  fc.record({ kind: fc.constant('geohash' as const), precision: fc.integer({ min: 1, max: 10 }) }),
);

test('cells that fit a double have the same number as wide ones, and the same name', () => {
  fc.assert(
    fc.property(point, narrowGrid, (at, grid) => {
      const wide = wideCellNumber(grid, cellOfPoint(grid, at));
      const number = cellNumbers(grid)(at);
      expect(BigInt(number)).toBe(wide);
      expect(cellName(grid, number)).toBe(cellName(grid, wide));
    }),
  );
});

test('cells of geohashes rank as their names do', () => {
  fc.assert(
    fc.property(point, point, fc.integer({ min: 1, max: 10 }), (a, b, precision) => {
      const grid: CellGrid = { kind: 'geohash', precision };
      const [x, y] = [a, b].map((at) => cellNumbers(grid)(at)) as [number, number];
      const [first, second] = [cellName(grid, x), cellName(grid, y)];
      expect(Math.sign(cellRank(grid, x) - cellRank(grid, y))).toBe(Number(first > second) - Number(first < second));
    }),
  );
});
