/**
 * Makes a box tree: entries are sorted along the curve, then boxes put around them.
 */
import { assert } from '@shoal/core';
import { BOX_NUMBERS, FANOUT, levelsOf, RUN_ENTRIES } from './box-tree.ts';

/** Boxes of entries in any order, in steps of the grid; the same arrays for both corners where they are points. */
export interface BoxEntries {
  readonly docs: Uint32Array;
  readonly minX: Int32Array;
  readonly minY: Int32Array;
  readonly maxX: Int32Array;
  readonly maxY: Int32Array;
}

export interface BuiltBoxTree {
  readonly docs: Uint32Array;
  readonly boxes: Int32Array;
}

/** Entries between two yields: about a millisecond of work. */
const ENTRIES_PER_STEP = 32_768;
const DIGIT_BITS = 8;
const DIGITS = 2 ** DIGIT_BITS;
const KEY_BITS = 32;

/** Yields every millisecond or so. */
export function* buildBoxTree(entries: BoxEntries): Generator<void, BuiltBoxTree> {
  const order = yield* curveOrder(entries);
  const count = order.length;
  const docs = new Uint32Array(count);
  const { starts, count: boxCount } = levelsOf(count);
  const boxes = new Int32Array(boxCount * BOX_NUMBERS);
  for (let i = 0; i < boxes.length; i++) boxes[i] = i % BOX_NUMBERS < 2 ? 2 ** 31 - 1 : -(2 ** 31);
  for (let i = 0; i < count; i++) {
    const from = order[i] as number;
    docs[i] = entries.docs[from] as number;
    const at = Math.floor(i / RUN_ENTRIES) * BOX_NUMBERS;
    boxes[at] = Math.min(boxes[at] as number, entries.minX[from] as number);
    boxes[at + 1] = Math.min(boxes[at + 1] as number, entries.minY[from] as number);
    boxes[at + 2] = Math.max(boxes[at + 2] as number, entries.maxX[from] as number);
    boxes[at + 3] = Math.max(boxes[at + 3] as number, entries.maxY[from] as number);
    if (i % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
  }
  starts.forEach((start, level) => {
    const above = starts[level + 1];
    if (above !== undefined) boxesAbove(boxes, start, above);
  });
  return { docs, boxes };
}

/** Puts boxes of the level that begins at `above` around those of the level before it. */
function boxesAbove(boxes: Int32Array, start: number, above: number): void {
  for (let i = start; i < above; i++) {
    const from = i * BOX_NUMBERS;
    const to = (above + Math.floor((i - start) / FANOUT)) * BOX_NUMBERS;
    boxes[to] = Math.min(boxes[to] as number, boxes[from] as number);
    boxes[to + 1] = Math.min(boxes[to + 1] as number, boxes[from + 1] as number);
    boxes[to + 2] = Math.max(boxes[to + 2] as number, boxes[from + 2] as number);
    boxes[to + 3] = Math.max(boxes[to + 3] as number, boxes[from + 3] as number);
  }
}

/** Entries by the place of the middle of their box on the Z-order curve (Morton, 1966). */
function* curveOrder({ docs, minX, minY, maxX, maxY }: BoxEntries): Generator<void, Uint32Array> {
  const count = docs.length;
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const x = middle(minX[i] as number, maxX[i] as number);
    const y = middle(minY[i] as number, maxY[i] as number);
    high[i] = interleaved(x >>> 16, y >>> 16);
    low[i] = interleaved(x & 0xffff, y & 0xffff);
    if (i % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
  }
  let order: Uint32Array = Uint32Array.from(docs, (_, i) => i);
  for (const keys of [low, high]) {
    for (let shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) order = yield* sortedByDigit(order, keys, shift);
  }
  assert(order.length === count, `${order.length} of ${count} entries in order`);
  return order;
}

/** Stable, so that sorting by each digit from the lowest on sorts by the whole key. */
function* sortedByDigit(order: Uint32Array, keys: Uint32Array, shift: number): Generator<void, Uint32Array> {
  const starts = new Uint32Array(DIGITS + 1);
  for (let i = 0; i < keys.length; i++) {
    const digit = ((keys[i] as number) >>> shift) & (DIGITS - 1);
    starts[digit + 1] = (starts[digit + 1] as number) + 1;
  }
  if (starts.includes(keys.length)) return order;
  for (let digit = 0; digit < DIGITS; digit++)
    starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number);
  const sorted = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const entry = order[i] as number;
    const digit = ((keys[entry] as number) >>> shift) & (DIGITS - 1);
    const at = starts[digit] as number;
    sorted[at] = entry;
    starts[digit] = at + 1;
    if (i % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
  }
  return sorted;
}

/** Middle of two signed steps, as an unsigned number of the same order. */
function middle(from: number, to: number): number {
  return Math.floor((from + to) / 2) + 2 ** 31;
}

/** Sixteen bits of each, those of y before those of x. */
function interleaved(x: number, y: number): number {
  return (spread(x) | (spread(y) << 1)) >>> 0;
}

function spread(bits: number): number {
  let each = bits;
  each = (each | (each << 8)) & 0x00ff_00ff;
  each = (each | (each << 4)) & 0x0f0f_0f0f;
  each = (each | (each << 2)) & 0x3333_3333;
  return (each | (each << 1)) & 0x5555_5555;
}
