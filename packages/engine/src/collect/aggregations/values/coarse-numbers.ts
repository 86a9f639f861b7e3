/**
 * Numbers of intervals looked up by the upper bits of codes, for columns with many codes to an interval.
 */
import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import type { NumericColumn } from '../../../format/reader/segment-reader.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { CodeBatch } from './batch-values.ts';
import type { BlockNumbers } from './block-numbers.ts';
import type { KeyNumbers } from './key-numbers.ts';
import type { Numbering, ValueColumn } from './value-numbering.ts';

/** Most codes of a column for which a table is made. */
export const CODES_MAX = 65_536;
/** Most codes of a shift must lie in one interval: cells for each at least. */
const CELLS_PER_NUMBER = 16;
/** Cells that any segment may have. */
const CELLS_FREE = 4_096;
const SHIFT_MAX = 31;
const SEVERAL = 0xffff_ffff;

/** How values are numbered, and the numbers of whole blocks of them. */
export interface NumberedBlocks {
  readonly numbering: Numbering;
  readonly blocks: BlockNumbers | null;
}

/**
 * Numbers by the upper bits of codes: most of the cells that these make lie within one interval, and for the values of the
 * others the number is computed.
 */
export class CoarseNumbers implements KeyNumbers {
  readonly size: number;
  readonly blocks: BlockNumbers | null;
  private readonly column: NumericColumn;
  private readonly codes: NumberCodes;
  private readonly numbering: Numbering;
  private readonly shift: number;
  private readonly table: Uint32Array;
  private readonly value = new Float64Array(1);
  private readonly number = new Uint32Array(1);
  private readonly places = new Uint32Array(BATCH_SIZE);

  private constructor(column: NumericColumn, codes: NumberCodes, { numbering, blocks }: NumberedBlocks, shift: number) {
    this.column = column;
    this.blocks = blocks;
    this.codes = codes;
    this.numbering = numbering;
    this.shift = shift;
    this.size = numbering.size;
    this.table = this.cells();
  }

  /** null where cells would be too large for the intervals, or too many for the documents. */
  static of({ column, missing, docCount }: ValueColumn, numbered: NumberedBlocks): CoarseNumbers | null {
    const { numbering } = numbered;
    const codes = column?.codes ?? null;
    if (column === null || codes === null || !column.isDense || !Number.isNaN(missing)) return null;
    const cellsMax = Math.min(CODES_MAX, docCount, Math.max(CELLS_FREE, numbering.size * CELLS_PER_NUMBER * 2));
    let shift = 1;
    while (shift <= SHIFT_MAX && Math.ceil(codes.size / 2 ** shift) > cellsMax) shift++;
    const cellCount = Math.ceil(codes.size / 2 ** shift);
    if (shift > SHIFT_MAX || cellCount < numbering.size * CELLS_PER_NUMBER) return null;
    return new CoarseNumbers(column, codes, numbered, shift);
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
