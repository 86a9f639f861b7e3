import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { geohashCellBox, geotileCellBox } from './cell-boxes.ts';
import type { GeoBox } from './geo-box.ts';
import { cellName, cellNumbers, cellOfPoint, hasWideCells, wideCellNumber } from './geo-cells.ts';
import { latitudeOf, latitudeSteps, longitudeOf, longitudeSteps } from './geo-point.ts';

/** Points as they are kept: at the corners of cells, too. */
const point = fc
  .record({
    lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, -45, 0, 45, 90, 22.5)),
    lon: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, -90, 0, 90, 180, 22.5)),
  })
  .map(({ lat, lon }) => ({
    lat: latitudeOf(latitudeSteps(lat)),
    lon: longitudeOf(longitudeSteps(lon)),
  }));

const has = ({ west, east, south, north }: GeoBox, { lat, lon }: { lat: number; lon: number }): boolean =>
  lon >= west && lon <= east && lat >= south && lat <= north;

describe('the box of a cell', () => {
  test.each(['geohash', 'geotile'] as const)('of %s has the points of the cell and no others', (kind) => {
    fc.assert(
      fc.property(point, point, fc.integer({ min: 1, max: 9 }), (a, b, precision) => {
        const grid = { kind, precision };
        const nameOf = (of: typeof a): string => {
          const cell = hasWideCells(grid) ? wideCellNumber(grid, cellOfPoint(grid, of)) : cellNumbers(grid)(of);
          return cellName(grid, cell);
        };
        const box = kind === 'geohash' ? geohashCellBox(nameOf(a)) : geotileCellBox(nameOf(a));
        expect(has(box, a)).toBe(true);
        expect(has(box, b)).toBe(nameOf(a) === nameOf(b));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['1/2/0', 'no tile of zoom 1'],
    ['30/0/0', 'Invalid geotile_grid'],
    ['1/0', 'Invalid geotile_grid'],
    ['x', 'Invalid geotile_grid'],
  ])('%s is refused', (name, reason) => {
    expect(() => geotileCellBox(name)).toThrow(reason);
  });
});
