/**
 * The order of entries by their words: of all of them, or of a stretch alone, which costs one look at each entry.
 *
 * Entries with equal words stay in the order in which they are given: that of their documents. Work is done in steps, so
 * that others of the thread have their turn between them.
 */
import { assert } from '@shoal/core';
import type { OrderWord } from './order-words.ts';

const DIGIT_BITS = 11;
const SELECT_BITS = 16;
/** So few are sorted by comparing them. */
const COMPARED_MAX = 256;

/** A result that is worked out in steps of a few milliseconds a million entries. */
export type Steps<T> = Generator<void, T>;

/** All entries in order. `words`: most significant first. */
export function sortedOrder(words: readonly OrderWord[], count: number): Steps<Uint32Array> {
  checkWords(words, count);
  return sortBy(words, range(0, count));
}

function checkWords(words: readonly OrderWord[], count: number): void {
  for (const { values, bits } of words) {
    assert(values.length >= count, `words of ${values.length} of ${count} entries`);
    assert(bits > 0 && bits <= 32, `words of ${bits} bits`);
  }
}

/** Entries from..to of the order. */
export function* selectedOrder(
  words: readonly OrderWord[],
  count: number,
  from: number,
  to: number,
): Steps<Uint32Array> {
  checkWords(words, count);
  const start = Math.min(from, count);
  const end = Math.min(to, count);
  if (start >= end) return new Uint32Array(0);
  let candidates: Uint32Array | null = null;
  let skipped = 0;
  for (const word of words) {
    for (const { shift, mask } of selectDigits(word)) {
      const size: number = candidates?.length ?? count;
      if (size <= COMPARED_MAX) break;
      const bucket = bucketsOf({ word, shift, mask }, candidates, count, start - skipped, end - skipped);
      candidates = bucket.entries;
      skipped += bucket.before;
      // Several buckets: the digits to come do not tell them apart, a sort does.
      yield;
      if (bucket.isMany) return (yield* sortBy(words, candidates)).subarray(start - skipped, end - skipped);
    }
  }
  if (candidates === null && words.length === 0) return range(start, end);
  const rest = candidates ?? range(0, count);
  assert(
    start >= skipped && end - skipped <= rest.length,
    `entries ${start}..${end} among ${rest.length} behind ${skipped}`,
  );
  return (yield* sortBy(words, rest)).subarray(start - skipped, end - skipped);
}

interface Digit {
  readonly word: OrderWord;
  readonly shift: number;
  readonly mask: number;
}

function selectDigits({ bits }: OrderWord): readonly { readonly shift: number; readonly mask: number }[] {
  const digits: { shift: number; mask: number }[] = [];
  for (let top = bits; top > 0; top -= SELECT_BITS) {
    const shift = Math.max(0, top - SELECT_BITS);
    digits.push({ shift, mask: (1 << (top - shift)) - 1 });
  }
  return digits;
}

interface Buckets {
  readonly entries: Uint32Array;
  /** Entries of the buckets before. */
  readonly before: number;
  readonly isMany: boolean;
}

/** The entries of the buckets that hold from..to, in the order given. */
function bucketsOf(digit: Digit, candidates: Uint32Array | null, count: number, from: number, to: number): Buckets {
  const { values } = digit.word;
  const { shift, mask } = digit;
  const size = candidates?.length ?? count;
  const counts = new Uint32Array(mask + 1);
  for (let i = 0; i < size; i++) {
    const at = ((values[candidates === null ? i : (candidates[i] as number)] as number) >>> shift) & mask;
    counts[at] = (counts[at] as number) + 1;
  }
  const { first, last, before, kept } = bucketStretch(counts, from, to);
  if (kept === size) return { entries: candidates ?? range(0, count), before, isMany: last > first };
  const entries = new Uint32Array(kept);
  let length = 0;
  for (let i = 0; i < size; i++) {
    const entry = candidates === null ? i : (candidates[i] as number);
    const at = ((values[entry] as number) >>> shift) & mask;
    if (at >= first && at <= last) entries[length++] = entry;
  }
  assert(length === kept, `${length} entries in buckets that hold ${kept}`);
  return { entries, before, isMany: last > first };
}

interface BucketStretch {
  readonly first: number;
  readonly last: number;
  /** Entries of the buckets before. */
  readonly before: number;
  /** Entries of the buckets first..last. */
  readonly kept: number;
}

/** The buckets that the entries from..to of the order fall into. `from < to <=` the sum of `counts`. */
export function bucketStretch(counts: Uint32Array, from: number, to: number): BucketStretch {
  let first = 0;
  let before = 0;
  while (before + (counts[first] as number) <= from) before += counts[first++] as number;
  let last = first;
  let kept = counts[first] as number;
  while (before + kept < to) kept += counts[++last] as number;
  assert(before <= from && before + kept >= to, `entries ${before}..${before + kept} do not hold ${from}..${to}`);
  return { first, last, before, kept };
}

function* sortBy(words: readonly OrderWord[], entries: Uint32Array): Steps<Uint32Array> {
  if (entries.length <= COMPARED_MAX) return entries.sort((a, b) => compare(words, a, b));
  let from: DigitRun = { entries, digits: new Uint32Array(entries.length) };
  let into: DigitRun = { entries: new Uint32Array(entries.length), digits: new Uint32Array(entries.length) };
  for (const { values, bits } of [...words].reverse()) {
    for (let i = 0; i < entries.length; i++) from.digits[i] = values[from.entries[i] as number] as number;
    // Digits of one width, so that none is wasted on a few bits.
    const passes = Math.ceil(bits / DIGIT_BITS);
    const width = Math.ceil(bits / passes);
    for (let pass = 0; pass < passes; pass++) {
      scatter(from, into, { shift: pass * width, mask: (1 << width) - 1 });
      [from, into] = [into, from];
      yield;
    }
  }
  return from.entries;
}

/** Entries with the word by which they are sorted: both move, so that neither is looked up in any order but its own. */
interface DigitRun {
  readonly entries: Uint32Array;
  readonly digits: Uint32Array;
}

function scatter(
  { entries, digits }: DigitRun,
  into: DigitRun,
  { shift, mask }: { readonly shift: number; readonly mask: number },
): void {
  const places = new Uint32Array(mask + 1);
  const size = entries.length;
  for (let i = 0; i < size; i++) {
    const at = ((digits[i] as number) >>> shift) & mask;
    places[at] = (places[at] as number) + 1;
  }
  let sum = 0;
  for (let at = 0; at <= mask; at++) {
    const here = places[at] as number;
    places[at] = sum;
    sum += here;
  }
  const { entries: intoEntries, digits: intoDigits } = into;
  for (let i = 0; i < size; i++) {
    const digit = digits[i] as number;
    const at = (digit >>> shift) & mask;
    const place = places[at] as number;
    places[at] = place + 1;
    intoEntries[place] = entries[i] as number;
    intoDigits[place] = digit;
  }
}

function compare(words: readonly OrderWord[], a: number, b: number): number {
  for (const { values } of words) {
    const x = values[a] as number;
    const y = values[b] as number;
    if (x !== y) return x < y ? -1 : 1;
  }
  return a - b;
}

function range(from: number, to: number): Uint32Array {
  const all = new Uint32Array(to - from);
  for (let i = 0; i < all.length; i++) all[i] = from + i;
  return all;
}
