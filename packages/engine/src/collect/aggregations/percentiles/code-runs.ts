/**
 * Codes of a column so that each distinct one comes once with its number, where they span too much for all of them to be counted in an
 * array: the small ones are, as most sizes and durations are small, and the others are gathered and sorted.
 *
 * They are sorted digit by digit, which takes less than sorting the values would: codes are half as wide, and compare as they are.
 */
import { assert } from '@shoal/core';
import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { DocBatch } from '../collector/doc-batch.ts';

/** Codes that are sorted at once: they stay in the processor's second cache with what they become. */
const CODES_MAX = 16_384;
/** Codes below are counted: their counts stay in the processor's second cache. */
const COUNTED_BELOW = 65_536;
/** Widest digit, in bits: its counts stay in the processor's nearest cache. */
const DIGIT_BITS_MAX = 11;
/** Codes of a column that is read, at most. */
const SIZE_MAX = 2 ** 32;

/** Distinct values, ascending, each with its number. */
export interface ValueRuns {
  readonly values: Float64Array;
  readonly counts: Uint32Array;
}

export class CodeRuns {
  private codes: NumberCodes;
  private pending = new Uint32Array(CODES_MAX);
  private other = new Uint32Array(CODES_MAX);
  private readonly batch = new Uint32Array(BATCH_SIZE);
  /** By code; the last one stands for all that are not counted. */
  private readonly counted = new Uint32Array(COUNTED_BELOW + 1);
  private readonly values = new Float64Array(CODES_MAX);
  private readonly counts = new Uint32Array(CODES_MAX);
  private count = 0;
  /** All codes that were added are below. */
  private sizeMax: number;

  /** @param codes of a column in which every document has one value; below 2^32 */
  constructor(codes: NumberCodes) {
    assert(CodeRuns.takes(codes), `${codes.size} codes`);
    this.codes = codes;
    this.sizeMax = codes.size;
  }

  /** Goes on with the codes of another column; false where they mean other values, so that what there is is to be taken first. */
  goOn(codes: NumberCodes): boolean {
    const { base, unit, divisor } = this.codes;
    if (codes.base !== base || codes.unit !== unit || codes.divisor !== divisor) return false;
    this.codes = codes;
    this.sizeMax = Math.max(this.sizeMax, codes.size);
    return true;
  }

  static takes({ size }: NumberCodes): boolean {
    return size <= SIZE_MAX;
  }

  get memoryBytes(): number {
    return 2 * this.pending.byteLength + this.counted.byteLength + this.values.byteLength + this.counts.byteLength;
  }

  /** A whole batch more has room; else what is there is to be taken first. */
  get hasRoom(): boolean {
    return this.count + BATCH_SIZE <= CODES_MAX;
  }

  add(docs: DocBatch): void {
    assert(this.hasRoom, `${docs.count} codes behind ${this.count}`);
    const { codes, batch, pending, counted } = this;
    const { from, count } = docs;
    if (from >= 0) codes.readRange(from, from + count, batch);
    else codes.gather(docs.docs, count, batch);
    this.count = countSmall(batch, count, counted, pending, this.count);
  }

  /** All small codes that were added. */
  takeCounted(): ValueRuns {
    const { codes, counted } = this;
    counted[COUNTED_BELOW] = 0;
    let length = 0;
    for (let code = 0; code < COUNTED_BELOW; code++) length += counted[code] === 0 ? 0 : 1;
    const values = new Float64Array(length);
    const counts = new Uint32Array(length);
    for (let code = 0, at = 0; at < length; code++) {
      if (counted[code] === 0) continue;
      values[at] = codes.value(code);
      counts[at++] = counted[code] as number;
    }
    counted.fill(0);
    return { values, counts };
  }

  /** The other codes that were added since the last time. Good until the next call. */
  take(): ValueRuns {
    const { codes, count, values, counts } = this;
    this.sort();
    const { pending } = this;
    let length = 0;
    for (let i = 0; i < count; ) {
      const code = pending[i] as number;
      const first = i++;
      while (i < count && pending[i] === code) i++;
      values[length] = codes.value(code);
      counts[length++] = i - first;
    }
    this.count = 0;
    return { values: values.subarray(0, length), counts: counts.subarray(0, length) };
  }

  /** Leaves the codes ascending in `pending`. */
  private sort(): void {
    const { sizeMax, count } = this;
    if (count === 0) return;
    const bits = Math.max(1, Math.ceil(Math.log2(sizeMax)));
    const digitCount = Math.ceil(bits / DIGIT_BITS_MAX);
    const digitBits = Math.ceil(bits / digitCount);
    for (let digit = 0; digit < digitCount; digit++) {
      const { pending, other } = this;
      const starts = new Uint32Array(2 ** digitBits);
      countDigits(pending, count, digit * digitBits, starts);
      scatter(pending, count, digit * digitBits, starts, other);
      this.pending = other;
      this.other = pending;
    }
  }
}

/** Counts small codes, and appends the others to `large`, which has `length`; returns its length then. */
function countSmall(
  codes: Uint32Array,
  count: number,
  counted: Uint32Array,
  large: Uint32Array,
  length: number,
): number {
  let end = length;
  // Without a branch, which no processor could foresee.
  for (let i = 0; i < count; i++) {
    const code = codes[i] as number;
    large[end] = code;
    end += Number(code >= COUNTED_BELOW);
    const cell = Math.min(code, COUNTED_BELOW);
    counted[cell] = (counted[cell] as number) + 1;
  }
  return end;
}

/** Where the codes of each digit begin in the order of digits. */
function countDigits(codes: Uint32Array, count: number, shift: number, starts: Uint32Array): void {
  const mask = starts.length - 1;
  for (let i = 0; i < count; i++) {
    const digit = ((codes[i] as number) >>> shift) & mask;
    starts[digit] = (starts[digit] as number) + 1;
  }
  let before = 0;
  for (let digit = 0; digit <= mask; digit++) {
    const here = starts[digit] as number;
    starts[digit] = before;
    before += here;
  }
}

function scatter(from: Uint32Array, count: number, shift: number, starts: Uint32Array, to: Uint32Array): void {
  const mask = starts.length - 1;
  for (let i = 0; i < count; i++) {
    const code = from[i] as number;
    const digit = (code >>> shift) & mask;
    const at = starts[digit] as number;
    starts[digit] = at + 1;
    to[at] = code;
  }
}
