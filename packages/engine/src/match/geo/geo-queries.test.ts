import { arcDistance, type GeoBox, type GeoPoint } from '@shoal/geo';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { at: { type: 'geo_point' }, k: { type: 'keyword' } } };
/** A step of the column is smaller than this: places nearer to an edge may fall on either side of it. */
const STEP = 1e-7;

const degrees = (most: number) =>
  fc.oneof(
    fc.double({ min: -most, max: most, noNaN: true }),
    fc.double({ min: -2, max: 2, noNaN: true }),
    fc.integer({ min: -most, max: most }),
  );
const point: fc.Arbitrary<GeoPoint> = fc.record({ lat: degrees(90), lon: degrees(180) });
const places = fc.array(fc.array(point, { maxLength: 3 }), { minLength: 1, maxLength: 12 });

async function found(docs: readonly (readonly GeoPoint[])[], query: object): Promise<Set<string>> {
  const sources = docs.map((at, id) => ({ id: String(id), source: JSON.stringify({ at }) }));
  const segments = [sources.slice(0, 5), sources.slice(5)].filter(({ length }) => length > 0);
  const searched = memoryContext(MAPPING, segments);
  return new Set(idsOf(searched, (await runQuery(searched, { query, size: 100 })).ords));
}

/** `true`, `false`, or null where it is a matter of rounding. */
type Verdict = (place: GeoPoint) => boolean | null;

async function checkFound(docs: readonly (readonly GeoPoint[])[], query: object, verdict: Verdict): Promise<void> {
  const ids = await found(docs, query);
  for (const [id, at] of docs.entries()) {
    const verdicts = at.map(verdict);
    if (verdicts.includes(true)) expect(ids).toContain(String(id));
    else if (!verdicts.includes(null)) expect(ids).not.toContain(String(id));
  }
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= STEP;

const inBox =
  ({ south, north, west, east }: GeoBox): Verdict =>
  ({ lat, lon }) => {
    if ([south, north].some((side) => isNear(lat, side))) return null;
    if ([west, east, -180, 180].some((side) => isNear(lon, side))) return null;
    const isBetween = west <= east ? lon > west && lon < east : lon > west || lon < east;
    return lat > south && lat < north && isBetween;
  };

describe('documents with a point', () => {
  test('in a box are found, also over the date line', async () => {
    await fc.assert(
      fc.asyncProperty(places, point, point, async (docs, one, other) => {
        const box = {
          north: Math.max(one.lat, other.lat),
          south: Math.min(one.lat, other.lat),
          west: one.lon,
          east: other.lon,
        };
        const at = { top: box.north, bottom: box.south, left: box.west, right: box.east };
        await checkFound(docs, { geo_bounding_box: { at } }, inBox(box));
      }),
    );
  });

  test('near a place are found', async () => {
    const metres = fc.oneof(fc.integer({ min: 1, max: 20_000_000 }), fc.integer({ min: 1, max: 300_000 }));
    await fc.assert(
      fc.asyncProperty(places, point, metres, async (docs, at, distance) => {
        await checkFound(docs, { geo_distance: { at, distance } }, (place) => {
          const measured = arcDistance(at.lat, at.lon, place.lat, place.lon);
          return Math.abs(measured - distance) < 1 ? null : measured < distance;
        });
      }),
    );
  });

  test('within a triangle are found', async () => {
    const side = (a: GeoPoint, b: GeoPoint, p: GeoPoint) =>
      (b.lat - a.lat) * (p.lon - a.lon) - (b.lon - a.lon) * (p.lat - a.lat);
    await fc.assert(
      fc.asyncProperty(places, point, point, point, async (docs, a, b, c) => {
        await checkFound(docs, { geo_polygon: { at: { points: [a, b, c] } } }, (place) => {
          const sides = [side(a, b, place), side(b, c, place), side(c, a, place)];
          if (sides.some((value) => Math.abs(value) < 1e-3)) return null;
          return sides.every((value) => value > 0) || sides.every((value) => value < 0);
        });
      }),
    );
  });

  test('on an edge of a polygon are within it, those in its bay are not', async () => {
    const bay = ['0,0', '0,10', '10,10', '10,6', '4,6', '4,4', '10,4', '10,0'];
    const docs = [
      { lat: 5, lon: 2 },
      { lat: 8, lon: 5 },
      { lat: 4, lon: 5 },
      { lat: 2, lon: 5 },
      { lat: 0, lon: 3 },
    ];
    const ids = await found(
      docs.map((at) => [at]),
      { geo_polygon: { at: { points: bay } } },
    );
    expect([...ids].sort()).toEqual(['0', '2', '3', '4']);
  });
});

describe('coordinates beyond the globe', () => {
  const docs = [[{ lat: 10, lon: -170 }], [{ lat: 10, lon: 170 }]];

  test('go around it where they are coerced', async () => {
    const box = { at: { top: 20, bottom: 0, left: 185, right: 195 }, validation_method: 'COERCE' };
    expect([...(await found(docs, { geo_bounding_box: box }))]).toEqual(['0']);
    expect([...(await found(docs, { geo_bounding_box: { ...box, type: 'MEMORY' } }))]).toEqual(['0']);
    const all = { at: { top: 20, bottom: 0, left: -200, right: 160 }, validation_method: 'coerce' };
    expect((await found(docs, { geo_bounding_box: all })).size).toBe(2);
    const near = { at: { lat: 10, lon: 530 }, distance: '10km', validation_method: 'coerce' };
    expect([...(await found(docs, { geo_distance: near }))]).toEqual(['1']);
  });

  test.each([
    [{ geo_bounding_box: { at: { top: 91, bottom: 0, left: 1, right: 2 } } }, 'top latitude is invalid: 91.0'],
    [{ geo_distance: { at: [200, 1], distance: '1km' } }, '[geo_distance] center point longitude is invalid: 200.0'],
  ])('are an error: %j', async (query, reason) => {
    await expect(found(docs, query)).rejects.toMatchObject({
      type: 'query_shard_exception',
      causedBy: { type: 'query_validation_exception', reason: expect.stringContaining(reason) },
    });
  });

  test('of a corner of a polygon are an error', async () => {
    const points = [
      [0, 0],
      [0, 5],
      [5, 600],
    ];
    await expect(found(docs, { geo_polygon: { at: { points } } })).rejects.toThrow(
      'illegal latitude value [600.0] for [geo_polygon]',
    );
  });
});

test.each([
  [{ geo_bounding_box: { k: { top: 1, bottom: 0, left: 1, right: 2 } } }, 'for field [k] is not supported'],
  [{ geo_bounding_box: { q: { top: 1, bottom: 0, left: 1, right: 2 } } }, 'failed to find geo field [q]'],
  [{ geo_distance: { q: [1, 2], distance: 1 } }, 'failed to find geo field [q]'],
  [{ geo_polygon: { k: { points: ['1,1', '2,2', '3,1'] } } }, 'field [k] is not a geo_point field'],
  [{ geo_bounding_box: { at: { top: 1, bottom: 2, left: 1, right: 2 } } }, 'top is below bottom corner: 1.0 vs. 2.0'],
  [{ geo_bounding_box: { at: { top: 1 } } }, 'bottom latitude is invalid: NaN'],
  [{ geo_bounding_box: { at: { foo: 1 } } }, 'failed to parse bounding box. unexpected field [foo]'],
  [{ geo_bounding_box: {} }, 'bounding box not provided'],
  [{ geo_bounding_box: { at: [1, 2] } }, 'failed to parse [geo_bounding_box] query. unexpected field [at]'],
  [{ geo_distance: { at: [1, 2] } }, "geo_distance requires 'distance' to be specified"],
  [{ geo_distance: { at: [1, 2], distance: -1 } }, 'distance must be greater than zero'],
  [{ geo_distance: { at: [1, 2], distance: 1, distance_type: 'x' } }, 'No geo distance for [x]'],
  [{ geo_polygon: { at: { points: ['1,1', '2,2'] } } }, 'too few points defined for geo_polygon query'],
])('a query that means nothing is refused: %j', async (query, reason) => {
  await expect(found([[{ lat: 1, lon: 1 }]], query)).rejects.toThrow(reason);
});

test('a field that is not mapped may be ignored', async () => {
  const query = { geo_distance: { q: [1, 2], distance: 1, ignore_unmapped: true } };
  expect((await found([[{ lat: 1, lon: 1 }]], query)).size).toBe(0);
});

test.each([
  [{ top_right: { lat: 60, lon: 20 }, bottom_left: '40,0' }],
  [{ wkt: 'BBOX (0, 20, 60, 40)' }],
  [{ top_left: 'u', bottom_right: 'u' }],
])('a box may be written %j', async (at) => {
  expect((await found([[{ lat: 50, lon: 10 }]], { geo_bounding_box: { at } })).size).toBe(1);
});

describe('scores by distance', () => {
  const docs = [
    [{ lat: 52, lon: 13 }],
    [{ lat: 53, lon: 13 }],
    [],
    [
      { lat: 0, lon: 0 },
      { lat: 52.1, lon: 13 },
    ],
  ];
  const ranked = async (query: object) => {
    const sources = docs.map((at, id) => ({ id: String(id), source: JSON.stringify({ at }) }));
    const searched = memoryContext(MAPPING, [sources]);
    return idsOf(searched, (await runQuery(searched, { query })).ords);
  };

  test('distance_feature ranks by the nearest point', async () => {
    const query = { distance_feature: { field: 'at', origin: [13, 52], pivot: '10km' } };
    expect(await ranked(query)).toEqual(['0', '3', '1']);
  });

  test('decay functions rank by the points that multi_value_mode asks for', async () => {
    const at = { origin: '52,13', scale: '100km', offset: '1km' };
    expect(await ranked({ function_score: { gauss: { at } } })).toEqual(['0', '2', '3', '1']);
    expect(await ranked({ function_score: { exp: { at, multi_value_mode: 'max' } } })).toEqual(['0', '2', '1', '3']);
  });
});
