import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arcDistance, boxAround } from './distance.ts';
import { parseDistance } from './distance-unit.ts';
import { normalizedPoint, packPoint, unpackPoint } from './geo-point.ts';
import { geohashBox, geohashOf } from './geohash.ts';
import { parsePoint } from './parse-point.ts';

const point = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});
const ANY_Z = { ignoresZ: true };

describe('a packed point', () => {
  test('is the point, at most a step to the south west', () => {
    fc.assert(
      fc.property(point, ({ lat, lon }) => {
        const packed = packPoint({ lat, lon });
        const near = unpackPoint(packed);
        for (const [exact, rounded, step] of [
          [lat, near.lat, 180 / 2 ** 32],
          [lon, near.lon, 360 / 2 ** 32],
        ] as const) {
          expect(rounded).toBeLessThanOrEqual(exact);
          expect(exact - rounded).toBeLessThanOrEqual(step);
        }
        expect(packPoint(near)).toBe(packed);
        if (Number.isSafeInteger(Number(packed))) expect(unpackPoint(Number(packed))).toEqual(near);
      }),
    );
  });

  test('near the equator and the first meridian is the same as a number', () => {
    for (const lat of [-0.05, -1e-9, 0, 1e-9, 0.05]) {
      for (const lon of [-179, -1e-9, 0, 1e-9, 179]) {
        const packed = packPoint({ lat, lon });
        expect(unpackPoint(Number(packed))).toEqual(unpackPoint(packed));
      }
    }
  });
});

describe('a geohash', () => {
  test('names the cell that has the point', () => {
    fc.assert(
      fc.property(point, fc.integer({ min: 1, max: 12 }), (where, letters) => {
        const hash = geohashOf(where, letters);
        const { south, north, west, east } = geohashBox(hash);
        expect(hash).toHaveLength(letters);
        expect(where.lat >= south && where.lat <= north && where.lon >= west && where.lon <= east).toBe(true);
      }),
    );
  });

  test('of known places', () => {
    expect(geohashOf({ lat: 57.64911, lon: 10.40744 }, 11)).toBe('u4pruydqqvj');
    expect(geohashOf({ lat: 90, lon: 180 }, 3)).toBe('zzz');
    expect(() => geohashBox('a1')).toThrow('unsupported symbol [a] in geohash [a1]');
  });
});

describe('a distance', () => {
  test('lies within its box', () => {
    fc.assert(
      fc.property(point, point, (from, to) => {
        const metres = arcDistance(from.lat, from.lon, to.lat, to.lon);
        const { south, north, west, east } = boxAround(from, metres);
        expect(to.lat >= south && to.lat <= north).toBe(true);
        expect(west <= east ? to.lon >= west && to.lon <= east : to.lon >= west || to.lon <= east).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is written with a unit', () => {
    expect(['12km', '1mi', '3', '2 nmi', '1e2cm', '5meters'].map((text) => parseDistance(text))).toEqual([
      12_000, 1609.344, 3, 3704, 1, 5,
    ]);
    expect(parseDistance('2', 'km')).toBe(2000);
    expect(() => parseDistance('far')).toThrow('For input string: "far"');
  });
});

test('a point beyond a pole is one on the other side of it', () => {
  expect(normalizedPoint({ lat: 91, lon: 10 })).toEqual({ lat: 89, lon: -170 });
  expect(normalizedPoint({ lat: 45, lon: 190 })).toEqual({ lat: 45, lon: -170 });
  expect(normalizedPoint({ lat: -90, lon: -180 })).toEqual({ lat: -90, lon: 180 });
});

describe('a point of a document', () => {
  test.each([
    [{ lat: 41.12, lon: -71.34 }],
    [{ lat: '41.12', lon: '-71.34' }],
    ['41.12,-71.34'],
    [' 41.12 , -71.34 , 9'],
    [[-71.34, 41.12]],
    [[-71.34, 41.12, 9]],
    ['POINT (-71.34 41.12)'],
    ['point(-71.34 41.12 9)'],
    [{ type: 'Point', coordinates: [-71.34, 41.12] }],
  ])('may be written %j', (value) => {
    expect(parsePoint(value, ANY_Z)).toEqual({ lat: 41.12, lon: -71.34 });
  });

  test.each([
    ['1,2,3,4', 'failed to parse [1,2,3,4], expected 2 or 3 coordinates but found: [4]'],
    ['abc,1', 'latitude must be a number'],
    [{ lat: 1 }, 'field [lon] missing'],
    [{ lat: 1, lon: 2, x: 3 }, 'field must be either [lon|lat], [type|coordinates], or [geohash]'],
    [{ lat: 'a', lon: 1 }, '[lon] and [lat] must be valid double values'],
    ['hello world', 'unsupported symbol [l] in geohash [hello world]'],
    [true, 'geo_point expected'],
    ['', 'empty geohash'],
  ])('is refused as %j', (value, reason) => {
    expect(() => parsePoint(value, ANY_Z)).toThrow(expect.objectContaining({ type: 'parse_exception', reason }));
  });

  test('has a third coordinate only where that is ignored', () => {
    expect(() => parsePoint([1, 2, 3], { ignoresZ: false })).toThrow('found Z value [3]');
  });
});
