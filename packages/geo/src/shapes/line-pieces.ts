/**
 * Lines on the globe in pieces that do not go over the date line.
 *
 * A line goes the way its longitudes say: from 170 to -170 it goes around most of the globe, from 170 to 190 it goes over the
 * date line.
 */
import { normalizedPoint } from '../geo-point.ts';
import type { Position } from './geometry.ts';
import { type Chain, type Corner, chainOf } from './shape-part.ts';

const TURN = 360;
const DATE_LINE = 180;

export function linePieces(points: readonly Position[]): readonly Chain[] {
  const corners = points.map(onGlobe);
  const pieces: Corner[][] = [];
  let turns = 0;
  let piece: Corner[] = [];
  for (let i = 1; i < corners.length; i++) {
    const [from, to] = [corners[i - 1] as Corner, corners[i] as Corner];
    const isWestward = to[0] < from[0];
    const wanted = turnsOf(from[0], isWestward);
    if (piece.length === 0 || wanted !== turns) {
      if (piece.length > 1) pieces.push(piece);
      turns = wanted;
      piece = [shifted(from, turns)];
    }
    for (;;) {
      const border = TURN * turns + (isWestward ? -DATE_LINE : DATE_LINE);
      if (isWestward ? to[0] >= border : to[0] <= border) break;
      const y = from[1] + ((to[1] - from[1]) * (border - from[0])) / (to[0] - from[0]);
      piece.push(shifted([border, y], turns));
      pieces.push(piece);
      turns += isWestward ? -1 : 1;
      piece = [shifted([border, y], turns)];
    }
    piece.push(shifted(to, turns));
  }
  if (piece.length > 1) pieces.push(piece);
  return pieces.map(chainOf);
}

/** Latitudes beyond a pole are on the other side of it; longitudes stay as they are written. */
function onGlobe([x, y]: Position): Corner {
  if (Math.abs(y) <= 90) return [x, y];
  const { lat } = normalizedPoint({ lat: y, lon: 0 });
  const isTurned = Math.abs(normalizedPoint({ lat: y, lon: 0 }).lon) === DATE_LINE;
  return [isTurned ? x + DATE_LINE : x, lat];
}

/** Whole turns of the globe that a longitude is away from where it belongs; on the date line it belongs to where it goes. */
function turnsOf(x: number, isWestward: boolean): number {
  const turns = (x + DATE_LINE) / TURN;
  return isWestward ? Math.ceil(turns) - 1 : Math.floor(turns);
}

function shifted([x, y]: Corner, turns: number): Corner {
  return [x - TURN * turns, y];
}
