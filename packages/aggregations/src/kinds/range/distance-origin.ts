/**
 * From where `geo_distance` measures, and how.
 */
import type { ValueReader } from '@shoal/core';
import { type GeoPoint, metresOfUnit } from '@shoal/geo';
import { type DistanceType, readDistanceType, readPoint } from '@shoal/query';
import type { OptionReader } from '../../request/option-reader.ts';

export interface DistanceOrigin {
  readonly point: GeoPoint;
  /** Metres of the unit of the ranges. */
  readonly unit: number;
  readonly distanceType: DistanceType;
}

/** null where none is given. */
export function parseDistanceOrigin(options: OptionReader): DistanceOrigin | null {
  const node = ['origin', 'center', 'point', 'por'].map((name) => options.take(name)).find((given) => given !== null);
  const unit = options.string('unit');
  const type = options.take('distance_type');
  if (node === undefined || node === null) return null;
  return {
    point: readPoint(node),
    unit: unit === null ? 1 : metresOfUnit(unit),
    distanceType: type === null ? 'arc' : readDistanceType(type),
  };
}

export function readDistanceOrigin(r: ValueReader): DistanceOrigin {
  const point = r.object('point');
  const unit = r.number('unit');
  if (!(unit > 0)) r.refuse('unit', 'a number above 0');
  return {
    point: { lat: point.number('lat'), lon: point.number('lon') },
    unit,
    distanceType: r.oneOf('distanceType', ['arc', 'plane'] as const),
  };
}
