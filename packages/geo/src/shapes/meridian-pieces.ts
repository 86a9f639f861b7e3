/**
 * An area cut along a meridian.
 *
 * Rings are cut where they meet the meridian. On each side the ends of the cuts are joined in the order in which they lie on the
 * meridian, each with the next: along it the area begins and ends by turns.
 */
import { assert } from '@shoal/core';
import type { Corner, Corners } from './shape-part.ts';

export interface MeridianPieces {
  /** Each a shell and the holes in it. */
  readonly west: readonly (readonly Corners[])[];
  readonly east: readonly (readonly Corners[])[];
}

/** Ends of a ring that were cut lie on the meridian, all corners between them on one side. */
type Cut = readonly Corner[];

interface CutEnd {
  readonly cut: number;
  readonly isStart: boolean;
  readonly y: number;
}

/** @param rings the shell and its holes, not closed */
export function meridianPieces(rings: readonly Corners[], meridian: number): MeridianPieces {
  const [shell, ...holes] = rings;
  if (shell === undefined) return { west: [], east: [] };
  const side = sideOfRing(shell, meridian);
  if (side !== 'both') return side === 'east' ? { west: [], east: [rings] } : { west: [rings], east: [] };
  const cuts: { readonly west: Cut[]; readonly east: Cut[] } = { west: [], east: [] };
  const whole: Corners[] = [];
  for (const ring of [shell, ...holes]) {
    if (sideOfRing(ring, meridian) !== 'both') whole.push(ring);
    else for (const cut of cutsOf(ring, meridian)) cuts[isWest(cut, meridian) ? 'west' : 'east'].push(cut);
  }
  return {
    west: withHoles(joined(cuts.west), whole, (hole) => sideOfRing(hole, meridian) === 'west'),
    east: withHoles(joined(cuts.east), whole, (hole) => sideOfRing(hole, meridian) === 'east'),
  };
}

function sideOfRing(ring: Corners, meridian: number): 'west' | 'east' | 'both' {
  const hasWest = ring.some(([x]) => x < meridian);
  const hasEast = ring.some(([x]) => x > meridian);
  if (hasWest && hasEast) return 'both';
  return hasEast ? 'east' : 'west';
}

function isWest(cut: Cut, meridian: number): boolean {
  return cut.some(([x]) => x < meridian);
}

function cutsOf(ring: Corners, meridian: number): readonly Cut[] {
  const corners: Corner[] = [];
  ring.forEach(([ax, ay], i) => {
    corners.push([ax, ay]);
    const [bx, by] = ring[(i + 1) % ring.length] as Corner;
    if ((ax < meridian && bx > meridian) || (ax > meridian && bx < meridian)) {
      corners.push([meridian, ay + ((by - ay) * (meridian - ax)) / (bx - ax)]);
    }
  });
  const first = corners.findIndex(([x]) => x === meridian);
  assert(first >= 0, `a ring on both sides of ${meridian} does not meet it`);
  const turned = [...corners.slice(first), ...corners.slice(0, first + 1)];
  const cuts: Corner[][] = [];
  for (const corner of turned) {
    cuts.at(-1)?.push(corner);
    if (corner[0] === meridian) cuts.push([corner]);
  }
  // Between two corners that both lie on the meridian nothing is on either side.
  return cuts.filter((cut) => cut.length > 2);
}

function joined(cuts: readonly Cut[]): readonly Corners[] {
  const ends = cuts.flatMap((cut, i): CutEnd[] => [
    { cut: i, isStart: true, y: (cut[0] as Corner)[1] },
    { cut: i, isStart: false, y: (cut.at(-1) as Corner)[1] },
  ]);
  const order = ends.map((_, i) => i).sort((a, b) => (ends[a] as CutEnd).y - (ends[b] as CutEnd).y || a - b);
  const partner = new Int32Array(ends.length);
  for (let i = 0; i + 1 < order.length; i += 2) {
    partner[order[i] as number] = order[i + 1] as number;
    partner[order[i + 1] as number] = order[i] as number;
  }
  const isUsed = new Uint8Array(cuts.length);
  const rings: Corners[] = [];
  for (let start = 0; start < cuts.length; start++) {
    const ring: Corner[] = [];
    for (let end = 2 * start; isUsed[end >>> 1] === 0; end = partner[end ^ 1] as number) {
      const { cut, isStart } = ends[end] as CutEnd;
      isUsed[cut] = 1;
      ring.push(...(isStart ? (cuts[cut] as Cut) : (cuts[cut] as Cut).toReversed()));
    }
    if (ring.length > 0) rings.push(withoutRepeats(ring));
  }
  return rings;
}

/** Where two cuts were joined at one corner it stands twice. */
function withoutRepeats(ring: Corners): Corners {
  return ring.filter(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length] as Corner;
    return x !== nextX || y !== nextY;
  });
}

function withHoles(
  shells: readonly Corners[],
  holes: readonly Corners[],
  isHere: (hole: Corners) => boolean,
): readonly (readonly Corners[])[] {
  const pieces = shells.map((shell): Corners[] => [shell]);
  for (const hole of holes.filter(isHere)) {
    const [x, y] = hole[0] as Corner;
    const piece = pieces.find(([shell]) => shell !== undefined && encloses(shell, x, y)) ?? pieces[0];
    piece?.push(hole);
  }
  return pieces;
}

function encloses(ring: Corners, x: number, y: number): boolean {
  let isInside = false;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length] as Corner;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
  });
  return isInside;
}
