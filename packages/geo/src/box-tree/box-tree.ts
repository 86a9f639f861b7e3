/**
 * Boxes with the documents that they belong to, packed so that those near a shape are found without a look at the others.
 *
 * Entries stand in the order of a curve that fills the plane, so that what is near each other stands together. Around each run of
 * entries is a box, around each run of these another, up to one. Immutable: made whole, and written with its segment.
 */
import { assert } from '@shoal/core';
import type { BoxRelation } from '../shapes/compared-part.ts';

/** Entries in a box of the lowest level. */
export const RUN_ENTRIES = 64;
/** Boxes in one of the next level. */
export const FANOUT = 16;
export const BOX_NUMBERS = 4;

/** How a box, by its least x and y and its greatest, lies to what is sought; in steps of the grid. */
export type RelateBox = (minX: number, minY: number, maxX: number, maxY: number) => BoxRelation;

/** Takes a run of documents; some may stand in it more than once. `isInside`: their boxes lie within what is sought. */
export type TakeDocs = (docs: Uint32Array, from: number, to: number, isInside: boolean) => void;

export class BoxTree {
  /** Document of each entry, in the order of the tree. */
  private readonly docs: Uint32Array;
  /** Boxes of all levels, the lowest first. */
  private readonly boxes: Int32Array;
  /** First box of each level. */
  private readonly levels: readonly number[];

  constructor(docs: Uint32Array, boxes: Int32Array) {
    this.docs = docs;
    this.boxes = boxes;
    const { starts, count } = levelsOf(docs.length);
    assert(boxes.length === count * BOX_NUMBERS, `${boxes.length} numbers of ${count} boxes`);
    this.levels = starts;
  }

  /** Hands on all runs that are not outside. */
  search(relate: RelateBox, take: TakeDocs): void {
    if (this.docs.length > 0) this.searchLevel(this.levels.length - 1, 0, 1, relate, take);
  }

  private searchLevel(level: number, from: number, to: number, relate: RelateBox, take: TakeDocs): void {
    const { boxes, levels, docs } = this;
    const start = levels[level] as number;
    const end = Math.min(to, (levels[level + 1] ?? boxes.length / BOX_NUMBERS) - start);
    const width = RUN_ENTRIES * FANOUT ** level;
    for (let i = from; i < end; i++) {
      const at = (start + i) * BOX_NUMBERS;
      const relation = relate(
        boxes[at] as number,
        boxes[at + 1] as number,
        boxes[at + 2] as number,
        boxes[at + 3] as number,
      );
      if (relation === 'outside') continue;
      if (relation === 'crosses' && level > 0) this.searchLevel(level - 1, i * FANOUT, (i + 1) * FANOUT, relate, take);
      else take(docs, i * width, Math.min((i + 1) * width, docs.length), relation === 'inside');
    }
  }
}

/** First box of each level, and the number of boxes, of a tree of so many entries. */
export function levelsOf(entries: number): { readonly starts: readonly number[]; readonly count: number } {
  const starts: number[] = [];
  let count = 0;
  for (let width = Math.ceil(entries / RUN_ENTRIES); width > 0; width = width === 1 ? 0 : Math.ceil(width / FANOUT)) {
    starts.push(count);
    count += width;
  }
  return { starts, count };
}
