/**
 * Documents whose number is one of many, found in one pass over the field's column.
 *
 * Values are ranges (a date may stand for a whole day); sorted and joined, so that each document's number is sought in
 * them and not they in all documents.
 */

import { assert } from '@shoal/core';
import type { NumberBounds } from '../../field-types/contract/field-match.ts';
import { BLOCK_DOCS, type NumberBlocks } from '../../format/reader/number-blocks.ts';
import type { NumericColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import type { DocBits, DocIterator } from '../weight/doc-iterator.ts';
import { TestedDocs } from '../weight/tested-docs.ts';
import { docsOfNumberRange } from './column-range.ts';
import { BitsIterator, wordsOf } from './doc-bits.ts';

/** @param values null: a value that no document can have */
export function docsOfAnyNumber(
  field: string,
  values: readonly (NumberBounds | null)[],
): (view: SegmentView) => DocIterator | null {
  const given = values.filter((bounds) => bounds !== null);
  const flat = singleNumbers(given) ?? flatRanges(joinedRanges(given));
  assert(flat === null || flat.froms.length <= given.length, `${flat?.froms.length} ranges of ${given.length} values`);
  return (view) => {
    const column = view.segment.numericColumn(field);
    if (!column || given.length === 0) return null;
    const { docCount } = view.segment;
    const blocks = column.blocks(docCount);
    if (blocks === null || flat === null) return docsOfSet(column, joinedRanges(given), docCount);
    if (flat.froms.length > 1) return new BitsIterator(new NumberSetBits({ column, blocks, docCount }, flat), docCount);
    return docsOfNumberRange(view, field, { from: flat.froms[0] as number, to: flat.tos[0] as number });
  };
}

/** Ascending and apart; in two lists of their ends. */
interface FlatRanges {
  readonly froms: Float64Array;
  readonly tos: Float64Array;
}

/** Ranges of values that are one number each, which the platform sorts far faster than ranges; null for others. */
function singleNumbers(values: readonly NumberBounds[]): FlatRanges | null {
  const sorted = new Float64Array(values.length);
  // By hand: what makes an array by a function costs many times as much.
  for (let i = 0; i < values.length; i++) {
    const { from, to } = values[i] as NumberBounds;
    if (typeof from !== 'number' || from !== to) return null;
    sorted[i] = from;
  }
  sorted.sort();
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    const value = sorted[i] as number;
    if (count === 0 || value !== sorted[count - 1]) sorted[count++] = value;
  }
  const distinct = sorted.subarray(0, count);
  assert(count > 0 || values.length === 0, `${values.length} numbers of which none is left`);
  return { froms: distinct, tos: distinct };
}

/** null where an end is no number of a column that has blocks. */
function flatRanges(ranges: readonly NumberBounds[]): FlatRanges | null {
  const froms = new Float64Array(ranges.length);
  const tos = new Float64Array(ranges.length);
  for (let i = 0; i < ranges.length; i++) {
    const { from, to } = ranges[i] as NumberBounds;
    if (!isExact(from) || !isExact(to)) return null;
    froms[i] = Number(from);
    tos[i] = Number(to);
  }
  return { froms, tos };
}

function isExact(end: number | bigint): boolean {
  return typeof end === 'number' || BigInt(Number(end)) === end;
}

function joinedRanges(values: readonly NumberBounds[]): readonly NumberBounds[] {
  const sorted = [...values].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const joined: NumberBounds[] = [];
  for (const bounds of sorted) {
    const last = joined.at(-1);
    if (!last || bounds.from > last.to) joined.push(bounds);
    else if (bounds.to > last.to) joined[joined.length - 1] = { from: last.from, to: bounds.to };
  }
  return joined;
}

interface BlockedColumn {
  readonly column: NumericColumn;
  readonly blocks: NumberBlocks;
  readonly docCount: number;
}

/** A column of numbers that are exact as such, tested block by block; of blocks beyond all ranges none is read. */
class NumberSetBits implements DocBits {
  readonly cost: number;
  private readonly column: NumericColumn;
  private readonly blocks: NumberBlocks;
  private readonly ranges: FlatRanges;
  private scratch = new Float64Array(BLOCK_DOCS);

  constructor({ column, blocks, docCount }: BlockedColumn, ranges: FlatRanges) {
    assert(
      ranges.froms.length === ranges.tos.length,
      `${ranges.froms.length} starts and ${ranges.tos.length} ends of ranges`,
    );
    assert(
      blocks.lows.length === Math.ceil(docCount / BLOCK_DOCS),
      `${blocks.lows.length} blocks of ${docCount} documents`,
    );
    this.column = column;
    this.blocks = blocks;
    this.cost = docCount;
    this.ranges = ranges;
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    const { lows, highs } = this.blocks;
    for (let start = from; start < to; start += BLOCK_DOCS) {
      const end = Math.min(to, start + BLOCK_DOCS);
      const place = at + ((start - from) >>> 5);
      words.fill(0, place, place + wordsOf(end - start));
      const block = start / BLOCK_DOCS;
      if (this.touches(lows[block] as number, highs[block] as number)) this.test(words, place, start, end);
    }
  }

  private test(words: Uint32Array, at: number, start: number, end: number): void {
    const { column } = this;
    const first = column.start(start);
    const last = column.start(end);
    if (last - first > this.scratch.length) this.scratch = new Float64Array(last - first);
    const values = column.readRange(first, last, this.scratch);
    let index = 0;
    for (let doc = start; doc < end; doc++) {
      const stop = column.start(doc + 1) - first;
      let isIn = 0;
      for (; index < stop; index++) isIn |= Number(this.holds(values[index] as number));
      const place = at + ((doc - start) >>> 5);
      words[place] = (words[place] as number) | (isIn << (doc & 31));
    }
  }

  /** Whether a range has a number within low..high. */
  private touches(low: number, high: number): boolean {
    const { froms, tos } = this.ranges;
    const before = this.rangesUpTo(high);
    return before > 0 && (froms[before - 1] as number) <= high && (tos[before - 1] as number) >= low;
  }

  private holds(value: number): boolean {
    const before = this.rangesUpTo(value);
    return before > 0 && value <= (this.ranges.tos[before - 1] as number);
  }

  /** Ranges that begin at or before the value. */
  private rangesUpTo(value: number): number {
    const { froms } = this.ranges;
    let low = 0;
    let high = froms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((froms[middle] as number) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Documents of a column of any numbers. */
function docsOfSet(column: NumericColumn, ranges: readonly NumberBounds[], docCount: number): DocIterator {
  return new TestedDocs(docCount, (doc) => {
    const end = column.start(doc + 1);
    for (let index = column.start(doc); index < end; index++) {
      if (isInRanges(ranges, column.isWide ? column.bigValue(index) : column.value(index))) return true;
    }
    return false;
  });
}

/** Whether the last range that begins at or before the value reaches it. */
function isInRanges(ranges: readonly NumberBounds[], value: number | bigint): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle] as NumberBounds).from <= value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value <= (ranges[low - 1] as NumberBounds).to;
}
