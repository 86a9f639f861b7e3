/**
 * GeoJSON, and what Elasticsearch adds to it: envelopes, circles, and the orientation of a polygon.
 *
 * Takes parsed JSON. What is wrong inside the coordinates and what is wrong with the geometry as a whole are told apart, since
 * answers wrap the two differently.
 */
import { illegalArgument, isShoalError, ShoalError } from '@shoal/core';
import { metresOfUnit, parseDistance } from '../distance-unit.ts';
import { parseError } from '../parse-point.ts';
import {
  COLLECTION_DEPTH_MAX,
  checkedEnvelope,
  checkedRing,
  type Geometry,
  type GeometryReading,
  POSITIONS_MAX,
  type Position,
  tooDeepCollection,
  tooManyPositions,
} from './geometry.ts';
import type { GeometryRefusals } from './geometry-refusals.ts';

/** Lists in lists, down to positions. */
type Coordinates = Position | CoordinateList;

class CoordinateList {
  readonly items: readonly Coordinates[];

  constructor(items: readonly Coordinates[]) {
    this.items = items;
  }
}

const TYPES: readonly string[] = [
  'point',
  'multipoint',
  'linestring',
  'multilinestring',
  'polygon',
  'multipolygon',
  'geometrycollection',
  'envelope',
  'circle',
  'linearring',
];

/** A geometry of parsed JSON. @throws ShoalError `parse_exception`, `illegal_argument_exception` or `x_content_parse_exception` */
export function parseGeoJson(json: object, reading: GeometryReading): Geometry {
  return parseAt(json, reading, { depth: 1, budget: { left: POSITIONS_MAX } });
}

interface Place {
  readonly depth: number;
  readonly budget: { left: number };
}

function parseAt(json: object, reading: GeometryReading, place: Place): Geometry {
  if (place.depth > COLLECTION_DEPTH_MAX) throw tooDeepCollection();
  const { type, coordinates, geometries, orientation, radius } = json as Record<string, unknown>;
  if (type === undefined || type === null) throw reading.refusals.noType();
  if (typeof type !== 'string') throw wrongType('type');
  const list = coordinates === undefined ? null : readCoordinates(coordinates, reading, place);
  const inner = geometries === undefined ? null : readGeometries(geometries, reading, place);
  if (orientation !== undefined && typeof orientation !== 'string') throw wrongType('orientation');
  if (radius !== undefined && typeof radius !== 'string') throw wrongType('radius');
  const metres = radius === undefined ? null : parseDistance(radius, 'm') * metresOfUnit('m');
  try {
    const turns = orientation === undefined ? null : isLeft(orientation);
    return build({ type, list, inner, turns, metres }, reading);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw reading.refusals.inGeometry(error);
  }
}

interface Members {
  readonly type: string;
  readonly list: Coordinates | null;
  readonly inner: readonly Geometry[] | null;
  /** Orientation of the geometry itself; null: that of the field. */
  readonly turns: boolean | null;
  readonly metres: number | null;
}

function build({ type, list, inner, turns, metres }: Members, reading: GeometryReading): Geometry {
  const name = type.toLowerCase() === 'bbox' ? 'envelope' : type.toLowerCase();
  const { refusals } = reading;
  if (!TYPES.includes(name)) throw refusals.unknownType(type);
  const refuse = (given: unknown, parameter: string): void => {
    if (given !== null) throw refusals.parameter(parameter, type);
  };
  const notEmpty = <T>(list: readonly T[]): readonly T[] => {
    const refusal = list.length > 0 ? null : refusals.empty(name);
    if (refusal !== null) throw refusal;
    return list;
  };
  const position = (each: Coordinates): Position => positionOnly(each, refusals);
  const line = (each: Coordinates): readonly Position[] => lineOf(each, refusals);
  if (name === 'geometrycollection') {
    if (inner === null) throw parseError('geometries not included');
    refuse(list, 'coordinates');
    refuse(turns, 'orientation');
    refuse(metres, 'radius');
    return { kind: 'GeometryCollection', geometries: notEmpty(inner) };
  }
  if (list === null) throw parseError('coordinates not included');
  if (name === 'circle' && metres === null) throw parseError('radius is not specified');
  refuse(inner, 'geometries');
  if (!name.endsWith('polygon')) refuse(turns, 'orientation');
  if (name !== 'circle') refuse(metres, 'radius');
  const rings = { ...reading, turnsRings: turns ?? reading.turnsRings };
  switch (name) {
    case 'circle':
      return { kind: 'Circle', centre: position(list), radius: metres ?? 0 };
    case 'point':
      return { kind: 'Point', at: position(list) };
    case 'multipoint':
      return { kind: 'MultiPoint', points: notEmpty(items(list).map(position)) };
    case 'linestring':
      return { kind: 'LineString', points: line(list) };
    case 'multilinestring':
      return { kind: 'MultiLineString', lines: notEmpty(items(list).map(line)) };
    case 'polygon':
      return { kind: 'Polygon', rings: notEmpty(ringsOf(list, rings)) };
    case 'multipolygon':
      return { kind: 'MultiPolygon', polygons: notEmpty(items(list).map((each) => ringsOf(each, rings))) };
    case 'envelope':
      return envelope(items(list).map(position), refusals);
    default:
      throw parseError(`unsupported shape type ${type}`);
  }
}

function envelope(corners: readonly Position[], refusals: GeometryRefusals): Geometry {
  const [upper, lower] = corners;
  if (upper === undefined || lower === undefined || corners.length > 2) throw refusals.corners(corners.length);
  return checkedEnvelope(upper[0], lower[0], upper[1], lower[1]);
}

function ringsOf(list: Coordinates, reading: GeometryReading): readonly (readonly Position[])[] {
  return items(list).map((each) => {
    const points = lineOf(each, reading.refusals);
    return checkedRing(reading.turnsRings ? points.toReversed() : points, reading);
  });
}

function lineOf(list: Coordinates, refusals: GeometryRefusals): readonly Position[] {
  const points = items(list);
  if (points.length < 2) throw refusals.shortLine(points.length);
  return points.map((each) => positionOnly(each, refusals));
}

function items(list: Coordinates): readonly Coordinates[] {
  if (list instanceof CoordinateList) return list.items;
  throw new ShoalError('exception', 400, 'expected a list of points but got a point');
}

function positionOnly(list: Coordinates, refusals: GeometryRefusals): Position {
  if (list instanceof CoordinateList) throw refusals.notOnePoint();
  return list;
}

function readGeometries(value: unknown, reading: GeometryReading, { depth, budget }: Place): readonly Geometry[] {
  const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return list.map((each) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) throw wrongType('geometries');
    return parseAt(each, reading, { depth: depth + 1, budget });
  });
}

function readCoordinates(value: unknown, { refusals }: GeometryReading, { budget }: Place): Coordinates {
  if (value !== null && !Array.isArray(value)) {
    throw typeof value === 'object' ? refusals.objectCoordinates() : wrongType('coordinates');
  }
  try {
    if (value === null) throw notNumbers();
    return coordinatesOf(value as readonly unknown[], budget);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw refusals.inCoordinates(error);
  }
}

function coordinatesOf(list: readonly unknown[], budget: { left: number }): Coordinates {
  if (list.length === 0) return new CoordinateList([]);
  if (!Array.isArray(list[0])) {
    if (--budget.left < 0) throw tooManyPositions();
    return positionOf(list);
  }
  const found = list.map((each) => {
    if (!Array.isArray(each)) throw each === null ? nullCoordinates() : notNumbers();
    return coordinatesOf(each, budget);
  });
  const first = dimensions(found[0]);
  if (found.some((each) => dimensions(each) !== first)) {
    throw parseError('Exception parsing coordinates: number of dimensions do not match');
  }
  return new CoordinateList(found);
}

function dimensions(list: Coordinates | undefined): number {
  if (list === undefined) return 0;
  return list instanceof CoordinateList ? dimensions(list.items[0]) : list.length;
}

function positionOf(list: readonly unknown[]): Position {
  const [x, y, z] = list.map((each) => (typeof each === 'number' || typeof each === 'bigint' ? Number(each) : null));
  if (x == null || y == null || z === null) throw notNumbers();
  if (list.length > 3) throw parseError('geo coordinates greater than 3 dimensions are not supported');
  return z === undefined ? [x, y] : [x, y, z];
}

function isLeft(orientation: string): boolean {
  switch (orientation.toLowerCase()) {
    case 'right':
    case 'counterclockwise':
    case 'ccw':
      return false;
    case 'left':
    case 'clockwise':
    case 'cw':
      return true;
    default:
      throw illegalArgument(`Unknown orientation [${orientation.toLowerCase()}]`);
  }
}

function notNumbers(): ShoalError {
  return parseError('geo coordinates must be numbers');
}

function nullCoordinates(): ShoalError {
  return illegalArgument('coordinates cannot contain NULL values)');
}

function wrongType(member: string): ShoalError {
  return new ShoalError('x_content_parse_exception', 400, `[geojson] ${member} doesn't support values of this type`);
}
