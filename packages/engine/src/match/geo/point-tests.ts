/**
 * Whether points lie in a box, near a place, or within a polygon; and the documents that have such a point.
 */
import { assert } from '@shoal/core';
import {
  arcDistance,
  boxAround,
  type GeoBox,
  type GeoPoint,
  latitudeSteps,
  latitudeStepsUp,
  longitudeSteps,
  longitudeStepsUp,
} from '@shoal/geo';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { TestedDocs } from '../weight/tested-docs.ts';
import { PointColumn } from './point-column.ts';

/** Whether the point at an index of a column passes. */
export type PointTest = (column: PointColumn, index: number) => boolean;

/** Documents with a point that passes; null where none of the segment has a point. */
export function docsWithPoint(view: SegmentView, field: string, test: PointTest): DocIterator | null {
  const column = PointColumn.of(view, field);
  if (column === null) return null;
  return new TestedDocs(view.segment.docCount, (doc) => {
    const end = column.start(doc + 1);
    for (let index = column.start(doc); index < end; index++) if (test(column, index)) return true;
    return false;
  });
}

/** Sides belong to the box; `west` greater than `east`: over the date line. */
export function inBox({ south, north, west, east }: GeoBox): PointTest {
  const bottom = latitudeStepsUp(south);
  const top = latitudeSteps(north);
  const left = longitudeStepsUp(west);
  const right = longitudeSteps(east);
  const isOverDateLine = west > east;
  return (column, index) => {
    const lat = column.latitudeSteps(index);
    if (lat < bottom || lat > top) return false;
    const lon = column.longitudeSteps(index);
    return isOverDateLine ? lon >= left || lon <= right : lon >= left && lon <= right;
  };
}

/** @param metres > 0 */
export function nearPoint(centre: GeoPoint, metres: number): PointTest {
  assert(metres > 0, `points within ${metres} metres`);
  const { lat, lon } = centre;
  const isInBox = inBox(boxAround(centre, metres));
  return (column, index) =>
    isInBox(column, index) && arcDistance(lat, lon, column.latitude(index), column.longitude(index)) <= metres;
}

/** @param points closed: the last is the first; edges belong to the polygon */
export function inPolygon(points: readonly GeoPoint[]): PointTest {
  assert(points.length >= 4, `a polygon of ${points.length} points`);
  const lats = Float64Array.from(points, ({ lat }) => lat);
  const lons = Float64Array.from(points, ({ lon }) => lon);
  const isInBox = inBox({
    south: lats.reduce((a, b) => Math.min(a, b)),
    north: lats.reduce((a, b) => Math.max(a, b)),
    west: lons.reduce((a, b) => Math.min(a, b)),
    east: lons.reduce((a, b) => Math.max(a, b)),
  });
  return (column, index) =>
    isInBox(column, index) && isWithin(lats, lons, column.latitude(index), column.longitude(index));
}

/** Counts the edges that a line to the east crosses. */
function isWithin(lats: Float64Array, lons: Float64Array, lat: number, lon: number): boolean {
  let isInside = false;
  for (let i = 1; i < lats.length; i++) {
    const lat1 = lats[i - 1] as number;
    const lat2 = lats[i] as number;
    if ((lat < lat1 && lat < lat2) || (lat > lat1 && lat > lat2)) continue;
    const lon1 = lons[i - 1] as number;
    const lon2 = lons[i] as number;
    const side = (lat2 - lat1) * (lon - lon1) - (lon2 - lon1) * (lat - lat1);
    if (side === 0 && lon >= Math.min(lon1, lon2) && lon <= Math.max(lon1, lon2)) return true;
    if (lat1 > lat === lat2 > lat) continue;
    if (lat2 > lat1 === side < 0) isInside = !isInside;
  }
  return isInside;
}
