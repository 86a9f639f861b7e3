/**
 * Numbers of the intervals that a segment's values are in: of equal steps by a division, of a calendar by a table.
 */
import { assert } from '@shoal/core';
import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import { BlockNumbers } from './block-numbers.ts';
import { CODES_MAX, CoarseNumbers, type NumberedBlocks } from './coarse-numbers.ts';
import {
  ComputedNumbers,
  fits,
  type KeyNumbers,
  SIZE_FREE,
  spanOf,
  usableCodes,
  type ValueSpan,
} from './key-numbers.ts';
import type { CalendarIntervals, ValueIntervals } from './value-intervals.ts';
import type { Numbering, ValueColumn } from './value-numbering.ts';

/** Numbers of the intervals of a column's values; null where they cannot be numbered. */
export function intervalNumbers(intervals: ValueIntervals, from: ValueColumn): KeyNumbers | null {
  const span = spanOf(from);
  const numbering = span && numberingOf(intervals, span);
  if (numbering === null) return null;
  const codes = usableCodes(from);
  const blocks = BlockNumbers.of(from, numbering);
  if (codes !== null && codes.size <= CODES_MAX) return tabled(from, codes, { numbering, blocks });
  // Making a table takes longer than it saves where few values are read.
  const coarse = blocks?.areMost === true ? null : CoarseNumbers.of(from, { numbering, blocks });
  return coarse ?? new ComputedNumbers(from, numbering, blocks);
}

/** Numbers by code: what each code's key is, is computed once. */
function tabled({ column }: ValueColumn, codes: NumberCodes, { numbering, blocks }: NumberedBlocks): KeyNumbers | null {
  if (column === null) return null;
  const { size, key, numbers } = numbering;
  const values = new Float64Array(codes.size);
  for (let code = 0; code < values.length; code++) values[code] = codes.value(code);
  const table = new Uint32Array(codes.size);
  numbers(values, codes.size, table);
  return {
    size,
    key,
    blocks,
    read: (batch, into) => {
      into.readCodes(column, codes, batch);
      const { values: found, length } = into;
      for (let k = 0; k < length; k++) found[k] = table[found[k] as number] as number;
      into.dropRepeats();
    },
  };
}

function numberingOf(intervals: ValueIntervals, span: ValueSpan): Numbering | null {
  if (intervals.kind === 'calendar') return calendarSteps(intervals, span);
  return equalSteps(intervals.step, intervals.offset, span);
}

/** The same arithmetic as rounding has: the quotient, rounded down. */
function equalSteps(step: number, offset: number, { least, most, docCount }: ValueSpan): Numbering | null {
  const first = Math.floor((least - offset) / step);
  const size = Math.floor((most - offset) / step) - first + 1;
  if (!Number.isSafeInteger(first) || !fits(size, docCount)) return null;
  return {
    size,
    key: (number) => (first + number) * step + offset,
    numbers: (values, count, into) => {
      for (let i = 0; i < count; i++) into[i] = Math.floor(((values[i] as number) - offset) / step) - first;
    },
  };
}

/** Cells of the look-up table for each interval of a calendar. */
const CELLS_PER_INTERVAL = 64;
/** Most cells of the table, so that it stays in the processor's cache. */
const CELLS_MAX = 16_384;

/** Intervals of unequal length: a table of equal cells says where to begin to look. */
function calendarSteps(rounding: CalendarIntervals, { least, most, docCount }: ValueSpan): Numbering | null {
  const starts: number[] = [];
  for (let start = rounding.round(least); start <= most; ) {
    starts.push(start);
    if (starts.length > SIZE_FREE && !fits(starts.length, docCount / 8)) return null;
    const next = rounding.next(start);
    if (next <= start) return null;
    start = next;
  }
  const size = starts.length;
  const ends = Float64Array.from({ length: size }, (_, i) => starts[i + 1] ?? Number.POSITIVE_INFINITY);
  const cells = Math.max(size, Math.min(size * CELLS_PER_INTERVAL, CELLS_MAX));
  assert(size > 0 && (starts[0] as number) <= least, `${size} intervals from ${starts[0]} for values from ${least}`);
  const perMs = cells / (most - least + 1);
  const firsts = new Int32Array(cells + 1);
  for (let cell = 0, at = 0; cell <= cells; cell++) {
    while (at + 1 < size && (ends[at] as number) <= least + cell / perMs) at++;
    // One cell may be off by rounding: the look-up only goes forward.
    firsts[cell] = Math.max(0, at - 1);
  }
  return {
    size,
    key: (number) => starts[number] ?? 0,
    numbers: (values, count, into) => {
      for (let i = 0; i < count; i++) {
        const value = values[i] as number;
        let at = firsts[Math.trunc((value - least) * perMs)] as number;
        while ((ends[at] as number) <= value) at++;
        into[i] = at;
      }
    },
  };
}
