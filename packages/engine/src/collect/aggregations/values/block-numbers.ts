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
/** Fewest documents of a run that are handed on by themselves, unless the batch has no more. */
const RUN_DOCS_MIN = 512;

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
    if (step > 1 && alikeNumbers(everyFew(lows, step), everyFew(highs, step), numbering) === null) return null;
    const numbers = alikeNumbers(lows, highs, numbering);
    return numbers && new BlockNumbers(numbers);
  }

  /** Documents lie so close that blocks are worth a look. */
  isFor(docs: DocBatch): boolean {
    const { count } = docs;
    return count > 0 && docs.at(count - 1) - docs.at(0) < count * DOCS_PER_MATCH;
  }

  /** Splits a batch into runs of documents that have one number, and what lies between them: `SEVERAL_NUMBERS`. */
  runs(docs: DocBatch, take: (from: number, to: number, number: number) => void): void {
    const { count } = docs;
    let taken = 0;
    for (let at = 0; at < count; ) {
      const number = this.numbers[blockOf(docs.at(at))] as number;
      const end = this.endOfRun(docs, at, number);
      if (number !== SEVERAL_NUMBERS && end - at >= Math.min(RUN_DOCS_MIN, count)) {
        if (at > taken) take(taken, at, SEVERAL_NUMBERS);
        take(at, end, number);
        taken = end;
      }
      at = end;
    }
    if (count > taken) take(taken, count, SEVERAL_NUMBERS);
  }

  /** First position behind `at` in a block that has another number. */
  private endOfRun(docs: DocBatch, at: number, number: number): number {
    let block = blockOf(docs.at(at));
    let end = at;
    do end = docs.positionOf((block + 1) * FINE_BLOCK_DOCS, end);
    while (end < docs.count && this.numbers[(block = blockOf(docs.at(end)))] === number);
    return end;
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

function everyFew(values: Float64Array, step: number): Float64Array {
  return Float64Array.from({ length: Math.ceil(values.length / step) }, (_, i) => values[i * step] as number);
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
