/**
 * Counts distinct values: exactly while they are few, then by HyperLogLog.
 *
 * Values come in as 64-bit hashes in two halves. The estimate is the one of O. Ertl, "New cardinality estimation algorithms
 * for HyperLogLog sketches" (2017), which needs no tables of measured bias.
 */
import { assert } from '@shoal/core';
import { lowerHash, upperHash } from './value-hash.ts';

export const PRECISION_MIN = 4;
export const PRECISION_MAX = 18;

/** Registers' bits that keep the error small up to about `threshold` distinct values: memory is 2^precision bytes. */
export function precisionOf(threshold: number): number {
  const wanted = 32 - Math.clz32(Math.ceil(threshold / 0.75) * 4);
  return Math.min(PRECISION_MAX, Math.max(PRECISION_MIN, wanted));
}

/** Slots of an empty set; a slot holds two halves of a hash. */
const SLOTS_MIN = 8;
/** Filled slots beyond which a set grows. */
const LOAD_MAX = 0.75;

export class HyperLogLog {
  readonly precision: number;
  /** Hashes seen, open addressing, (0, 0) is empty; null once registers took over. */
  private slots: Uint32Array | null = new Uint32Array(2 * SLOTS_MIN);
  private slotCount = 0;
  private hasZero = false;
  private registers: Uint8Array | null = null;

  constructor(precision: number) {
    assert(precision >= PRECISION_MIN && precision <= PRECISION_MAX, `precision ${precision}`);
    this.precision = precision;
  }

  get sizeBytes(): number {
    return (this.slots?.byteLength ?? 0) + (this.registers?.byteLength ?? 0);
  }

  /** Halves of a well-mixed 64-bit hash, unsigned. */
  add(high: number, low: number): void {
    if (this.registers !== null) this.addToRegisters(this.registers, high, low);
    else this.addToSlots(high >>> 0, low >>> 0);
  }

  /** Doubles, as the halves of their bits in the order of this machine: two a value. */
  addDoubles(halves: Uint32Array, from: number, to: number): void {
    let i = from;
    for (; i < to && this.registers === null; i++) {
      const low = halves[2 * i] as number;
      const high = wholeZero(low, halves[2 * i + 1] as number);
      this.addToSlots(upperHash(low, high), lowerHash(low, high));
    }
    const { registers, precision } = this;
    if (registers === null) return;
    const shift = 32 - precision;
    for (; i < to; i++) {
      const low = halves[2 * i] as number;
      const high = wholeZero(low, halves[2 * i + 1] as number);
      const upper = upperHash(low, high);
      const rest = upper << precision;
      if (rest === 0) {
        this.addToRegisters(registers, upper, lowerHash(low, high));
        continue;
      }
      const rank = Math.clz32(rest) + 1;
      if ((registers[upper >>> shift] as number) < rank) registers[upper >>> shift] = rank;
    }
  }

  /** True once the sketch has registers instead of the hashes themselves: then it takes ranks. */
  get takesRanks(): boolean {
    return this.registers !== null;
  }

  /** Adds values that were hashed elsewhere, each as register << 8 | rank. Only once `takesRanks`. */
  addRanks(ranks: Uint32Array, from: number, to: number): void {
    const { registers } = this;
    assert(registers !== null, 'ranks for a sketch that is exact');
    for (let i = from; i < to; i++) {
      const packed = ranks[i] as number;
      const rank = packed & 0xff;
      if ((registers[packed >>> 8] as number) < rank) registers[packed >>> 8] = rank;
    }
  }

  private addToSlots(high: number, low: number): void {
    if (high === 0 && low === 0) {
      this.hasZero = true;
      return;
    }
    let slots = this.slots as Uint32Array;
    const mask = (slots.length >>> 1) - 1;
    let at = low & mask;
    for (;;) {
      const h = slots[2 * at] as number;
      const l = slots[2 * at + 1] as number;
      if (h === high && l === low) return;
      if (h === 0 && l === 0) break;
      at = (at + 1) & mask;
    }
    slots[2 * at] = high;
    slots[2 * at + 1] = low;
    if (++this.slotCount < (mask + 1) * LOAD_MAX) return;
    // Exact hashes may take as much memory as the registers would, not more.
    if (slots.byteLength * 2 > 2 ** this.precision) {
      this.useRegisters();
      return;
    }
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    this.slots = slots;
    this.slotCount = 0;
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] !== 0 || old[i + 1] !== 0) this.addToSlots(old[i] as number, old[i + 1] as number);
    }
  }

  private useRegisters(): void {
    const registers = new Uint8Array(2 ** this.precision);
    const slots = this.slots as Uint32Array;
    this.registers = registers;
    this.slots = null;
    if (this.hasZero) this.addToRegisters(registers, 0, 0);
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i] !== 0 || slots[i + 1] !== 0)
        this.addToRegisters(registers, slots[i] as number, slots[i + 1] as number);
    }
  }

  private addToRegisters(registers: Uint8Array, high: number, low: number): void {
    const index = high >>> (32 - this.precision);
    const rest = (high << this.precision) >>> 0;
    const zeros = rest === 0 ? 32 - this.precision + Math.clz32(low) : Math.clz32(rest);
    const rank = Math.min(zeros, 64 - this.precision) + 1;
    if ((registers[index] as number) < rank) registers[index] = rank;
  }

  merge(other: HyperLogLog): void {
    assert(other.precision === this.precision, 'sketches of different precision');
    if (other.slots !== null) {
      const { slots } = other;
      if (other.hasZero) this.add(0, 0);
      for (let i = 0; i < slots.length; i += 2) {
        if (slots[i] !== 0 || slots[i + 1] !== 0) this.add(slots[i] as number, slots[i + 1] as number);
      }
      return;
    }
    this.mergeRegisters(other.registers as Uint8Array);
  }

  /** @param theirs registers of a sketch of the same precision; they are not kept */
  mergeRegisters(theirs: Uint8Array): void {
    assert(theirs.length === 2 ** this.precision, 'registers do not fit the precision');
    if (this.registers === null) this.useRegisters();
    const mine = this.registers as unknown as Uint8Array;
    for (let i = 0; i < mine.length; i++)
      if ((theirs[i] as number) > (mine[i] as number)) mine[i] = theirs[i] as number;
  }

  /** Rounded to a whole number. */
  cardinality(): number {
    if (this.registers === null) return this.slotCount + (this.hasZero ? 1 : 0);
    const q = 64 - this.precision;
    const counts = new Float64Array(q + 2);
    for (const rank of this.registers) counts[rank] = (counts[rank] as number) + 1;
    const m = this.registers.length;
    let z = m * tau(1 - (counts[q + 1] as number) / m);
    for (let k = q; k >= 1; k--) z = 0.5 * (z + (counts[k] as number));
    z += m * sigma((counts[0] as number) / m);
    return Math.round((m * m) / (2 * Math.LN2 * z));
  }

  /** Hashes (pairs of halves) while exact, else registers. */
  state():
    | { readonly hashes: Uint32Array; readonly registers: null }
    | { readonly hashes: null; readonly registers: Uint8Array } {
    if (this.registers !== null) return { hashes: null, registers: this.registers };
    const hashes = new Uint32Array(2 * (this.slotCount + (this.hasZero ? 1 : 0)));
    let at = this.hasZero ? 2 : 0;
    const slots = this.slots as Uint32Array;
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i] === 0 && slots[i + 1] === 0) continue;
      hashes[at++] = slots[i] as number;
      hashes[at++] = slots[i + 1] as number;
    }
    return { hashes, registers: null };
  }

  /** `registers` must be as long as the precision says. */
  static ofRegisters(precision: number, registers: Uint8Array): HyperLogLog {
    const sketch = new HyperLogLog(precision);
    assert(registers.length === 2 ** precision, 'registers do not fit the precision');
    sketch.slots = null;
    sketch.registers = registers.slice();
    return sketch;
  }
}

/** The upper half of a double's bits; that of 0 for -0: they are one value. */
function wholeZero(low: number, high: number): number {
  return low === 0 && high === 0x8000_0000 ? 0 : high;
}

function sigma(start: number): number {
  if (start === 1) return Number.POSITIVE_INFINITY;
  let x = start;
  let y = 1;
  let z = x;
  for (let before = Number.NaN; before !== z; ) {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  }
  return z;
}

function tau(start: number): number {
  if (start === 0 || start === 1) return 0;
  let x = start;
  let y = 1;
  let z = 1 - x;
  for (let before = Number.NaN; before !== z; ) {
    x = Math.sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}
