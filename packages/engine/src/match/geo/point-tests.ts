/**
 * Whether points lie in a box, near a place, or within a polygon; and the documents that have such a point.
 */
import { assert } from '@shoal/core';
import {
  arcDistance,
  boxAround,
  ComparedShape,
  type GeoBox,
  type GeoPoint,
  GLOBE_GRID,
  latitudeOf,
  latitudeSteps,
  latitudeStepsUp,
  longitudeOf,
  longitudeSteps,
  longitudeStepsUp,
  type RelateBox,
} from '@shoal/geo';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { TestedDocs } from '../weight/tested-docs.ts';
import { nearDocs, relationOnGrid } from './near-docs.ts';
import { PointColumn } from './point-column.ts';

/** Whether the point at an index of a column passes. */
export type PointTest = (column: PointColumn, index: number) => boolean;

/** What points are sought: which pass, and how a box of them lies to those that do. */
export interface PointSearch {
  readonly passes: PointTest;
  readonly relate: RelateBox;
}

/** Documents with a point that passes; null where none of the segment has a point. */
export function docsWithPoint(view: SegmentView, field: string, { passes, relate }: PointSearch): DocIterator | null {
  const column = PointColumn.of(view, field);
  if (column === null) return null;
  const { docCount } = view.segment;
  const matches = (doc: number): boolean => {
    const end = column.start(doc + 1);
    for (let index = column.start(doc); index < end; index++) if (passes(column, index)) return true;
    return false;
  };
  // Runtime fields have no tree, nor have segments of older versions.
  const tree = view.segment.boxes(field);
  return tree === null
    ? new TestedDocs(docCount, matches)
    : nearDocs(tree, docCount, { relate, takesInside: true, matches });
}

/** Sides belong to the box; `west` greater than `east`: over the date line. */
export function inBox({ south, north, west, east }: GeoBox): PointSearch {
  const bottom = latitudeStepsUp(south);
  const top = latitudeSteps(north);
  const left = longitudeStepsUp(west);
  const right = longitudeSteps(east);
  const isOverDateLine = west > east;
  const passes: PointTest = (column, index) => {
    const lat = column.latitudeSteps(index);
    if (lat < bottom || lat > top) return false;
    const lon = column.longitudeSteps(index);
    return isOverDateLine ? lon >= left || lon <= right : lon >= left && lon <= right;
  };
  const relate: RelateBox = (minX, minY, maxX, maxY) => {
    if (minY > top || maxY < bottom) return 'outside';
    const isBeside = isOverDateLine ? minX > right && maxX < left : minX > right || maxX < left;
    if (isBeside) return 'outside';
    const isWithin = isOverDateLine ? minX >= left || maxX <= right : minX >= left && maxX <= right;
    return isWithin && minY >= bottom && maxY <= top ? 'inside' : 'crosses';
  };
  return { passes, relate };
}

/** @param metres > 0 */
export function nearPoint(centre: GeoPoint, metres: number): PointSearch {
  assert(metres > 0, `points within ${metres} metres`);
  const { lat, lon } = centre;
  const around = inBox(boxAround(centre, metres));
  const passes: PointTest = (column, index) =>
    around.passes(column, index) && arcDistance(lat, lon, column.latitude(index), column.longitude(index)) <= metres;
  const reaches = (x: number, y: number): boolean => arcDistance(lat, lon, latitudeOf(y), longitudeOf(x)) <= metres;
  const relate: RelateBox = (minX, minY, maxX, maxY) => {
    const relation = around.relate(minX, minY, maxX, maxY);
    if (relation !== 'inside') return relation;
    // Within a quarter of the globe to either side the farthest point of a box is one of its corners.
    if (Math.abs(longitudeOf(minX) - lon) >= 90 || Math.abs(longitudeOf(maxX) - lon) >= 90) return 'crosses';
    const isWithin = reaches(minX, minY) && reaches(minX, maxY) && reaches(maxX, minY) && reaches(maxX, maxY);
    return isWithin ? 'inside' : 'crosses';
  };
  return { passes, relate };
}

/** @param points closed: the last is the first; edges belong to the polygon */
export function inPolygon(points: readonly GeoPoint[]): PointSearch {
  assert(points.length >= 4, `a polygon of ${points.length} points`);
  const lats = Float64Array.from(points, ({ lat }) => lat);
  const lons = Float64Array.from(points, ({ lon }) => lon);
  const around = inBox({
    south: lats.reduce((a, b) => Math.min(a, b)),
    north: lats.reduce((a, b) => Math.max(a, b)),
    west: lons.reduce((a, b) => Math.min(a, b)),
    east: lons.reduce((a, b) => Math.max(a, b)),
  });
  const passes: PointTest = (column, index) =>
    around.passes(column, index) && isWithin(lats, lons, column.latitude(index), column.longitude(index));
  const chain = Float64Array.from(
    { length: 2 * points.length },
    (_, i) => ((i & 1) === 0 ? lons : lats)[i >>> 1] as number,
  );
  return {
    passes,
    relate: relationOnGrid(new ComparedShape([{ kind: 'area', rings: [chain] }], GLOBE_GRID), GLOBE_GRID),
  };
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
