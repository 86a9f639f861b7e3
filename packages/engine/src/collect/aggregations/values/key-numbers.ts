/**
 * Keys of a segment's values as small numbers, without a hash, where they are few: counting is then one array, and a key is
 * made for each number alone.
 *
 * Which keys there can be is decided by the column's least and largest value. Where those span too much there are no such
 * numbers, and keys are looked up one by one.
 */
import { type DateHistogramAggregation, DateRounding, type HistogramAggregation } from '@shoal/aggregations';
import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import type { NumericColumn } from '../../../format/reader/segment-reader.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { type CodeBatch, NumberBatch } from './batch-values.ts';

/** Numbers at most, whatever the size of the segment. */
const SIZE_MAX = 1 << 22;
/** Numbers that any segment may have. */
const SIZE_FREE = 4_096;
/** Codes of a column for which the keys are looked up before. */
const CODES_MAX = 65_536;

export interface KeyNumbers {
  /** Every number is below. */
  readonly size: number;
  key(number: number): number;
  /** For a batch, of each document the numbers of its values, each once. */
  read(batch: DocBatch, into: CodeBatch): void;
}

/** A segment's column of numbers, and what takes the place of none in it. */
export interface ValueColumn {
  readonly column: NumericColumn | null;
  /** NaN: documents without a value are left out. */
  readonly missing: number;
  readonly docCount: number;
}

interface ValueSpan {
  readonly least: number;
  readonly most: number;
  readonly docCount: number;
}

/** null where the column's values cannot be numbered. */
function spanOf({ column, missing, docCount }: ValueColumn): ValueSpan | null {
  if (column === null || column.isWide) return null;
  const least = Number.isNaN(missing) ? column.min : Math.min(column.min, missing);
  const most = Number.isNaN(missing) ? column.max : Math.max(column.max, missing);
  if (!Number.isFinite(least) || !Number.isFinite(most)) return null;
  return { least, most, docCount };
}

function fits(size: number, docCount: number): boolean {
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

/** How values are numbered. */
interface Numbering {
  readonly size: number;
  key(number: number): number;
  /** Numbers of the values; all must be within the column's least and largest. */
  numbers(values: Float64Array, count: number, into: Uint32Array): void;
}

/** Reads values, and numbers them. */
class ComputedNumbers implements KeyNumbers {
  readonly size: number;
  private readonly from: ValueColumn;
  private readonly numbering: Numbering;
  private readonly batch = new NumberBatch();

  constructor(from: ValueColumn, numbering: Numbering) {
    this.from = from;
    this.numbering = numbering;
    this.size = numbering.size;
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

/** Numbers by code: what each code's key is, is computed once. */
function tabled({ column }: ValueColumn, codes: NumberCodes, { size, key, numbers }: Numbering): KeyNumbers | null {
  if (column === null) return null;
  const values = new Float64Array(codes.size);
  for (let code = 0; code < values.length; code++) values[code] = codes.value(code);
  const table = new Uint32Array(codes.size);
  numbers(values, codes.size, table);
  return {
    size,
    key,
    read: (batch, into) => {
      into.readCodes(column, codes, batch);
      const { values: found, length } = into;
      for (let k = 0; k < length; k++) found[k] = table[found[k] as number] as number;
      into.dropRepeats();
    },
  };
}

/** Keys of a histogram. */
export function intervalNumbers(
  aggregation: Pick<HistogramAggregation | DateHistogramAggregation, 'kind' | 'interval'>,
  offset: number,
  from: ValueColumn,
): KeyNumbers | null {
  const span = spanOf(from);
  const numbering = span && intervalNumbering(aggregation, offset, span);
  if (numbering === null) return null;
  const codes = usableCodes(from);
  if (codes !== null && codes.size <= CODES_MAX) return tabled(from, codes, numbering);
  return CoarseNumbers.of(from, numbering) ?? new ComputedNumbers(from, numbering);
}

/** Most codes of a shift must lie in one interval: cells for each at least. */
const CELLS_PER_NUMBER = 16;
/** Cells that any segment may have. */
const CELLS_FREE = 4_096;
const SHIFT_MAX = 31;
const SEVERAL = 0xffff_ffff;

/**
 * Numbers by the upper bits of codes: most of the cells that these make lie within one interval, and for the values of the
 * others the number is computed.
 */
class CoarseNumbers implements KeyNumbers {
  readonly size: number;
  private readonly column: NumericColumn;
  private readonly codes: NumberCodes;
  private readonly numbering: Numbering;
  private readonly shift: number;
  private readonly table: Uint32Array;
  private readonly value = new Float64Array(1);
  private readonly number = new Uint32Array(1);
  private readonly places = new Uint32Array(BATCH_SIZE);

  private constructor(column: NumericColumn, codes: NumberCodes, numbering: Numbering, shift: number) {
    this.column = column;
    this.codes = codes;
    this.numbering = numbering;
    this.shift = shift;
    this.size = numbering.size;
    this.table = this.cells();
  }

  /** null where cells would be too large for the intervals, or too many for the documents. */
  static of({ column, missing, docCount }: ValueColumn, numbering: Numbering): CoarseNumbers | null {
    const codes = column?.codes ?? null;
    if (column === null || codes === null || !column.isDense || !Number.isNaN(missing)) return null;
    const cellsMax = Math.min(CODES_MAX, docCount, Math.max(CELLS_FREE, numbering.size * CELLS_PER_NUMBER * 2));
    let shift = 1;
    while (shift <= SHIFT_MAX && Math.ceil(codes.size / 2 ** shift) > cellsMax) shift++;
    const cellCount = Math.ceil(codes.size / 2 ** shift);
    if (shift > SHIFT_MAX || cellCount < numbering.size * CELLS_PER_NUMBER) return null;
    return new CoarseNumbers(column, codes, numbering, shift);
  }

  /** Both ends of a cell have the number of all between them. */
  private cells(): Uint32Array {
    const { codes, shift } = this;
    const width = 2 ** shift;
    const count = Math.ceil(codes.size / width);
    const firsts = new Float64Array(count);
    const lasts = new Float64Array(count);
    for (let cell = 0; cell < count; cell++) {
      firsts[cell] = codes.value(cell * width);
      lasts[cell] = codes.value(Math.min(codes.size, (cell + 1) * width) - 1);
    }
    const table = new Uint32Array(count);
    const ends = new Uint32Array(count);
    this.numbering.numbers(firsts, count, table);
    this.numbering.numbers(lasts, count, ends);
    for (let cell = 0; cell < count; cell++) if (table[cell] !== ends[cell]) table[cell] = SEVERAL;
    return table;
  }

  key(number: number): number {
    return this.numbering.key(number);
  }

  read(batch: DocBatch, into: CodeBatch): void {
    into.readCoarse(this.codes, batch, this.shift);
    const { places } = this;
    const count = lookUp(into.values, into.length, this.table, places);
    const { from } = batch;
    const docs = count > 0 && from < 0 ? batch.docs : NO_DOCS;
    for (let i = 0; i < count; i++) {
      const k = places[i] as number;
      into.values[k] = this.numberAt(from < 0 ? (docs[k] as number) : from + k);
    }
  }

  private numberAt(doc: number): number {
    const { column, value, number } = this;
    value[0] = column.value(doc);
    this.numbering.numbers(value, 1, number);
    return number[0] as number;
  }
}

const NO_DOCS = new Uint32Array(0);

/** Cells become numbers; returns how many have several, and where those are. */
function lookUp(cells: Uint32Array, length: number, table: Uint32Array, places: Uint32Array): number {
  let count = 0;
  for (let k = 0; k < length; k++) {
    const number = table[cells[k] as number] as number;
    cells[k] = number;
    if (number === SEVERAL) places[count++] = k;
  }
  return count;
}

function intervalNumbering(
  aggregation: Pick<HistogramAggregation | DateHistogramAggregation, 'kind' | 'interval'>,
  offset: number,
  span: ValueSpan,
): Numbering | null {
  if (aggregation.kind === 'histogram') return equalSteps(aggregation.interval as number, offset, span);
  const rounding = new DateRounding((aggregation as DateHistogramAggregation).interval);
  const { fixedStepMs } = rounding;
  if (fixedStepMs !== null) return equalSteps(fixedStepMs, rounding.offsetMs, span);
  return calendarSteps(rounding, span);
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

/** Cells of the table that leads to the stretches of a calendar, for each stretch. */
const CELLS_PER_STRETCH = 64;
/** So that the table stays in the processor's cache. */
const CELLS_MAX = 16_384;

/** Stretches of unequal length: a table of equal cells says where to begin to look. */
function calendarSteps(rounding: DateRounding, { least, most, docCount }: ValueSpan): Numbering | null {
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
  const cells = Math.max(size, Math.min(size * CELLS_PER_STRETCH, CELLS_MAX));
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
