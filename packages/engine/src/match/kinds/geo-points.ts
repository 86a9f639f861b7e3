/**
 * geo_bounding_box, geo_distance and geo_polygon on a shard.
 */
import { javaDoubleText } from '@shoal/core';
import { type Geometry, type GeoPoint, normalizedPoint } from '@shoal/geo';
import type { GeoBoundingBoxQuery, GeoDistanceQuery, GeoPolygonQuery } from '@shoal/query';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';
import { type GeoFieldErrors, geoField, placeWeight, pointOrShape, validBox, validPoint } from '../geo/geo-field.ts';
import { inBox, inPolygon, nearPoint } from '../geo/point-tests.ts';
import { markNothing, type QueryBehaviour } from './query-behaviour.ts';

const POLYGON_ERRORS: GeoFieldErrors = {
  takesShapes: false,
  unknown: (field) => `failed to find geo_point field [${field}]`,
  otherType: (field) => `field [${field}] is not a geo_point field`,
};

export const geoBoundingBox: QueryBehaviour<GeoBoundingBoxQuery> = {
  compile(ctx, query, use) {
    const field = geoField(ctx, query, pointOrShape('geo_bounding_box'));
    const box = validBox(ctx, query.box, query.validation);
    const { south, north, west, east } = box;
    const numbers = [south, north, west, east];
    const shape: Geometry = { kind: 'Envelope', ...box };
    const texts = { text: boxText(box), told: columnBoxText(box) };
    return placeWeight(ctx, field, { kind: 'geoBox', numbers, points: inBox(box), shape, ...texts }, use);
  },
  describe: (query) => ({ type: 'IndexOrDocValuesQuery', text: `${query.field}:${boxText(query.box)}` }),
  mark: markNothing,
};

export const geoDistance: QueryBehaviour<GeoDistanceQuery> = {
  compile(ctx, query, use) {
    const field = geoField(ctx, query, pointOrShape('geo_distance'));
    const centre = validPoint(ctx, query.centre, query.validation, '[geo_distance] center point');
    const { metres } = query;
    const numbers = [centre.lat, centre.lon, metres];
    const points = nearPoint(centre, metres);
    const shape: Geometry = { kind: 'Circle', centre: [centre.lon, centre.lat], radius: metres };
    return placeWeight(ctx, field, { kind: 'geoDistance', numbers, points, shape, text: circleText(query) }, use);
  },
  describe: (query) => ({ type: 'IndexOrDocValuesQuery', text: `${query.field}:${circleText(query)}` }),
  mark: markNothing,
};

export const geoPolygon: QueryBehaviour<GeoPolygonQuery> = {
  compile(ctx, query, use) {
    const field = geoField(ctx, query, POLYGON_ERRORS);
    const corners = cornersOf(ctx, query);
    const numbers = corners.flatMap(({ lat, lon }) => [lat, lon]);
    const points = inPolygon(corners);
    return placeWeight(ctx, field, { kind: 'geoPolygon', numbers, points, text: polygonText(query) }, use);
  },
  describe: (query) => ({ type: 'IndexOrDocValuesQuery', text: `${query.field}:${polygonText(query)}` }),
  mark: markNothing,
};

function cornersOf({ shard }: CompileContext, { points, validation }: GeoPolygonQuery): readonly GeoPoint[] {
  if (validation === 'coerce') return points.map(normalizedPoint);
  for (const { lat, lon } of validation === 'strict' ? points : []) {
    if (!(Math.abs(lat) <= 90)) {
      throw queryShardError(shard, `illegal latitude value [${javaDoubleText(lat)}] for [geo_polygon]`);
    }
    if (!(Math.abs(lon) <= 180)) {
      throw queryShardError(shard, `illegal longitude value [${javaDoubleText(lon)}] for [geo_polygon]`);
    }
  }
  return points;
}

type Box = GeoBoundingBoxQuery['box'];

function boxText(box: Box): string {
  const { south, north, west, east } = indexedBox(box);
  return `[${south} TO ${north}],[${west} TO ${east}]`;
}

/** The box as it is asked of a column. */
function columnBoxText(box: Box): string {
  const { south, north, west, east } = indexedBox(box);
  return `box(minLat=${south}, maxLat=${north}, minLon=${west}, maxLon=${east})`;
}

function indexedBox({ south, north, west, east }: Box): Readonly<Record<keyof Box, string>> {
  const { ceil, floor } = Math;
  return {
    south: indexedDegrees(south, 180, ceil),
    north: indexedDegrees(north, 180, floor),
    west: indexedDegrees(west, 360, ceil),
    east: indexedDegrees(east, 360, floor),
  };
}

/**
 * The degrees that a bound stands for once it is indexed in 32 bits.
 *
 * @param span degrees from the least to the greatest
 * @param round up for a lower bound, down for an upper one
 */
function indexedDegrees(degrees: number, span: number, round: (steps: number) => number): string {
  const step = span / 2 ** 32;
  return javaDoubleText(Math.min(2 ** 31 - 1, round(degrees / step)) * step);
}

function circleText({ centre, metres }: GeoDistanceQuery): string {
  const [lat, lon, radius] = [centre.lat, centre.lon, metres].map(javaDoubleText);
  return `${lat},${lon} +/- ${radius} meters`;
}

function polygonText({ points }: GeoPolygonQuery): string {
  return `[${points.map(({ lat, lon }) => `[${javaDoubleText(lat)}, ${javaDoubleText(lon)}]`).join(' ')}]`;
}
