/**
 * Beginnings of every 32nd term of a dictionary, as numbers: where a look for a term starts.
 *
 * A binary search over the terms themselves waits for memory at each step. The samples of a whole dictionary are small enough to
 * stay near the processor, and leave few terms to compare.
 */
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { type SortedTerms, termStart } from '../reader/term-prefixes.ts';

/** Terms between two samples. */
const STRIDE = 32;
/** Bytes of a sample: as many as a double holds exactly. */
const SAMPLE_BYTES = 6;
const BYTE_VALUES = 256;
/** Below, the terms themselves are looked at as quickly. */
const TERMS_MIN = 256;

export class TermSamples {
  /** Range that `narrow` left, as ordinals: the first term >= the one it was asked for is in low..high. */
  low = 0;
  high = 0;
  private readonly terms: SortedTerms;
  private readonly size: number;
  /** Bytes that all terms begin with: samples leave them out. */
  private readonly shared: number;
  private readonly samples: Float64Array;

  private constructor(terms: SortedTerms, size: number) {
    assert(size >= TERMS_MIN, `samples of ${size} terms`);
    this.terms = terms;
    this.size = size;
    const { termBytes } = terms;
    const [start, lastStart] = [termStart(this.terms, 0), termStart(this.terms, size - 1)];
    const sharedMax = Math.min(termStart(this.terms, 1) - start, termStart(this.terms, size) - lastStart);
    let shared = 0;
    while (shared < sharedMax && termBytes[start + shared] === termBytes[lastStart + shared]) shared++;
    this.shared = shared;
    this.samples = new Float64Array(Math.ceil(size / STRIDE));
    for (let i = 0; i < this.samples.length; i++) {
      const ordinal = i * STRIDE;
      this.samples[i] = sampleOf(
        termBytes,
        termStart(this.terms, ordinal) + shared,
        termStart(this.terms, ordinal + 1),
      );
    }
    const [first = 0] = this.samples;
    const last = this.samples.at(-1) ?? 0;
    assert(first <= last, `samples of terms in order begin with ${first} and end with ${last}`);
  }

  /** Samples of so many terms; null where they are too few. */
  static of(terms: SortedTerms, size: number): TermSamples | null {
    return size < TERMS_MIN ? null : new TermSamples(terms, size);
  }

  /** Sets `low` and `high` for a term. */
  narrow(term: Uint8Array): void {
    const { shared, samples, size } = this;
    const order = this.compareShared(term);
    if (order !== 0) {
      this.low = this.high = order > 0 ? 0 : size;
      return;
    }
    const sample = sampleOf(term, shared, term.length);
    // Samples that are equal say nothing of the terms: the range is from the last one below to the first one above.
    const notBelow = firstAtLeast(samples, sample, 0);
    let above = notBelow;
    if (samples[notBelow] === sample) above = firstAtLeast(samples, sample + 1, notBelow);
    this.low = notBelow === 0 ? 0 : (notBelow - 1) * STRIDE + 1;
    this.high = Math.min(above * STRIDE, size);
    assert(this.low <= this.high, 'a range of terms ends before it begins');
  }

  /** Order of what all terms begin with to the beginning of a term; 0 where the term begins with it too. */
  private compareShared(term: Uint8Array): number {
    const { shared, terms } = this;
    const start = termStart(this.terms, 0);
    return compareBytes(terms.termBytes, start, start + shared, term.length > shared ? term.subarray(0, shared) : term);
  }
}

/** First bytes of bytes[from..to), the first one highest; zeros where there are fewer. */
function sampleOf(bytes: Uint8Array, from: number, to: number): number {
  let sample = 0;
  for (let at = from; at < from + SAMPLE_BYTES; at++) {
    sample = sample * BYTE_VALUES + (at < to ? (bytes[at] as number) : 0);
  }
  return sample;
}

/** First position from `from` on with a sample of at least `least`; their number when there is none. */
function firstAtLeast(samples: Float64Array, least: number, from: number): number {
  let low = from;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((samples[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
