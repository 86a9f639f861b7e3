/**
 * Sort key of `_geo_distance`: how far the points of a document are from those of the request.
 */
import { assert, illegalArgument, javaDoubleText, ShoalError } from '@shoal/core';
import { arcDistance, type DistanceBetween, type GeoPoint, normalizedPoint, planeDistance } from '@shoal/geo';
import type { GeoSort, QueryValue, SortField, SortMode } from '@shoal/query';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { PointColumn } from '../../match/geo/point-column.ts';
import { type InnerDocs, innerDocs } from './inner-values.ts';
import type { SegmentKey, SortKey } from './segment-key.ts';

/** Distance of a document without a point. */
const NOWHERE = Number.POSITIVE_INFINITY;

/** @throws ShoalError where the field holds no points, or a point of the request lies nowhere on the globe */
export function geoDistanceKey(ctx: CompileContext, sort: SortField): SortKey['bind'] {
  const { field, geo } = sort;
  assert(geo !== undefined, `a sort by distances of [${field}] without points`);
  const mapping = ctx.mapping.field(field);
  if (mapping === null && !geo.ignoreUnmapped) {
    throw illegalArgument(`failed to find mapper for [${field}] for geo distance based sort`);
  }
  if (mapping !== null && mapping.kind !== 'geo_point') {
    throw illegalArgument(`field [${field}] of type [${mapping.kind}] does not hold points to sort by distance`);
  }
  const points = geo.points.map((point) => placeOf(field, point, geo));
  const between = isAlongArc(sort, geo) ? arcDistance : planeDistance;
  const bindInner = sort.nested === undefined ? null : innerDocs(ctx, sort.nested);
  return (view) => {
    const column = mapping === null ? null : PointColumn.of(view, mapping.path);
    const inner = bindInner?.(view) ?? null;
    return distanceKey(
      sort,
      column === null ? () => NOWHERE : distanceOf({ sort, geo, column, points, between, inner }),
    );
  };
}

/** From one point, in metres and the nearest first, distances are along the globe whatever was asked for: the field's own order. */
function isAlongArc({ order, mode }: SortField, { distanceType, points, unit }: GeoSort): boolean {
  const isOwnOrder = points.length === 1 && unit === 1 && order === 'asc' && (mode ?? 'min') === 'min';
  return distanceType === 'arc' || isOwnOrder;
}

function placeOf(field: string, point: GeoPoint, { validation }: GeoSort): GeoPoint {
  if (validation === 'coerce') return normalizedPoint(point);
  if (validation === 'strict' && !(Math.abs(point.lat) <= 90)) throw misplaced('latitude', point.lat, field);
  if (validation === 'strict' && !(Math.abs(point.lon) <= 180)) throw misplaced('longitude', point.lon, field);
  return point;
}

function misplaced(what: string, degrees: number, field: string): ShoalError {
  const reason = `illegal ${what} value [${javaDoubleText(degrees)}] for [GeoDistanceSort] for field [${field}].`;
  return new ShoalError('parse_exception', 400, reason);
}

interface Measured {
  readonly sort: SortField;
  readonly geo: GeoSort;
  readonly column: PointColumn;
  readonly points: readonly GeoPoint[];
  readonly between: DistanceBetween;
  /** Objects inside the document whose points are meant; null: those of the document. */
  readonly inner: InnerDocs | null;
}

/** Distance of a document in the unit of the request. */
function distanceOf({ sort, geo, column, points, between, inner }: Measured): (doc: number) => number {
  const mode = sort.mode ?? (sort.order === 'asc' ? 'min' : 'max');
  const measure = (doc: number, distances: number[]): void => {
    const end = column.start(doc + 1);
    for (let index = column.start(doc); index < end; index++) {
      const lat = column.latitude(index);
      const lon = column.longitude(index);
      for (const point of points) distances.push(between(point.lat, point.lon, lat, lon) / geo.unit);
    }
  };
  return (doc) => {
    const distances: number[] = [];
    let count = 0;
    if (inner === null) measure(doc, distances);
    else {
      inner.each(doc, (at) => {
        if (column.start(at) < column.start(at + 1) && ++count > inner.limit) return false;
        measure(at, distances);
        return true;
      });
    }
    return distances.length === 0 ? NOWHERE : oneOf(distances, mode);
  };
}

function oneOf(distances: number[], mode: SortMode): number {
  if (distances.length === 1) return distances[0] as number;
  switch (mode) {
    case 'min':
      return distances.reduce((a, b) => Math.min(a, b));
    case 'max':
      return distances.reduce((a, b) => Math.max(a, b));
    case 'median': {
      const sorted = distances.sort((a, b) => a - b);
      const middle = sorted.length >> 1;
      const upper = sorted[middle] as number;
      return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
    }
    default:
      return distances.reduce((a, b) => a + b) / distances.length;
  }
}

function distanceKey({ order }: SortField, distance: (doc: number) => number): SegmentKey {
  const sign = order === 'desc' ? -1 : 1;
  return {
    key: (doc) => sign * distance(doc),
    keyOfValue: (value) => sign * distanceOfCursor(value),
    column: (_docs, keys) => ({ kind: 'double', values: Float64Array.from(keys, (key) => sign * key) }),
  };
}

function distanceOfCursor(value: QueryValue): number {
  if (value === null) return NOWHERE;
  const distance = typeof value === 'boolean' || value === '' ? Number.NaN : Number(value);
  if (Number.isNaN(distance)) {
    throw illegalArgument(`Failed to parse search_after value for field [_geo_distance]: [${String(value)}]`);
  }
  return distance;
}
