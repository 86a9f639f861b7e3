/**
 * geo_shape on a shard.
 */
import { illegalArgument } from '@shoal/core';
import {
  ComparedShape,
  DOCUMENT_REFUSALS,
  type Geometry,
  GLOBE_GRID,
  parseWellKnownText,
  queriedParts,
  type ShapePart,
} from '@shoal/geo';
import type { GeoShapeQuery } from '@shoal/query';
import { cachedFilterWeight, filterKey } from '../context/cached-filters.ts';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';
import { docsWithPoint, type PointTest } from '../geo/point-tests.ts';
import { shapeWeight } from '../geo/shape-weight.ts';
import { NONE_WEIGHT } from '../weight/weight.ts';
import { markNothing, type QueryBehaviour } from './query-behaviour.ts';

const READING = { turnsRings: false, closesRings: false, ignoresZ: true, refusals: DOCUMENT_REFUSALS };

export const geoShape: QueryBehaviour<GeoShapeQuery> = {
  compile(ctx, query, use) {
    const { field, relation } = query;
    const mapping = ctx.mapping.field(field);
    if (mapping === null && query.ignoreUnmapped) return NONE_WEIGHT;
    if (mapping === null) throw queryShardError(ctx.shard, `failed to find type for field [${field}]`);
    const { path, kind } = mapping;
    if (kind !== 'geo_shape' && kind !== 'geo_point') {
      throw queryShardError(ctx.shard, `Field [${field}] is of unsupported type [${kind}] for [geo_shape] query`);
    }
    const geometry = parseWellKnownText(query.shape, READING);
    if (kind === 'geo_point') checkForPoints(ctx, query, geometry);
    const parts = queriedParts(geometry, GLOBE_GRID);
    if (relation === 'within') checkWithin(parts);
    const text = textOf(query);
    if (kind === 'geo_shape') return shapeWeight(ctx, { path, parts, relation, key: [query.shape], text }, use);
    const shape = new ComparedShape(parts, GLOBE_GRID);
    const passes: PointTest = (column, i) => shape.hasPoint(column.longitude(i), column.latitude(i));
    const key = filterKey('geoShape', path, [query.shape]);
    return cachedFilterWeight(ctx, key, (view) => docsWithPoint(view, path, passes), use, text);
  },
  describe: (query) => ({ type: 'ConstantScoreQuery', text: textOf(query) }),
  mark: markNothing,
};

/** Fields of points are compared with areas, and only for points in common. */
function checkForPoints({ shard }: CompileContext, query: GeoShapeQuery, geometry: Geometry): void {
  const { field, relation } = query;
  if (relation !== 'intersects') {
    throw queryShardError(shard, `${relation.toUpperCase()} query relation not supported for Field [${field}].`);
  }
  for (const kind of kindsOf(geometry)) {
    if (!/Point|Line/.test(kind)) continue;
    throw queryShardError(shard, `Field [${field}] does not support ${kind.toLowerCase()} queries`);
  }
}

function kindsOf(geometry: Geometry): readonly string[] {
  return geometry.kind === 'GeometryCollection' ? geometry.geometries.flatMap(kindsOf) : [geometry.kind];
}

function checkWithin(parts: readonly ShapePart[]): void {
  if (parts.every(({ kind }) => kind !== 'line')) return;
  throw illegalArgument('LatLonShapeQuery does not support WITHIN queries with line geometries');
}

function textOf({ field, shape, relation }: GeoShapeQuery): string {
  return `${field}:${relation}(${shape})`;
}
