/**
 * Sources of aggregations over points: the points themselves, the cells that they lie in, or how far they are from a place.
 */
import type { DistanceOrigin, GridOptions, ValuesSource } from '@shoal/aggregations';
import { PLAIN_FORMAT } from '@shoal/aggregations';
import { ShoalError } from '@shoal/core';
import {
  arcDistance,
  cellNumbers,
  cellOfPoint,
  type GeoPoint,
  hasWideCells,
  parsePoint,
  planeDistance,
  wideCellNumber,
} from '@shoal/geo';
import { derivedNumbers, derivedWholes } from '../../../format/columns/derived-columns.ts';
import { PointColumn } from '../../../match/geo/point-column.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import { type ResolvedSource, resolveSource } from './field-values.ts';
import { checkNotText, notNumeric } from './numeric-source.ts';

export interface PointSource {
  /** Path of the field. */
  readonly field: string;
  /** Stands for none; null: documents without a point are left out. */
  readonly missing: GeoPoint | null;
}

/** @throws ShoalError for a field of another type; `type`: of the aggregation, for the error */
export function pointSource(ctx: AggregationContext, source: ValuesSource, type: string): PointSource {
  if (source.script !== null) {
    const reason = 'value source of type [geopoint] is not supported by scripts';
    throw new ShoalError('aggregation_execution_exception', 500, reason);
  }
  const resolved = resolveSource(ctx, { ...source, missing: null, format: null });
  checkNotText(ctx, resolved, source, type);
  if (resolved.kind !== null && resolved.kind !== 'geo_point') throw notNumeric(resolved, type);
  const { missing } = source;
  return {
    field: resolved.field,
    missing: missing === null ? null : parsePoint(String(missing), { ignoresZ: true }),
  };
}

/** Distances in the unit of the request. */
export function distanceSource(
  ctx: AggregationContext,
  source: ValuesSource,
  { point, unit, distanceType }: DistanceOrigin,
): ResolvedSource {
  const { field, missing } = pointSource(ctx, source, 'geo_distance');
  const between = distanceType === 'arc' ? arcDistance : planeDistance;
  const distance = (lat: number, lon: number): number => between(point.lat, point.lon, lat, lon) / unit;
  return {
    field,
    kind: null,
    keyKind: 'double',
    format: PLAIN_FORMAT,
    missing: missing === null ? null : distance(missing.lat, missing.lon),
    derived: (column) => {
      const points = new PointColumn(column);
      return derivedNumbers(column, (index) => distance(points.latitude(index), points.longitude(index)));
    },
  };
}

/** Numbers of cells; the bounds of the grid are not looked at. */
export function cellSource(
  ctx: AggregationContext,
  source: ValuesSource,
  grid: GridOptions,
  type: string,
): ResolvedSource {
  const { field, missing } = pointSource(ctx, source, type);
  const { kind, precision } = grid;
  const isWide = hasWideCells(grid);
  const numberOf = cellNumbers(grid);
  const wideNumberOf = (point: GeoPoint) => wideCellNumber(grid, cellOfPoint(grid, point));
  return {
    field,
    kind: 'geo_point',
    keyKind: 'long',
    format: { kind, precision },
    missing: missing === null ? null : isWide ? wideNumberOf(missing) : numberOf(missing),
    derived: (column) => {
      const points = new PointColumn(column);
      return isWide
        ? derivedWholes(column, (index) => wideNumberOf(points.point(index)))
        : derivedNumbers(column, (index) => numberOf(points.point(index)));
    },
  };
}
