/**
 * geo_shape and shape on a shard: the same on the globe and in a plane.
 */
import { illegalArgument } from '@shoal/core';
import {
  ComparedShape,
  DOCUMENT_REFUSALS,
  type Geometry,
  GLOBE_GRID,
  PLANE_GRID,
  parseWellKnownText,
  queriedParts,
  type ShapeGrid,
  type ShapePart,
} from '@shoal/geo';
import type { GeoShapeQuery, PlaneShapeQuery } from '@shoal/query';
import type { FieldKind } from '@shoal/schema';
import { cachedFilterWeight, filterKey } from '../context/cached-filters.ts';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';
import { relationOnGrid } from '../geo/near-docs.ts';
import { docsWithPoint, type PointSearch } from '../geo/point-tests.ts';
import { shapeWeight } from '../geo/shape-weight.ts';
import { NONE_WEIGHT } from '../weight/weight.ts';
import { markNothing, type QueryBehaviour } from './query-behaviour.ts';

const READING = { turnsRings: false, closesRings: false, ignoresZ: true, refusals: DOCUMENT_REFUSALS };

/** What the two queries differ in. */
interface ShapeSort {
  /** Name of the query. */
  readonly name: string;
  readonly grid: ShapeGrid;
  readonly shapes: FieldKind;
  readonly points: FieldKind;
  /** Name in the refusal of what is within a line. */
  readonly lucene: string;
}

type AnyShapeQuery = GeoShapeQuery | PlaneShapeQuery;

function shapeBehaviour<N extends AnyShapeQuery>(sort: ShapeSort): QueryBehaviour<N> {
  return {
    compile(ctx, query, use) {
      const { field, relation } = query;
      const mapping = ctx.mapping.field(field);
      if (mapping === null && query.ignoreUnmapped) return NONE_WEIGHT;
      if (mapping === null) throw queryShardError(ctx.shard, `failed to find type for field [${field}]`);
      const { path, kind } = mapping;
      if (kind !== sort.shapes && kind !== sort.points) {
        throw queryShardError(ctx.shard, `Field [${field}] is of unsupported type [${kind}] for [${sort.name}] query`);
      }
      const geometry = parseWellKnownText(query.shape, READING);
      if (kind === sort.points) checkForPoints(ctx, query, geometry);
      const { grid } = sort;
      const parts = queriedParts(geometry, grid);
      if (relation === 'within') checkWithin(parts, sort);
      if (parts.length === 0) return NONE_WEIGHT;
      const text = textOf(query);
      if (kind === sort.shapes) return shapeWeight(ctx, { path, parts, grid, relation, key: [query.shape], text }, use);
      const key = filterKey(sort.name, path, [query.shape]);
      const search = pointsOf(new ComparedShape(parts, grid), grid);
      return cachedFilterWeight(ctx, key, (view) => docsWithPoint(view, path, search), use, text);
    },
    describe: (query) => ({ type: 'ConstantScoreQuery', text: textOf(query) }),
    mark: markNothing,
  };
}

export const geoShape: QueryBehaviour<GeoShapeQuery> = shapeBehaviour({
  name: 'geo_shape',
  grid: GLOBE_GRID,
  shapes: 'geo_shape',
  points: 'geo_point',
  lucene: 'LatLonShapeQuery',
});

export const planeShape: QueryBehaviour<PlaneShapeQuery> = shapeBehaviour({
  name: 'shape',
  grid: PLANE_GRID,
  shapes: 'shape',
  points: 'point',
  lucene: 'XYShapeQuery',
});

/** Points of a column that are in a shape. */
function pointsOf(shape: ComparedShape, grid: ShapeGrid): PointSearch {
  return {
    passes: (column, i) => shape.hasPoint(grid.xOf(column.longitudeSteps(i)), grid.yOf(column.latitudeSteps(i))),
    relate: relationOnGrid(shape, grid),
  };
}

/** Fields of points are compared with areas, and only for points in common. */
function checkForPoints({ shard }: CompileContext, { field, relation }: AnyShapeQuery, geometry: Geometry): void {
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

function checkWithin(parts: readonly ShapePart[], { lucene }: ShapeSort): void {
  if (parts.every(({ kind }) => kind !== 'line')) return;
  throw illegalArgument(`${lucene} does not support WITHIN queries with line geometries`);
}

function textOf({ field, shape, relation }: AnyShapeQuery): string {
  return `${field}:${relation}(${shape})`;
}
