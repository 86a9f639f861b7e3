/**
 * Keys of a segment's values as small numbers, without a hash, where they are few: counting is then one array, and a key is
 * made for each number alone.
 *
 * Which keys there can be is decided by the column's least and largest value. Where those span too much there are no such
 * numbers, and keys are looked up one by one.
 */
import { assert } from '@shoal/core';
import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { type CodeBatch, NumberBatch } from './batch-values.ts';
import type { BlockNumbers } from './block-numbers.ts';
import type { FlatNumbers } from './number-tally.ts';
import type { Numbering, ValueColumn } from './value-numbering.ts';

/** Most numbers of one segment, whatever its size. */
const SIZE_MAX = 1 << 22;
/** Numbers that any segment may have. */
export const SIZE_FREE = 4_096;
export interface KeyNumbers {
  /** Every number is below. */
  readonly size: number;
  key(number: number): number;
  /** Reads the numbers of the values of each document of a batch, each once. */
  read(batch: DocBatch, into: CodeBatch): void;
  /** The number of each document of the segment, where every one has one and they stand so in memory; null or left out: not so. */
  readonly flat?: FlatNumbers | null;
  /** Numbers of whole blocks; null or left out where none is known. */
  readonly blocks?: BlockNumbers | null;
}

export interface ValueSpan {
  readonly least: number;
  readonly most: number;
  readonly docCount: number;
}

/** null where the column's values cannot be numbered. */
export function spanOf({ column, missing, docCount }: ValueColumn): ValueSpan | null {
  if (column === null || column.isWide) return null;
  const least = Number.isNaN(missing) ? column.min : Math.min(column.min, missing);
  const most = Number.isNaN(missing) ? column.max : Math.max(column.max, missing);
  if (!Number.isFinite(least) || !Number.isFinite(most)) return null;
  assert(least <= most, `values from ${least} to ${most} in ${docCount} documents`);
  return { least, most, docCount };
}

export function fits(size: number, docCount: number): boolean {
  return size <= SIZE_FREE || (size <= SIZE_MAX && size <= docCount * 2);
}

/** Codes of the column, where they number all values that a batch can have. */
export function usableCodes({ column, missing, docCount }: ValueColumn): NumberCodes | null {
  const codes = column?.codes ?? null;
  return codes !== null && Number.isNaN(missing) && fits(codes.size, docCount) ? codes : null;
}

/** Each value a key of its own. */
export function valueNumbers(from: ValueColumn): KeyNumbers | null {
  const codes = usableCodes(from);
  const { column } = from;
  if (column !== null && codes !== null) {
    return {
      size: codes.size,
      key: (number) => codes.value(number),
      flat: column.isDense && codes.highs === null ? codes.lows : null,
      read: (batch, into) => {
        into.readCodes(column, codes, batch);
        into.dropRepeats();
      },
    };
  }
  const span = column?.kind === 'long' ? spanOf(from) : null;
  if (span === null) return null;
  const { least, most, docCount } = span;
  const size = most - least + 1;
  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most) || !fits(size, docCount)) return null;
  return new ComputedNumbers(from, {
    size,
    key: (number) => least + number,
    numbers: (values, count, into) => {
      for (let i = 0; i < count; i++) into[i] = (values[i] as number) - least;
    },
  });
}

/** Reads values, and numbers them. */
export class ComputedNumbers implements KeyNumbers {
  readonly size: number;
  readonly blocks: BlockNumbers | null;
  private readonly from: ValueColumn;
  private readonly numbering: Numbering;
  private readonly batch = new NumberBatch();

  constructor(from: ValueColumn, numbering: Numbering, blocks: BlockNumbers | null = null) {
    this.from = from;
    this.numbering = numbering;
    this.size = numbering.size;
    this.blocks = blocks;
  }

  key(number: number): number {
    return this.numbering.key(number);
  }

  read(batch: DocBatch, into: CodeBatch): void {
    this.batch.read(this.from.column, batch, this.from.missing);
    into.beginAs(this.batch);
    this.numbering.numbers(this.batch.values, this.batch.length, into.values);
    into.dropRepeats();
  }
}
