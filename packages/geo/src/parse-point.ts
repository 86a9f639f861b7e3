/**
 * Points as documents and requests write them: an object, a list, a text of two numbers, a geohash, WKT or GeoJSON.
 */
import { isShoalError, ShoalError } from '@shoal/core';
import type { GeoPoint } from './geo-point.ts';
import { geohashBox } from './geohash.ts';

export interface PointParsing {
  /** A third coordinate is left out; false: it is refused. */
  readonly ignoresZ: boolean;
}

const MEMBERS = 'field must be either [lon|lat], [type|coordinates], or [geohash]';

/**
 * A point in one of the forms, whatever its degrees. `value`: parsed JSON; a list of two or three numbers is one point.
 *
 * @throws ShoalError `parse_exception`
 */
export function parsePoint(value: unknown, options: PointParsing): GeoPoint {
  if (typeof value === 'string') return pointOfText(value, options);
  if (Array.isArray(value)) return pointOfList(value, options);
  if (typeof value === 'object' && value !== null) return pointOfObject(value as Record<string, unknown>, options);
  throw parseError('geo_point expected');
}

export function parseError(reason: string, causedBy?: ShoalError): ShoalError {
  return new ShoalError('parse_exception', 400, reason, causedBy === undefined ? {} : { causedBy });
}

function pointOfText(text: string, options: PointParsing): GeoPoint {
  const wkt = /^\s*point\s*(?:z\s*)?\(([^()]*)\)\s*$/i.exec(text);
  if (wkt !== null) return pointOfWkt((wkt[1] as string).trim().split(/\s+/), options);
  if (!text.includes(',')) return pointOfHash(text);
  const parts = text.split(',');
  if (parts.length < 2 || parts.length > 3) {
    throw parseError(`failed to parse [${text}], expected 2 or 3 coordinates but found: [${parts.length}]`);
  }
  const lat = javaDouble(parts[0] as string);
  if (lat === null) throw parseError('latitude must be a number');
  const lon = javaDouble(parts[1] as string);
  if (lon === null) throw parseError('longitude must be a number');
  if (parts.length === 3) checkZ(javaDouble(parts[2] as string), options);
  return { lat, lon };
}

function pointOfWkt(numbers: readonly string[], options: PointParsing): GeoPoint {
  const [lon, lat, z] = numbers.map(javaDouble);
  if (lon == null || lat == null || numbers.length > 3 || z === null) {
    throw parseError(`expected a point of 2 or 3 numbers but found [${numbers.join(' ')}]`);
  }
  if (z !== undefined) checkZ(z, options);
  return { lat, lon };
}

function pointOfHash(hash: string): GeoPoint {
  try {
    // The corner in the south west, as the exact value of the bits.
    const { south, west } = geohashBox(hash);
    return { lat: south, lon: west };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw parseError(error.reason ?? '', error);
  }
}

function pointOfList(list: readonly unknown[], options: PointParsing): GeoPoint {
  const [lon, lat, z] = list.slice(0, 3).map((each) => (typeof each === 'number' ? each : null));
  if (lon === null || lat === null || z === null) throw parseError('numeric value expected');
  if (lon === undefined || lat === undefined)
    throw parseError('[geo_point] field type should have at least two dimensions');
  if (list.length > 3) throw parseError('[geo_point] field type does not accept > 3 dimensions');
  if (z !== undefined) checkZ(z, options);
  return { lat, lon };
}

function pointOfObject(object: Readonly<Record<string, unknown>>, options: PointParsing): GeoPoint {
  const names = Object.keys(object);
  if (names.some((name) => !['lat', 'lon', 'geohash', 'type', 'coordinates'].includes(name))) throw parseError(MEMBERS);
  const { lat, lon, geohash, type, coordinates } = object;
  if (type !== undefined || coordinates !== undefined) {
    if (lat !== undefined || lon !== undefined || geohash !== undefined) throw parseError(MEMBERS);
    if (type === undefined) throw parseError('field [type] missing');
    if (coordinates === undefined) throw parseError('field [coordinates] missing');
    if (String(type).toLowerCase() !== 'point') throw parseError('[type] for geo_point can only be Point');
    if (!Array.isArray(coordinates)) throw parseError('GeoJSON coordinates must be an array');
    return pointOfList(coordinates, options);
  }
  if (geohash !== undefined) {
    if (lat !== undefined || lon !== undefined) throw parseError('field must be either lat/lon or geohash');
    if (typeof geohash !== 'string') throw parseError('geohash must be a string');
    return pointOfHash(geohash);
  }
  if (lat === undefined) throw parseError('field [lat] missing');
  if (lon === undefined) throw parseError('field [lon] missing');
  return { lat: degrees(lat, 'latitude'), lon: degrees(lon, 'longitude') };
}

function degrees(value: unknown, name: string): number {
  if (typeof value !== 'number' && typeof value !== 'string') throw parseError(`${name} must be a number`);
  const number = javaDouble(String(value));
  if (number !== null) return number;
  const cause = new ShoalError('number_format_exception', 400, `For input string: "${value}"`);
  throw parseError('[lon] and [lat] must be valid double values', cause);
}

/** Number of a text; null for what is none. */
export function javaDouble(text: string): number | null {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed)) return null;
  return Number(trimmed);
}

function checkZ(z: number | null, { ignoresZ }: PointParsing): void {
  if (ignoresZ) return;
  throw parseError(`Exception parsing coordinates: found Z value [${z}] but [ignore_z_value] parameter is [false]`);
}
