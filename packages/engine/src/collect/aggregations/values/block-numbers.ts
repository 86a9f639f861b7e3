/**
 * Numbers of whole blocks of documents: where values ascend with the documents, as times of logs do, most blocks lie within one
 * interval, and none of their values need be read.
 *
 * The number of a value must not fall where values rise: what both ends of a block have is then the number of all between.
 */
import { assert } from '@shoal/core';
import { FINE_BLOCK_DOCS } from '../../../format/reader/number-blocks.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { Numbering, ValueColumn } from './value-numbering.ts';

/** Stands for a block whose values have several numbers. */
export const SEVERAL_NUMBERS = 0xffff_ffff;
/** Blocks that are tried first: where values are in no order, none has one number. */
const TRIED_BLOCKS = 64;
/** Documents of a segment for each of a batch, at most, for blocks to be looked at: fewer of a block are as soon read. */
const DOCS_PER_MATCH = 8;

export class BlockNumbers {
  /** Most blocks have one number: few values are read. */
  readonly areMost: boolean;
  private readonly numbers: Uint32Array;

  private constructor(numbers: Uint32Array) {
    this.numbers = numbers;
    let count = 0;
    for (let block = 0; block < numbers.length; block++) if (numbers[block] !== SEVERAL_NUMBERS) count++;
    this.areMost = count * 2 > numbers.length;
  }

  /** null where documents may have no value or several, or hardly a block has one number. */
  static of({ column, docCount }: ValueColumn, numbering: Numbering): BlockNumbers | null {
    const blocks = column?.isDense === true ? (column.blocks(docCount)?.fine ?? null) : null;
    if (blocks === null) return null;
    const { lows, highs } = blocks;
    const step = Math.ceil(lows.length / TRIED_BLOCKS);
    const isTried = (_: number, block: number): boolean => block % step === 0;
    if (step > 1 && alikeNumbers(lows.filter(isTried), highs.filter(isTried), numbering) === null) return null;
    const numbers = alikeNumbers(lows, highs, numbering);
    return numbers && new BlockNumbers(numbers);
  }

  /** Documents lie so close that blocks are worth a look. */
  isFor(docs: DocBatch): boolean {
    const { count } = docs;
    return count > 0 && docs.at(count - 1) - docs.at(0) < count * DOCS_PER_MATCH;
  }

  /** The number of all documents of a batch that has some; `SEVERAL_NUMBERS` where they may have several. */
  ofBatch(docs: DocBatch): number {
    const { numbers } = this;
    const last = blockOf(docs.at(docs.count - 1));
    let block = blockOf(docs.at(0));
    const number = numbers[block] as number;
    while (++block <= last) if (numbers[block] !== number) return SEVERAL_NUMBERS;
    return number;
  }

  /** Counts documents by the numbers of their blocks; `read` counts those at from..to - 1 of the batch in blocks of several numbers. */
  count(docs: DocBatch, counts: Uint32Array, read: (from: number, to: number) => void): void {
    const { numbers } = this;
    const { count } = docs;
    let toRead = 0;
    for (let at = 0; at < count; ) {
      const block = blockOf(docs.at(at));
      const end = docs.positionOf((block + 1) * FINE_BLOCK_DOCS, at);
      const number = numbers[block] as number;
      if (number !== SEVERAL_NUMBERS) {
        counts[number] = (counts[number] as number) + (end - at);
        if (at > toRead) read(toRead, at);
        toRead = end;
      }
      at = end;
    }
    if (count > toRead) read(toRead, count);
  }
}

function blockOf(doc: number): number {
  return Math.trunc(doc / FINE_BLOCK_DOCS);
}

/** Number of each block, or that it has several; null where every block has several. */
function alikeNumbers(lows: Float64Array, highs: Float64Array, numbering: Numbering): Uint32Array | null {
  const count = lows.length;
  const firsts = new Uint32Array(count);
  const lasts = new Uint32Array(count);
  numbering.numbers(lows, count, firsts);
  numbering.numbers(highs, count, lasts);
  let hasAny = false;
  for (let block = 0; block < count; block++) {
    const [first, last] = [firsts[block] as number, lasts[block] as number];
    assert(first <= last && last < numbering.size, `numbers ${first}..${last} of a block, ${numbering.size} are known`);
    if (first === last) hasAny = true;
    else firsts[block] = SEVERAL_NUMBERS;
  }
  return hasAny ? firsts : null;
}
