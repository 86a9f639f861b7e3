/**
 * Areas on the globe in pieces that do not go over the date line.
 *
 * A shell that is written against the orientation of its field, and that spans more than half of the globe, is the area on the
 * other side: it goes over the date line.
 */
import { illegalArgument, javaDoubleText, ShoalError } from '@shoal/core';
import { normalizedPoint } from '../geo-point.ts';
import type { Rings } from './geometry.ts';
import { meridianPieces } from './meridian-pieces.ts';
import { sideOf } from './segments.ts';
import { type Chain, type Corner, type Corners, chainOf } from './shape-part.ts';

const TURN = 360;
const DATE_LINE = 180;

/** One piece: its shell, and the holes in it. */
export type AreaPiece = readonly Chain[];

/**
 * @param isLeft shells are written clockwise
 * @throws ShoalError `invalid_shape_exception` or `illegal_argument_exception` for what is no area
 */
export function areaPieces(rings: Rings, isLeft: boolean): readonly AreaPiece[] {
  const [shell, ...holes] = rings.map(cornersOf);
  if (shell === undefined) return [];
  for (const hole of holes) checkShared(shell, hole);
  const isClockwise = goesClockwise(shell);
  const span = spanOf(shell);
  const isTranslated = isClockwise !== isLeft && span > DATE_LINE && span !== TURN;
  const turned = (ring: Corners): Corners => (isTranslated ? ring.map(([x, y]) => [x < 0 ? x + TURN : x, y]) : ring);
  for (const ring of [shell, ...holes])
    checkDuplicates(turned(ring), ((ring === shell) === isLeft) !== (goesClockwise(ring) !== isTranslated));
  return atDateLine([shell, ...holes].map(turned)).map((piece) => piece.map(closed));
}

function atDateLine(rings: readonly Corners[]): readonly (readonly Corners[])[] {
  const { west: middle, east } = meridianPieces(rings, DATE_LINE);
  return [
    ...middle.flatMap((piece) => {
      const parts = meridianPieces(piece, -DATE_LINE);
      return [...parts.east, ...parts.west.map((each) => moved(each, TURN))];
    }),
    ...east.map((each) => moved(each, -TURN)),
  ];
}

function moved(rings: readonly Corners[], degrees: number): readonly Corners[] {
  return rings.map((ring) => ring.map(([x, y]) => [x + degrees, y]));
}

function cornersOf(ring: readonly (readonly [number, number, ...unknown[]])[]): Corners {
  return ring.slice(0, -1).map(([x, y]) => [x, y]);
}

function closed(ring: Corners): Chain {
  const corners = ring.map(([x, y]): Corner => {
    const lat = Math.abs(y) <= 90 ? y : normalizedPoint({ lat: y, lon: 0 }).lat;
    return [Math.abs(x) <= DATE_LINE ? x : normalizedPoint({ lat: 0, lon: x }).lon, lat];
  });
  const [first] = corners;
  return chainOf(first === undefined ? corners : [...corners, first]);
}

function spanOf(ring: Corners): number {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const [x] of ring) {
    least = Math.min(least, x);
    greatest = Math.max(greatest, x);
  }
  return greatest - least;
}

/** By the corner that is furthest south, and of these furthest west. */
function goesClockwise(ring: Corners): boolean {
  let lowest = 0;
  ring.forEach(([x, y], i) => {
    const [lowX, lowY] = ring[lowest] as Corner;
    if (y < lowY || (y === lowY && x < lowX)) lowest = i;
  });
  const at = (i: number): Corner => ring[(i + ring.length) % ring.length] as Corner;
  const [[ax, ay], [bx, by], [cx, cy]] = [at(lowest - 1), at(lowest), at(lowest + 1)];
  const side = sideOf(ax, ay, bx, by, cx, cy);
  if (side !== 0) return side < 0;
  throw invalidShape(
    `Cannot determine orientation: edges adjacent to (${javaDoubleText(bx)},${javaDoubleText(by)}) coincide`,
  );
}

/** @param isTurned the ring is walked backwards, and the error is worded in another way */
function checkDuplicates(ring: Corners, isTurned: boolean): void {
  ring.forEach(([x, y], i) => {
    const next = ring[(i + 1) % ring.length];
    if (next === undefined || next[0] !== x || next[1] !== y) return;
    const point = `POINT (${javaDoubleText(x)} ${javaDoubleText(y)})`;
    throw invalidShape(
      `Provided shape has duplicate consecutive coordinates at: ${isTurned || i === ring.length - 1 ? point : `(${point})`}`,
    );
  });
}

function checkShared(shell: Corners, hole: Corners): void {
  const corners = new Set(shell.map(String));
  const shared = new Set(hole.map(String).filter((corner) => corners.has(corner)));
  if (shared.size < 2) return;
  throw illegalArgument('Invalid polygon, interior cannot share more than one point with the exterior');
}

/** Refusal of rings that are no area. */
export function invalidShape(reason: string): ShoalError {
  return new ShoalError('invalid_shape_exception', 400, reason);
}
