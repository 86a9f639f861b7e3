/**
 * Values of a field for the documents of a batch, as flat lists: which document of the batch, which value.
 *
 * The same for fields with one value a document, with several, and with a value that takes the place of none, so that
 * collectors have one loop each.
 */

import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import type { NumericColumn, OrdinalColumn } from '../../../format/reader/segment-reader.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { FlatNumbers } from './number-tally.ts';
import { ScriptedColumn } from './scripted-values.ts';

const IDENTITY: Uint32Array = Uint32Array.from({ length: BATCH_SIZE }, (_, i) => i);

abstract class BatchList {
  protected owned: Uint32Array = new Uint32Array(BATCH_SIZE);
  /** Position in the batch of the document that value i belongs to; ascending. */
  positions: Uint32Array = IDENTITY;
  length = 0;

  /** Every document of the batch has one value. */
  get isWhole(): boolean {
    return this.positions === IDENTITY;
  }

  protected reservePositions(size: number): number {
    if (size <= this.owned.length) return 0;
    const capacity = Math.max(size, this.owned.length * 2);
    const positions = new Uint32Array(capacity);
    positions.set(this.owned);
    this.owned = positions;
    this.positions = positions;
    return capacity;
  }

  protected begin(isWhole: boolean, count: number): void {
    this.length = isWhole ? count : 0;
    this.positions = isWhole ? IDENTITY : this.owned;
  }
}

/** Numbers of a batch. */
export class NumberBatch extends BatchList {
  /** Not to be written to: they may be the column's own. */
  values: Float64Array = new Float64Array(0);
  private scratch: Float64Array = new Float64Array(BATCH_SIZE);

  /** The values of the batch; `missing` is NaN where documents without one are left out. */
  read(column: NumericColumn | null, batch: DocBatch, missing: number): void {
    const { count, from } = batch;
    if (column instanceof ScriptedColumn) column.load(batch);
    if (column?.isDense === true) {
      this.begin(true, count);
      this.values = this.scratch;
      if (from >= 0) this.values = column.readRange(from, from + count, this.scratch);
      else column.gather(batch.docs, count, this.scratch);
      return;
    }
    this.begin(false, count);
    if (column !== null || !Number.isNaN(missing)) this.readEach(column, batch, missing);
    this.values = this.scratch;
  }

  private readEach(column: NumericColumn | null, { docs, count }: DocBatch, missing: number): void {
    this.reserve(count);
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const from = column === null ? 0 : column.start(doc);
      const to = column === null ? 0 : column.start(doc + 1);
      if (from === to && Number.isNaN(missing)) continue;
      this.reserve(this.length + Math.max(1, to - from));
      if (from === to) this.put(i, missing);
      for (let at = from; at < to; at++) this.put(i, (column as NumericColumn).value(at));
    }
  }

  private put(position: number, value: number): void {
    this.positions[this.length] = position;
    this.scratch[this.length++] = value;
  }

  private reserve(size: number): void {
    const capacity = this.reservePositions(size);
    if (capacity === 0) return;
    const scratch = new Float64Array(capacity);
    scratch.set(this.scratch);
    this.scratch = scratch;
  }
}

/** Whole numbers of a batch, each below 2^32: ordinals, codes, numbers of keys. */
export class CodeBatch extends BatchList {
  values: Uint32Array = new Uint32Array(BATCH_SIZE);

  /** `missing` is the ordinal that stands for none, -1 to leave such documents out. */
  readOrdinals(column: OrdinalColumn | null, batch: DocBatch, missing: number): void {
    const { count } = batch;
    const flat = column?.flat ?? null;
    if (flat !== null) {
      this.begin(true, count);
      pickNumbers(flat, batch, this.values);
      return;
    }
    this.begin(false, count);
    if (column === null && missing < 0) return;
    const { docs } = batch;
    this.reserve(count);
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const first = column === null ? 0 : column.start(doc);
      const end = column === null ? 0 : column.start(doc + 1);
      this.reserve(this.length + Math.max(1, end - first));
      if (first === end && missing >= 0) this.put(i, missing);
      for (let at = first; at < end; at++) this.put(i, (column as OrdinalColumn).ordinal(at));
    }
  }

  /** Codes of a column's values; documents without one are left out. */
  readCodes(column: NumericColumn, codes: NumberCodes, batch: DocBatch): void {
    const { count, from } = batch;
    if (column.isDense) {
      this.begin(true, count);
      if (from >= 0) codes.readRange(from, from + count, this.values);
      else codes.gather(batch.docs, count, this.values);
      return;
    }
    this.begin(false, count);
    const { docs } = batch;
    const indices: number[] = [];
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const end = column.start(doc + 1);
      for (let at = column.start(doc); at < end; at++) {
        this.reserve(this.length + 1);
        indices.push(at);
        this.put(i, 0);
      }
    }
    codes.gather(Uint32Array.from(indices), this.length, this.values);
  }

  /** Codes less their last `shift` bits; only of a column that is dense. */
  readCoarse(codes: NumberCodes, batch: DocBatch, shift: number): void {
    const { count, from } = batch;
    this.begin(true, count);
    if (from >= 0) codes.coarseRange(from, from + count, shift, this.values);
    else codes.coarseGather(batch.docs, count, shift, this.values);
  }

  /** Numbers of other values, which the caller writes. */
  beginAs({ positions, length, isWhole }: NumberBatch): void {
    this.reserve(length);
    this.begin(isWhole, length);
    if (isWhole) return;
    for (let k = 0; k < length; k++) this.positions[k] = positions[k] as number;
    this.length = length;
  }

  /** Equal values of a document that stand side by side become one. */
  dropRepeats(): void {
    if (this.isWhole) return;
    const { positions, values, length } = this;
    let kept = 0;
    for (let k = 0; k < length; k++) {
      const position = positions[k] as number;
      const value = values[k] as number;
      if (kept > 0 && positions[kept - 1] === position && values[kept - 1] === value) continue;
      positions[kept] = position;
      values[kept++] = value;
    }
    this.length = kept;
  }

  private put(position: number, value: number): void {
    this.positions[this.length] = position;
    this.values[this.length++] = value;
  }

  private reserve(size: number): void {
    const capacity = this.reservePositions(size);
    if (capacity === 0) return;
    const values = new Uint32Array(capacity);
    values.set(this.values);
    this.values = values;
  }
}

/** The numbers of the documents of a batch. `flat`: one for each document of the segment. */
export function pickNumbers(flat: FlatNumbers, batch: DocBatch, into: Uint32Array): void {
  const { from, count } = batch;
  if (from >= 0) into.set(flat.subarray(from, from + count));
  else pick(flat, batch.docs, count, into);
}

/** One loop for each width: with several in one, each step would ask which it is. */
function pick(flat: FlatNumbers, docs: Uint32Array, count: number, into: Uint32Array): void {
  if (flat instanceof Uint8Array) pickBytes(flat, docs, count, into);
  else if (flat instanceof Uint16Array) pickShorts(flat, docs, count, into);
  else for (let i = 0; i < count; i++) into[i] = flat[docs[i] as number] as number;
}

function pickBytes(flat: Uint8Array, docs: Uint32Array, count: number, into: Uint32Array): void {
  for (let i = 0; i < count; i++) into[i] = flat[docs[i] as number] as number;
}

function pickShorts(flat: Uint16Array, docs: Uint32Array, count: number, into: Uint32Array): void {
  for (let i = 0; i < count; i++) into[i] = flat[docs[i] as number] as number;
}
