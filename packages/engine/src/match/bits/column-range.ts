/**
 * Documents whose number lies in a range, found in the field's column: block by block, of which most are taken or skipped
 * whole by their least and greatest number.
 *
 * Bounds are inclusive and already whole for longs. Columns beyond 2^53 compare by halves.
 */

import { assert } from '@shoal/core';
import type { NumberBounds } from '../../field-types/contract/field-match.ts';
import { BLOCK_DOCS, type NumberBlocks } from '../../format/reader/number-blocks.ts';
import type { NumericColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import type { WideBounds, WideValues } from '../../format/reader/wide-values.ts';
import type { DocBits, DocIterator } from '../weight/doc-iterator.ts';
import { BitsIterator, setRun, wordsOf } from './doc-bits.ts';

export function docsOfNumberRange(view: SegmentView, field: string, bounds: NumberBounds): DocIterator | null {
  const column = view.segment.numericColumn(field);
  if (!column || !overlaps(column, bounds)) return null;
  const { docCount } = view.segment;
  const blocks = column.blocks(docCount);
  if (column.wide !== null) {
    const within = column.wide.bounds(bounds.from, bounds.to);
    return within && new BitsIterator(new WideRangeBits(column, column.wide, within, docCount), docCount);
  }
  assert(blocks !== null, `a column of ${docCount} documents without blocks`);
  const bits = new NumberRangeBits({ column, blocks, docCount }, Number(bounds.from), Number(bounds.to));
  return new BitsIterator(bits, docCount);
}

/** False where no document of the segment has a number in the range. */
export function overlapsColumn(view: SegmentView, field: string, bounds: NumberBounds): boolean {
  const column = view.segment.numericColumn(field);
  return column !== null && overlaps(column, bounds);
}

function overlaps(column: NumericColumn, bounds: NumberBounds): boolean {
  if (bounds.from > bounds.to) return false;
  return column.isWide || (bounds.from <= column.max && bounds.to >= column.min);
}

const NO_NUMBERS = new Float64Array(0);

/** Documents of a block that are in a range. */
const NONE = 0;
const SOME = 1;
const ALL = 2;

interface BlockedColumn {
  readonly column: NumericColumn;
  readonly blocks: NumberBlocks;
  readonly docCount: number;
}

class NumberRangeBits implements DocBits {
  readonly cost: number;
  private readonly column: NumericColumn;
  private readonly blocks: NumberBlocks;
  private readonly from: number;
  private readonly to: number;
  /** Numbers of one block; made for the first block that is tested number by number, since most ranges test none in most segments. */
  private scratch = NO_NUMBERS;

  constructor({ column, blocks, docCount }: BlockedColumn, from: number, to: number) {
    assert(from <= to, `numbers from ${from} to ${to}`);
    assert(
      blocks.lows.length === Math.ceil(docCount / BLOCK_DOCS),
      `${blocks.lows.length} blocks of ${docCount} documents`,
    );
    this.column = column;
    this.blocks = blocks;
    this.from = from;
    this.to = to;
    const { lows, highs } = blocks;
    let count = 0;
    for (let block = 0; block < lows.length; block++) {
      if ((lows[block] as number) <= to && (highs[block] as number) >= from) count++;
    }
    this.cost = Math.min(docCount, count * BLOCK_DOCS);
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    for (let start = from, end = from; start < to; start = end) {
      const share = this.shareOf(start / BLOCK_DOCS);
      end = start + BLOCK_DOCS;
      // Equal blocks in a row are written by one call: where documents came in the order of the number, nearly all are equal.
      if (share !== SOME) while (end < to && this.shareOf(end / BLOCK_DOCS) === share) end += BLOCK_DOCS;
      end = Math.min(to, end);
      const place = at + ((start - from) >>> 5);
      if (share === NONE) words.fill(0, place, place + wordsOf(end - start));
      else if (share === ALL) setRun(words, place, end - start);
      else if (this.column.isDense) this.testDense(words, place, start, end);
      else this.testSparse(words, place, start, end);
    }
  }

  /** What its least and greatest number say of the documents of a block: `NONE`, `ALL` or `SOME` of them may be in the range. */
  private shareOf(block: number): number {
    const { lows, highs, isWhole } = this.blocks;
    const low = lows[block] as number;
    const high = highs[block] as number;
    if (low > this.to || high < this.from) return NONE;
    return isWhole[block] === 1 && low >= this.from && high <= this.to ? ALL : SOME;
  }

  private testDense(words: Uint32Array, at: number, start: number, end: number): void {
    const { from, to } = this;
    if (this.scratch.length < end - start) this.scratch = new Float64Array(BLOCK_DOCS);
    const values = this.column.readRange(start, end, this.scratch);
    const count = values.length;
    let place = at;
    for (let i = 0; i < count; i += 32) {
      const stop = Math.min(count, i + 32);
      let word = 0;
      // Without a branch by value, which no processor could foresee.
      for (let k = i; k < stop; k++) {
        const value = values[k] as number;
        word |= (Number(value >= from) & Number(value <= to)) << k;
      }
      words[place++] = word;
    }
  }

  private testSparse(words: Uint32Array, at: number, start: number, end: number): void {
    const { column, from, to } = this;
    const first = column.start(start);
    const last = column.start(end);
    if (last - first > this.scratch.length) this.scratch = new Float64Array(Math.max(BLOCK_DOCS, last - first));
    const values = column.readRange(first, last, this.scratch);
    words.fill(0, at, at + wordsOf(end - start));
    let index = 0;
    for (let doc = start; doc < end; doc++) {
      const stop = column.start(doc + 1) - first;
      let isIn = 0;
      for (; index < stop; index++) {
        const value = values[index] as number;
        isIn |= Number(value >= from) & Number(value <= to);
      }
      const place = at + ((doc - start) >>> 5);
      words[place] = (words[place] as number) | (isIn << (doc & 31));
    }
  }
}

class WideRangeBits implements DocBits {
  readonly cost: number;
  private readonly column: NumericColumn;
  private readonly wide: WideValues;
  private readonly bounds: WideBounds;

  constructor(column: NumericColumn, wide: WideValues, bounds: WideBounds, docCount: number) {
    this.column = column;
    this.wide = wide;
    this.bounds = bounds;
    this.cost = docCount;
    assert(column.isWide, `a column of ${docCount} documents without blocks`);
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    const { column, wide, bounds } = this;
    words.fill(0, at, at + wordsOf(to - from));
    let index = column.start(from);
    for (let doc = from; doc < to; doc++) {
      const end = column.start(doc + 1);
      let isIn = 0;
      for (; index < end; index++) if (wide.isWithin(index, bounds)) isIn = 1;
      const place = at + ((doc - from) >>> 5);
      words[place] = (words[place] as number) | (isIn << (doc & 31));
    }
  }
}
