/**
 * Index of a long dictionary: what separates every so many terms from those before them. It is small enough to be in memory as long
 * as its field is asked for, and leaves a page or two of the dictionary to be read for a term.
 *
 * A separator is the shortest beginning of a term that is above the term before it: terms that begin alike for long, as addresses
 * do, are told apart all the same.
 */
import { assert, ByteSink } from '@shoal/core';
import { GrowableU32 } from '../../bytes/growable-arrays.ts';

/** Bytes of a page for each term between two separators: a page then holds the terms between two of them, unless they are long. */
const PAGE_BYTES_PER_TERM = 128;
const STRIDE_MIN = 4;
/** Separators between two yields: a few hundred microseconds. */
const SEPARATORS_PER_STEP = 256;

export interface TermIndexContent {
  /** Terms between two separators. */
  readonly stride: number;
  /** Separator i is bytes[starts[i] .. starts[i + 1]]. */
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Index of `termCount` terms, of which `term` gives each as a view. Yields every millisecond or so. */
export function* makeTermIndex(
  termCount: number,
  term: (ordinal: number) => Uint8Array,
  pageBytes: number,
): Generator<void, TermIndexContent> {
  assert(termCount > 0, 'an index of no terms');
  const stride = Math.max(STRIDE_MIN, pageBytes / PAGE_BYTES_PER_TERM);
  const starts = new GrowableU32();
  const bytes = new ByteSink();
  for (let ordinal = 0; ordinal < termCount; ordinal += stride) {
    starts.push(bytes.length);
    // All terms are at or above nothing.
    if (ordinal > 0) bytes.raw(separator(term(ordinal - 1), term(ordinal)));
    if (starts.length % SEPARATORS_PER_STEP === 0) yield;
  }
  starts.push(bytes.length);
  return { stride, starts: starts.view(), bytes: bytes.written() };
}

function separator(before: Uint8Array, term: Uint8Array): Uint8Array {
  let shared = 0;
  while (shared < before.length && before[shared] === term[shared]) shared++;
  assert(shared < term.length, 'a term of a dictionary is not above the one before it');
  return term.subarray(0, shared + 1);
}

/** Separators of a dictionary of `termCount` terms. */
export function separatorCount(termCount: number, stride: number): number {
  return Math.ceil(termCount / stride);
}
