/**
 * Parts of shapes as whole numbers of 32 bits: how documents keep them.
 *
 * A part is a word of its kind and the number of its rings, the four sides of its box (least x and y, greatest x and y), the
 * number of positions of each ring, and the positions. Parts follow each other.
 */
import { assert } from '@shoal/core';
import { EdgeList } from './edge-list.ts';
import type { ShapeGrid } from './shape-grid.ts';
import { type Chain, chainOf, type Extent, type ShapePart } from './shape-part.ts';

const KINDS = ['point', 'line', 'area'] as const;
const KIND_BITS = 2;
/** The word of the kind, and the four sides of the box. */
const HEAD_WORDS = 5;

/** Appends the parts to `into`. Boxes and circles are no parts of documents. */
export function writeShapeWords(parts: readonly ShapePart[], grid: ShapeGrid, into: number[]): void {
  for (const part of parts) {
    assert(part.kind !== 'box' && part.kind !== 'circle', `a document has a part of kind ${part.kind}`);
    if (part.kind === 'point') writePart('point', [chainOf([[part.x, part.y]])], grid, into);
    else if (part.kind === 'line') writePart('line', [part.chain], grid, into);
    else writePart('area', part.rings, grid, into);
  }
}

function writePart(kind: (typeof KINDS)[number], chains: readonly Chain[], grid: ShapeGrid, into: number[]): void {
  const steps = chains.map((chain) =>
    Int32Array.from(chain, (each, i) => (i % 2 === 0 ? grid.stepsOfX(each) : grid.stepsOfY(each))),
  );
  const box = boxOf(steps);
  const isOnePoint = kind === 'line' && box[0] === box[2] && box[1] === box[3];
  into.push(KINDS.indexOf(isOnePoint ? 'point' : kind) | ((isOnePoint ? 1 : steps.length) << KIND_BITS), ...box);
  if (isOnePoint) {
    into.push(1, box[0], box[1]);
    return;
  }
  for (const { length } of steps) into.push(length / 2);
  for (const ring of steps) for (const each of ring) into.push(each);
}

function boxOf(rings: readonly Int32Array[]): readonly [number, number, number, number] {
  let [minX, minY] = [2 ** 31 - 1, 2 ** 31 - 1];
  let [maxX, maxY] = [-(2 ** 31), -(2 ** 31)];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      minX = Math.min(minX, ring[i] as number);
      maxX = Math.max(maxX, ring[i] as number);
      minY = Math.min(minY, ring[i + 1] as number);
      maxY = Math.max(maxY, ring[i + 1] as number);
    }
  }
  return [minX, minY, maxX, maxY];
}

/** Walks over the parts in the words of a document. */
export class ShapeWords {
  private readonly grid: ShapeGrid;
  private words: Int32Array = new Int32Array(0);
  private at = 0;
  private next = 0;
  private made: EdgeList | null = null;

  constructor(grid: ShapeGrid) {
    this.grid = grid;
  }

  /** Begins with the parts of a document. */
  open(words: Int32Array): void {
    this.words = words;
    this.next = 0;
  }

  /** Goes to the next part; false behind the last. */
  step(): boolean {
    const { words } = this;
    if (this.next >= words.length) return false;
    this.at = this.next;
    this.made = null;
    let positions = 0;
    const ringCount = this.ringCount;
    for (let i = 0; i < ringCount; i++) positions += words[this.at + HEAD_WORDS + i] as number;
    this.next = this.at + HEAD_WORDS + ringCount + 2 * positions;
    assert(this.next <= words.length, `a part ends at word ${this.next} of ${words.length}`);
    return true;
  }

  private get ringCount(): number {
    return (this.words[this.at] as number) >>> KIND_BITS;
  }

  get kind(): (typeof KINDS)[number] {
    return KINDS[(this.words[this.at] as number) & (2 ** KIND_BITS - 1)] ?? 'point';
  }

  /** Sides of the part's box, in steps. */
  get minX(): number {
    return this.words[this.at + 1] as number;
  }

  get minY(): number {
    return this.words[this.at + 2] as number;
  }

  get maxX(): number {
    return this.words[this.at + 3] as number;
  }

  get maxY(): number {
    return this.words[this.at + 4] as number;
  }

  /** Box of the part. */
  get extent(): Extent {
    const { grid } = this;
    return {
      minX: grid.xOf(this.minX),
      minY: grid.yOf(this.minY),
      maxX: grid.xOf(this.maxX),
      maxY: grid.yOf(this.maxY),
    };
  }

  /** Coordinates of a point. */
  get x(): number {
    return this.grid.xOf(this.minX);
  }

  get y(): number {
    return this.grid.yOf(this.minY);
  }

  /** Edges of a line or of all rings of an area. */
  get edges(): EdgeList {
    this.made ??= new EdgeList(this.chains());
    return this.made;
  }

  chains(): readonly Chain[] {
    const { words, at, grid, ringCount } = this;
    let from = at + HEAD_WORDS + ringCount;
    return Array.from({ length: ringCount }, (_, i) => {
      const length = 2 * (words[at + HEAD_WORDS + i] as number);
      const chain = new Float64Array(length);
      for (let k = 0; k < length; k += 2) {
        chain[k] = grid.xOf(words[from + k] as number);
        chain[k + 1] = grid.yOf(words[from + k + 1] as number);
      }
      from += length;
      return chain;
    });
  }
}
