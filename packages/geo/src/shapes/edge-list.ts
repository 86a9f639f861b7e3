/**
 * Edges of chains, with boxes around runs of them: edges that follow each other lie near each other, so that most are passed by
 * without a look.
 */
import { assert } from '@shoal/core';
import { segmentsCross, segmentsTouch, sideOf } from './segments.ts';
import { type Chain, type Extent, extentOfChains } from './shape-part.ts';

/** Edges in a box of the lowest level, and boxes in one of the next. */
const FANOUT = 8;
const EDGE_NUMBERS = 4;
const BOX_NUMBERS = 4;

/** Asks of a segment from (ax, ay) to (bx, by). */
type EdgeTest = (ax: number, ay: number, bx: number, by: number) => boolean;

export class EdgeList {
  readonly extent: Extent;
  /** First position of the first chain. */
  readonly anchorX: number;
  readonly anchorY: number;
  /** x and y of the start, x and y of the end of each edge. */
  private readonly edges: Float64Array;
  /** Boxes of each level, the lowest first: least x and y, greatest x and y. */
  private readonly levels: readonly Float64Array[];

  constructor(chains: readonly Chain[]) {
    this.extent = extentOfChains(chains);
    this.edges = edgesOf(chains);
    assert(this.edges.length > 0, `${chains.length} chains without an edge`);
    this.anchorX = chains[0]?.[0] ?? 0;
    this.anchorY = chains[0]?.[1] ?? 0;
    const levels = [boxesOf(this.edges)];
    for (let below = levels[0] as Float64Array; below.length > BOX_NUMBERS; levels.push(below))
      below = boxesAbove(below);
    this.levels = levels;
  }

  get count(): number {
    return this.edges.length / EDGE_NUMBERS;
  }

  /** Whether any edge near the box passes. */
  some(minX: number, minY: number, maxX: number, maxY: number, test: EdgeTest): boolean {
    return this.someIn(this.levels.length - 1, 0, 1, { minX, minY, maxX, maxY }, test);
  }

  private someIn(level: number, from: number, to: number, box: Extent, test: EdgeTest): boolean {
    const { edges, levels } = this;
    if (level < 0) {
      const end = Math.min(to * EDGE_NUMBERS, edges.length);
      for (let i = from * EDGE_NUMBERS; i < end; i += EDGE_NUMBERS) {
        const ax = edges[i] as number;
        const ay = edges[i + 1] as number;
        const bx = edges[i + 2] as number;
        const by = edges[i + 3] as number;
        if (ax < box.minX && bx < box.minX) continue;
        if (ax > box.maxX && bx > box.maxX) continue;
        if (ay < box.minY && by < box.minY) continue;
        if (ay > box.maxY && by > box.maxY) continue;
        if (test(ax, ay, bx, by)) return true;
      }
      return false;
    }
    const boxes = levels[level] as Float64Array;
    const end = Math.min(to, boxes.length / BOX_NUMBERS);
    for (let i = from; i < end; i++) {
      const at = i * BOX_NUMBERS;
      if ((boxes[at] as number) > box.maxX || (boxes[at + 2] as number) < box.minX) continue;
      if ((boxes[at + 1] as number) > box.maxY || (boxes[at + 3] as number) < box.minY) continue;
      if (this.someIn(level - 1, i * FANOUT, (i + 1) * FANOUT, box, test)) return true;
    }
    return false;
  }

  /** An edge has a point in common with the segment, ends included. */
  touches(ax: number, ay: number, bx: number, by: number): boolean {
    return this.some(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by), (cx, cy, dx, dy) =>
      segmentsTouch(cx, cy, dx, dy, ax, ay, bx, by),
    );
  }

  /** An edge crosses the segment at a point that is no end of either. */
  crosses(ax: number, ay: number, bx: number, by: number): boolean {
    return this.some(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by), (cx, cy, dx, dy) =>
      segmentsCross(cx, cy, dx, dy, ax, ay, bx, by),
    );
  }

  touchesAny(other: EdgeList): boolean {
    const { minX, minY, maxX, maxY } = other.extent;
    return this.some(minX, minY, maxX, maxY, (ax, ay, bx, by) => other.touches(ax, ay, bx, by));
  }

  crossesAny(other: EdgeList): boolean {
    const { minX, minY, maxX, maxY } = other.extent;
    return this.some(minX, minY, maxX, maxY, (ax, ay, bx, by) => other.crosses(ax, ay, bx, by));
  }

  /** An edge crosses another one of the list. */
  get crossesItself(): boolean {
    const { minX, minY, maxX, maxY } = this.extent;
    return this.some(minX, minY, maxX, maxY, (ax, ay, bx, by) => this.crosses(ax, ay, bx, by));
  }

  /** An edge has a point in common with the box, or lies in it. */
  touchesBox({ minX, minY, maxX, maxY }: Extent): boolean {
    return this.some(minX, minY, maxX, maxY, (ax, ay, bx, by) =>
      segmentTouchesBox(ax, ay, bx, by, minX, minY, maxX, maxY),
    );
  }

  /** The point lies on an edge. */
  hasOnEdge(x: number, y: number): boolean {
    return this.some(x, y, x, y, (ax, ay, bx, by) => sideOf(ax, ay, bx, by, x, y) === 0);
  }

  /** The point is within the rings by the rule of odd and even, or on an edge. */
  encloses(x: number, y: number): boolean {
    const { minX, minY, maxX, maxY } = this.extent;
    if (x < minX || x > maxX || y < minY || y > maxY) return false;
    let isInside = false;
    const isOnEdge = this.some(x, y, Number.POSITIVE_INFINITY, y, (ax, ay, bx, by) => {
      if (sideOf(ax, ay, bx, by, x, y) === 0 && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return true;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
      return false;
    });
    return isOnEdge || isInside;
  }

  /** Any of the ends of the edges passes. */
  someEnd(test: (x: number, y: number) => boolean): boolean {
    const { edges } = this;
    for (let i = 0; i < edges.length; i += EDGE_NUMBERS) {
      if (test(edges[i] as number, edges[i + 1] as number)) return true;
      if (test(edges[i + 2] as number, edges[i + 3] as number)) return true;
    }
    return false;
  }

  /** Any of the edges passes. */
  someEdge(test: EdgeTest): boolean {
    const { minX, minY, maxX, maxY } = this.extent;
    return this.some(minX, minY, maxX, maxY, test);
  }
}

/** A segment and a box have a point in common. */
export function segmentTouchesBox(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): boolean {
  if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) return false;
  if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) return false;
  if (ax >= minX && ax <= maxX && ay >= minY && ay <= maxY) return true;
  if (bx >= minX && bx <= maxX && by >= minY && by <= maxY) return true;
  return segmentsTouch(ax, ay, bx, by, minX, minY, maxX, maxY) || segmentsTouch(ax, ay, bx, by, minX, maxY, maxX, minY);
}

function edgesOf(chains: readonly Chain[]): Float64Array {
  const count = chains.reduce((sum, chain) => sum + Math.max(chain.length / 2 - 1, 0), 0);
  const edges = new Float64Array(count * EDGE_NUMBERS);
  let at = 0;
  for (const chain of chains) {
    for (let i = 0; i + 3 < chain.length; i += 2, at += EDGE_NUMBERS)
      edges.set(chain.subarray(i, i + EDGE_NUMBERS), at);
  }
  return edges;
}

function boxesOf(edges: Float64Array): Float64Array {
  const count = edges.length / EDGE_NUMBERS;
  const boxes = emptyBoxes(Math.ceil(count / FANOUT));
  for (let i = 0; i < count; i++) {
    const at = i * EDGE_NUMBERS;
    const into = Math.floor(i / FANOUT) * BOX_NUMBERS;
    extend(boxes, into, edges, at, at);
    extend(boxes, into, edges, at + 2, at + 2);
  }
  return boxes;
}

function boxesAbove(below: Float64Array): Float64Array {
  const count = below.length / BOX_NUMBERS;
  const boxes = emptyBoxes(Math.ceil(count / FANOUT));
  for (let i = 0; i < count; i++) {
    extend(boxes, Math.floor(i / FANOUT) * BOX_NUMBERS, below, i * BOX_NUMBERS, i * BOX_NUMBERS + 2);
  }
  return boxes;
}

function emptyBoxes(count: number): Float64Array {
  const boxes = new Float64Array(count * BOX_NUMBERS);
  for (let i = 0; i < boxes.length; i++) {
    boxes[i] = i % BOX_NUMBERS < 2 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }
  return boxes;
}

/** Widens a box by the least corner at `low` and the greatest at `high` of other numbers. */
function extend(boxes: Float64Array, into: number, from: Float64Array, low: number, high: number): void {
  boxes[into] = Math.min(boxes[into] as number, from[low] as number);
  boxes[into + 1] = Math.min(boxes[into + 1] as number, from[low + 1] as number);
  boxes[into + 2] = Math.max(boxes[into + 2] as number, from[high] as number);
  boxes[into + 3] = Math.max(boxes[into + 3] as number, from[high + 1] as number);
}
