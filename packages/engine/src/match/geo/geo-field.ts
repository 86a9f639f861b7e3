/**
 * The field and the coordinates of a query or sort of places, checked against the shard.
 */
import { javaDoubleText, ShoalError } from '@shoal/core';
import { type GeoBox, type Geometry, type GeoPoint, GLOBE_GRID, normalizedPoint, queriedParts } from '@shoal/geo';
import type { PointValidation } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { cachedFilterWeight, filterKey } from '../context/cached-filters.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';
import { docsWithPoint, type PointSearch } from './point-tests.ts';
import { shapeWeight } from './shape-weight.ts';

export interface GeoFieldUse {
  readonly field: string;
  readonly ignoreUnmapped: boolean;
}

/** Fields that a kind of query takes, and the errors of others. */
export interface GeoFieldErrors {
  readonly takesShapes: boolean;
  readonly unknown: (field: string) => string;
  readonly otherType: (field: string, type: string) => string;
}

/** Errors of `geo_bounding_box` and `geo_distance`. */
export function pointOrShape(query: string): GeoFieldErrors {
  return {
    takesShapes: true,
    unknown: (field) => `failed to find geo field [${field}]`,
    otherType: (field, type) =>
      `type [${type}] for field [${field}] is not supported for [${query}] queries. Must be one of [geo_point] or [geo_shape]`,
  };
}

/** The field; null where no document can match. */
export function geoField(
  ctx: CompileContext,
  { field, ignoreUnmapped }: GeoFieldUse,
  errors: GeoFieldErrors,
): FieldMapping | null {
  const mapping = ctx.mapping.field(field);
  if (mapping === null && ignoreUnmapped) return null;
  if (mapping === null) throw queryShardError(ctx.shard, errors.unknown(field));
  if (mapping.kind !== 'geo_point' && !(errors.takesShapes && mapping.kind === 'geo_shape')) {
    throw queryShardError(ctx.shard, errors.otherType(field, mapping.kind));
  }
  return mapping;
}

export interface PlaceTest {
  readonly kind: string;
  /** What tells the test from others of its kind on the same field. */
  readonly numbers: readonly number[];
  readonly points: PointSearch;
  /** The same as a shape, for fields of shapes; left out by kinds that take none. */
  readonly shape?: Geometry;
  readonly text: string;
  /** Text where it is asked of a column; left out where it is the same. */
  readonly told?: string;
}

/** Documents with a point that passes, or a shape that has a point in common with that of the test. */
export function placeWeight(ctx: CompileContext, field: FieldMapping | null, test: PlaceTest, use: ClauseUse): Weight {
  if (field === null) return NONE_WEIGHT;
  const { path } = field;
  if (field.kind === 'geo_shape' && test.shape !== undefined) {
    const grid = GLOBE_GRID;
    const parts = queriedParts(test.shape, grid);
    const key = [test.kind, ...test.numbers.map(String)];
    return shapeWeight(ctx, { path, parts, grid, relation: 'intersects', key, text: `${path}:${test.text}` }, use);
  }
  const key = filterKey(test.kind, path, test.numbers.map(String));
  return cachedFilterWeight(
    ctx,
    key,
    (view) => docsWithPoint(view, path, test.points),
    use,
    `${path}:${test.text}`,
    `${path}:${test.told ?? test.text}`,
  );
}

/** A point of the globe for one of a request. */
export function validPoint(ctx: CompileContext, point: GeoPoint, validation: PointValidation, what: string): GeoPoint {
  if (validation === 'coerce') return normalizedPoint(point);
  if (validation === 'strict') {
    checkDegrees(ctx, point.lat, 90, `${what} latitude`);
    checkDegrees(ctx, point.lon, 180, `${what} longitude`);
  }
  return point;
}

export function validBox(ctx: CompileContext, box: GeoBox, validation: PointValidation): GeoBox {
  const { north, south, west, east } = box;
  if (validation === 'coerce') {
    const upper = normalizedPoint({ lat: north, lon: west });
    const lower = normalizedPoint({ lat: south, lon: east });
    // All the way around: the same meridian twice, which is not the line that the two would become.
    const isWhole = east > west && (east - west) % 360 === 0;
    return {
      north: upper.lat,
      south: lower.lat,
      west: isWhole ? -180 : upper.lon,
      east: isWhole ? 180 : lower.lon,
    };
  }
  if (validation === 'strict') {
    checkDegrees(ctx, north, 90, '[geo_bounding_box] top latitude');
    checkDegrees(ctx, west, 180, '[geo_bounding_box] left longitude');
    checkDegrees(ctx, south, 90, '[geo_bounding_box] bottom latitude');
    checkDegrees(ctx, east, 180, '[geo_bounding_box] right longitude');
  }
  return box;
}

function checkDegrees({ shard }: CompileContext, degrees: number, most: number, what: string): void {
  if (Math.abs(degrees) <= most) return;
  const reason = `Validation Failed: 1: ${what} is invalid: ${javaDoubleText(degrees)};`;
  const cause = new ShoalError('query_validation_exception', 400, reason);
  throw queryShardError(shard, "couldn't validate latitude/ longitude values", cause);
}
