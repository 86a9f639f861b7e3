/**
 * Geometries as documents and requests give them: points, lines, areas, and lists of these, in the coordinates of the text.
 */
import { illegalArgument, javaDoubleText, type ShoalError } from '@shoal/core';
import type { GeometryRefusals } from './geometry-refusals.ts';

/** x (longitude), y (latitude), and a height where the text has one. */
export type Position = readonly [x: number, y: number] | readonly [x: number, y: number, z: number];

/** Sides of an envelope. `west` may be greater than `east`: it goes over the date line. */
export interface Envelope {
  readonly kind: 'Envelope';
  readonly west: number;
  readonly east: number;
  readonly north: number;
  readonly south: number;
}

export interface Circle {
  readonly kind: 'Circle';
  readonly centre: Position;
  /** Metres on the globe, units of the coordinates in a plane. */
  readonly radius: number;
}

/** Rings of a polygon: the shell, and its holes; the last position of each is its first. No rings: it is empty. */
export type Rings = readonly (readonly Position[])[];

export type Geometry =
  | { readonly kind: 'Point'; readonly at: Position | null }
  | { readonly kind: 'MultiPoint'; readonly points: readonly Position[] }
  | { readonly kind: 'LineString'; readonly points: readonly Position[] }
  | { readonly kind: 'MultiLineString'; readonly lines: readonly (readonly Position[])[] }
  | { readonly kind: 'Polygon'; readonly rings: Rings }
  | { readonly kind: 'MultiPolygon'; readonly polygons: readonly Rings[] }
  | { readonly kind: 'GeometryCollection'; readonly geometries: readonly Geometry[] }
  | Envelope
  | Circle;

/** Positions of one geometry: what is compared of it is in proportion to them. */
export const POSITIONS_MAX = 500_000;

/** Collections inside collections. */
export const COLLECTION_DEPTH_MAX = 1_000;

/** A triangle, and its first position once more. */
const RING_POSITIONS_MIN = 4;

/** How a reader takes what the text leaves open. */
export interface GeometryReading {
  /** Shells that go clockwise are written the other way around: rings are turned when they are read. */
  readonly turnsRings: boolean;
  /** Rings that do not end where they begin are closed. */
  readonly closesRings: boolean;
  /** Heights are left out; false: they are refused. */
  readonly ignoresZ: boolean;
  readonly refusals: GeometryRefusals;
}

export function tooManyPositions(): ShoalError {
  return illegalArgument(`a geometry has more than [${POSITIONS_MAX}] positions`);
}

export function tooDeepCollection(): ShoalError {
  return illegalArgument(`a geometry collection with a depth greater than ${COLLECTION_DEPTH_MAX} is not supported`);
}

/** @throws ShoalError where a geometry has a height and may have none */
export function checkHeights(geometry: Geometry, { ignoresZ }: GeometryReading): void {
  if (ignoresZ) return;
  for (const [, , z] of positionsOf(geometry)) {
    if (z === undefined) continue;
    throw illegalArgument(`found Z value [${javaDoubleText(z)}] but [ignore_z_value] parameter is [false]`);
  }
}

/** All positions of a geometry but for the sides of envelopes. */
export function* positionsOf(geometry: Geometry): Generator<Position> {
  switch (geometry.kind) {
    case 'Point':
      if (geometry.at !== null) yield geometry.at;
      return;
    case 'MultiPoint':
    case 'LineString':
      yield* geometry.points;
      return;
    case 'MultiLineString':
      for (const line of geometry.lines) yield* line;
      return;
    case 'Polygon':
      for (const ring of geometry.rings) yield* ring;
      return;
    case 'MultiPolygon':
      for (const rings of geometry.polygons) for (const ring of rings) yield* ring;
      return;
    case 'GeometryCollection':
      for (const inner of geometry.geometries) yield* positionsOf(inner);
      return;
    case 'Circle':
      yield geometry.centre;
      return;
    case 'Envelope':
  }
}

/** A ring of a polygon, closed where that is wanted. @throws ShoalError for one that is open or too short */
export function checkedRing(
  points: readonly Position[],
  { closesRings, refusals }: GeometryReading,
): readonly Position[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) throw refusals.shortLine(points.length);
  const isClosed = samePosition(first, last);
  if (points.length + (isClosed || !closesRings ? 0 : 1) < RING_POSITIONS_MIN) {
    const refusal = refusals.shortRing(points.length);
    if (refusal !== null) throw refusal;
  }
  if (isClosed) return points;
  if (closesRings) return [...points, first];
  throw refusals.openRing(first, last, points.length - 1);
}

function samePosition(a: Position, b: Position): boolean {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
}

/** @throws ShoalError when the sides are the wrong way up */
export function checkedEnvelope(west: number, east: number, north: number, south: number): Envelope {
  if (north < south) throw illegalArgument('max y cannot be less than min x');
  return { kind: 'Envelope', west, east, north, south };
}
