/**
 * Distinct terms by their bytes, numbered in the order in which they came: a hash table over one array of bytes.
 *
 * A term costs its bytes and three numbers: an index sees millions of tokens a second, and a string
 * or a Map entry for each would be most of the work.
 */
import { GrowableU32 } from './growable-arrays.ts';
import { type HashSecret, OPEN_SECRET } from './hash-secret.ts';
import { KeyedHash } from './keyed-hash.ts';

const SLOTS_MIN = 64;
const BYTES_MIN = 1 << 10;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const CASE_BIT = 0x20;
const ASCII_MAX = 0x7f;
/** Bytes that a UTF-16 unit takes at most in UTF-8. */
const UTF8_BYTES_MAX = 3;
/** Bytes of a term that order it before the rest is looked at. */
const PREFIX_BYTES = 4;
/** So many terms have numbers that fit one double together with a prefix. */
const PREFIXED_MAX = 2 ** 21;
/** Terms between two yields of a sort. */
const TERMS_PER_STEP = 2_048;

const encoder = new TextEncoder();

/** `latin1`: each character is one byte of a binary value, such as an address. */
export type TermEncoding = 'utf8' | 'latin1';

export class TermTable {
  bytes: Uint8Array = new Uint8Array(BYTES_MIN);
  /** Start of each term in `bytes`, and the end of the last. */
  private readonly starts = new GrowableU32();
  /** Hash of a term and its number plus one, beside each other: one look into memory for both. 0 where there is none. */
  private slots = new Uint32Array(SLOTS_MIN * 2);
  private readonly hash: KeyedHash;
  size = 0;

  constructor(secret: HashSecret = OPEN_SECRET) {
    this.hash = new KeyedHash(secret);
    this.starts.push(0);
  }

  get sizeBytes(): number {
    return this.bytes.length + this.starts.sizeBytes + this.slots.byteLength;
  }

  start(id: number): number {
    return this.starts.at(id);
  }

  end(id: number): number {
    return this.starts.at(id + 1);
  }

  /** The number of a term. */
  add(term: string, encoding: TermEncoding): number {
    return this.look(term, encoding, true);
  }

  /** The number of a term; -1 when it was not added. */
  find(term: string, encoding: TermEncoding): number {
    return this.look(term, encoding, false);
  }

  private look(term: string, encoding: TermEncoding, adds: boolean): number {
    const { length } = term;
    const start = this.starts.at(this.size);
    this.reserve(start + length * UTF8_BYTES_MAX);
    const { bytes } = this;
    for (let i = 0; i < length; i++) {
      const code = term.charCodeAt(i);
      if (code > ASCII_MAX && encoding === 'utf8') return this.lookEncoded(term, start, adds);
      bytes[start + i] = code;
    }
    return this.resolve(start, start + length, adds);
  }

  private lookEncoded(term: string, start: number, adds: boolean): number {
    const { bytes } = this;
    const { written } = encoder.encodeInto(term, bytes.subarray(start));
    return this.resolve(start, start + written, adds);
  }

  /** The number of the ASCII term `text[from..to)`, its capitals lowered when `lowercases`. */
  addAscii(text: string, from: number, to: number, lowercases: boolean): number {
    const start = this.starts.at(this.size);
    this.reserve(start + to - from);
    const { bytes } = this;
    let end = start;
    for (let i = from; i < to; i++) {
      let code = text.charCodeAt(i);
      if (lowercases && code >= UPPER_A && code <= UPPER_Z) code |= CASE_BIT;
      bytes[end++] = code;
    }
    return this.resolve(start, end, true);
  }

  /** The term whose bytes stand behind the last one: known, or new; -1 for a new one when it is not to be added. */
  private resolve(start: number, end: number, adds: boolean): number {
    const { bytes, slots, starts } = this;
    const length = end - start;
    const mask = slots.length - 2;
    const hash = this.hash.of(bytes, start, end);
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const there = slots[slot + 1] as number;
      if (there === 0) {
        if (!adds) return -1;
        slots[slot] = hash;
        slots[slot + 1] = this.size + 1;
        return this.keep(end);
      }
      if (slots[slot] !== hash) continue;
      const other = starts.at(there - 1);
      if (starts.at(there) - other !== length) continue;
      let i = 0;
      while (i < length && bytes[other + i] === bytes[start + i]) i++;
      if (i === length) return there - 1;
    }
  }

  private keep(end: number): number {
    this.starts.push(end);
    // At most half of the slots are taken.
    if (++this.size * 4 > this.slots.length) this.growSlots();
    return this.size - 1;
  }

  private growSlots(): void {
    const old = this.slots;
    const slots = new Uint32Array(old.length * 2);
    const mask = slots.length - 2;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      let slot = ((old[at] as number) << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = old[at] as number;
      slots[slot + 1] = old[at + 1] as number;
    }
    this.slots = slots;
  }

  private reserve(length: number): void {
    if (length <= this.bytes.length) return;
    const next = new Uint8Array(Math.max(this.bytes.length * 2, length));
    next.set(this.bytes);
    this.bytes = next;
  }

  /** Numbers of the terms in the order of their bytes. Yields every millisecond or so. */
  *sorted(): Generator<void, Uint32Array> {
    const { size } = this;
    if (size > PREFIXED_MAX)
      return Uint32Array.from({ length: size }, (_, id) => id).sort((a, b) => this.compare(a, b));
    // First bytes and number in one double: the platform sorts those many times faster than it calls a comparison.
    const keys = new Float64Array(size);
    for (let id = 0; id < size; id++) keys[id] = this.prefix(id) * PREFIXED_MAX + id;
    keys.sort();
    yield;
    const ids = new Uint32Array(size);
    for (let i = 0; i < size; i++) ids[i] = (keys[i] as number) % PREFIXED_MAX;
    let from = 0;
    let nextYield = TERMS_PER_STEP;
    while (from < size) {
      const prefix = Math.floor((keys[from] as number) / PREFIXED_MAX);
      let to = from + 1;
      while (to < size && Math.floor((keys[to] as number) / PREFIXED_MAX) === prefix) to++;
      if (to - from > 1) ids.subarray(from, to).sort((a, b) => this.compare(a, b));
      from = to;
      if (from < nextYield) continue;
      nextYield = from + TERMS_PER_STEP;
      yield;
    }
    return ids;
  }

  private prefix(id: number): number {
    const start = this.starts.at(id);
    const end = this.starts.at(id + 1);
    let prefix = 0;
    for (let i = 0; i < PREFIX_BYTES; i++)
      prefix = prefix * 256 + (start + i < end ? (this.bytes[start + i] as number) : 0);
    return prefix;
  }

  private compare(a: number, b: number): number {
    const { bytes } = this;
    const startA = this.starts.at(a);
    const startB = this.starts.at(b);
    const lengthA = this.starts.at(a + 1) - startA;
    const lengthB = this.starts.at(b + 1) - startB;
    const common = Math.min(lengthA, lengthB);
    for (let i = 0; i < common; i++) {
      const difference = (bytes[startA + i] as number) - (bytes[startB + i] as number);
      if (difference !== 0) return difference;
    }
    return lengthA - lengthB;
  }
}
