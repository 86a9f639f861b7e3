/**
 * Cells of grids as boxes that have the points of the cell and no others.
 *
 * Boxes have all of their sides, cells two: the others belong to the cells beside them. Points are kept in steps of whole numbers, so
 * that half a step less keeps a side out.
 */

import { illegalArgument } from '@shoal/core';
import type { GeoBox } from './geo-box.ts';
import { tileOfName, ZOOM_MAX } from './geo-cells.ts';
import { geohashBox } from './geohash.ts';

/** Half of the step that longitudes are kept in, in degrees. */
const HALF_LON_STEP = 180 / 2 ** 32;
/** Half of the step that latitudes are kept in, in degrees. */
const HALF_LAT_STEP = 90 / 2 ** 32;

/** @throws ShoalError `illegal_argument_exception` for what is no geohash */
export function geohashCellBox(hash: string): GeoBox {
  const { west, east, south, north } = geohashBox(hash);
  return { west, east: east - HALF_LON_STEP, south, north: north - HALF_LAT_STEP };
}

/** @throws ShoalError `illegal_argument_exception` for what is no `zoom/x/y` of a tile */
export function geotileCellBox(name: string): GeoBox {
  const [zoom, x, y] = name.split('/').map(Number);
  if (zoom === undefined || x === undefined || y === undefined || !(zoom <= ZOOM_MAX)) {
    throw illegalArgument(`Invalid geotile_grid hash string of ${name}. Must be three integers in a form "zoom/x/y".`);
  }
  tileOfName(name, zoom);
  const tiles = 2 ** zoom;
  return {
    west: (x / tiles) * 360 - 180,
    east: ((x + 1) / tiles) * 360 - 180 - HALF_LON_STEP,
    // The rows at the poles have what is beyond the map, too.
    south: y === tiles - 1 ? -90 : mapLatitude((y + 1) / tiles) + HALF_LAT_STEP,
    north: y === 0 ? 90 : mapLatitude(y / tiles),
  };
}

/** @param down distance from the north of the map, 0 to 1 */
function mapLatitude(down: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * down))) * 180) / Math.PI;
}
