/**
 * Where terms of a dictionary begin that share their first bytes: what a walk through the dictionary looks at first, since it
 * is small enough to stay near the processor.
 *
 * Computed on first use and cached with the segment; a dictionary of few terms, or of too many prefixes, has none.
 */

/** Below, the terms themselves are looked at as quickly. */
const TERMS_MIN = 2_048;
/** Beginnings of one dictionary: 160 KiB. */
const PREFIXES_MAX = 16_384;
/** Bytes that are shared: as many as leave few enough beginnings. */
const LENGTHS = [4, 3, 2];
/** Bytes of one prefix in `bytes`. */
export const PREFIX_STRIDE = 4;

/** The terms of a dictionary, in order, as they stand in memory. */
export interface SortedTerms {
  /** Length of every term, in bytes; 0: they differ, and `termStarts` has the offset of each. */
  readonly termLength: number;
  /** One more than terms, or none. */
  readonly termStarts: Uint32Array;
  readonly termBytes: Uint8Array;
}

export interface TermPrefixes {
  readonly count: number;
  /** `PREFIX_STRIDE` each, of which as many count as `lengths` says: shorter terms are beginnings of their own. */
  readonly bytes: Uint8Array;
  readonly lengths: Uint8Array;
  /** Bytes that each shares with the one before. */
  readonly shared: Uint8Array;
  /** Ordinal of the first term of each; one more, of how many terms there are. */
  readonly firsts: Uint32Array;
}

/** null: not worth having. */
export function termPrefixes(terms: SortedTerms, size: number): TermPrefixes | null {
  if (size < TERMS_MIN) return null;
  for (const length of LENGTHS) {
    const firsts = firstsOf(terms, size, length);
    if (firsts !== null) return prefixesAt(terms, firsts, length);
  }
  return null;
}

/** null: too many. */
function firstsOf(terms: SortedTerms, size: number, length: number): Uint32Array | null {
  const firsts: number[] = [];
  for (let ordinal = 0; ordinal < size; ) {
    if (firsts.length === PREFIXES_MAX) return null;
    firsts.push(ordinal);
    ordinal = firstBehind(terms, ordinal, size, length);
  }
  firsts.push(size);
  return Uint32Array.from(firsts);
}

function prefixesAt(terms: SortedTerms, firsts: Uint32Array, length: number): TermPrefixes {
  const count = firsts.length - 1;
  const bytes = new Uint8Array(count * PREFIX_STRIDE);
  const lengths = new Uint8Array(count);
  const shared = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const first = firsts[i] as number;
    const start = termStart(terms, first);
    lengths[i] = Math.min(length, termStart(terms, first + 1) - start);
    bytes.set(terms.termBytes.subarray(start, start + (lengths[i] as number)), i * PREFIX_STRIDE);
    if (i > 0) shared[i] = sharedBytes(terms, firsts[i - 1] as number, first, length);
  }
  return { count, bytes, lengths, shared, firsts };
}

/** The first term behind `from` that does not share its first `length` bytes. */
function firstBehind(terms: SortedTerms, from: number, size: number, length: number): number {
  if (termStart(terms, from + 1) - termStart(terms, from) < length) return from + 1;
  const isAlike = (ordinal: number): boolean => sharedBytes(terms, from, ordinal, length) === length;
  let low = from + 1;
  let high = size;
  for (let step = 1; low + step < size; step *= 2) {
    if (!isAlike(low + step)) {
      high = low + step;
      break;
    }
    low += step;
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAlike(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bytes that two terms begin with, at most `most`. */
function sharedBytes(terms: SortedTerms, a: number, b: number, most: number): number {
  const { termBytes } = terms;
  const [startA, startB] = [termStart(terms, a), termStart(terms, b)];
  const end = Math.min(most, termStart(terms, a + 1) - startA, termStart(terms, b + 1) - startB);
  let count = 0;
  while (count < end && termBytes[startA + count] === termBytes[startB + count]) count++;
  return count;
}

/** Where the term of `ordinal` begins, and that before it ends. */
export function termStart({ termLength, termStarts }: SortedTerms, ordinal: number): number {
  return termLength === 0 ? (termStarts[ordinal] as number) : ordinal * termLength;
}
