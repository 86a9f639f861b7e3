/**
 * Filter of a field's terms: says of most terms that the field does not have that it does not, without its dictionary.
 *
 * First the bounds, the least and the greatest term; then a Bloom filter in blocks of 32 bytes, in which a term sets one bit of
 * each word of one block, so that a look touches one cache line. It never denies a term that is there; about one in 200 of those
 * that are not passes.
 *
 * @see Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient Bloom Filters" (2007)
 */
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { type HashedTerm, TermHash } from '../../bytes/hashed-term.ts';
import type { SectionGroup } from '../container/segment-sections.ts';

/** Words of 32 bits in a block. */
const BLOCK_WORDS = 8;
export const FILTER_BLOCK_BYTES: number = BLOCK_WORDS * Uint32Array.BYTES_PER_ELEMENT;
const BITS_OF_BLOCK = FILTER_BLOCK_BYTES * 8;
const BITS_PER_TERM = 12;
const HASHES = 2 ** 32;
/** Leaves the upper five of 32 bits: a bit of a word. */
const BIT_SHIFT = 27;
/** Multiplier of each word; odd. Fractions of the square roots of the first eight primes. */
const MULTIPLIERS = Uint32Array.of(
  0x6a09_e667,
  0xbb67_ae85,
  0x3c6e_f373,
  0xa54f_f53b,
  0x510e_527f,
  0x9b05_688d,
  0x1f83_d9ab,
  0x5be0_cd19,
);

/** Filter as it goes into a segment. */
export interface TermFilterContent {
  readonly words: Uint32Array;
  readonly least: Uint8Array;
  readonly greatest: Uint8Array;
}

/** Bits of the filter of so many terms; each is added once. */
export class TermFilterBuilder {
  readonly words: Uint32Array;
  private readonly hash = new TermHash();

  constructor(termCount: number) {
    const blocks = Math.max(1, Math.ceil((termCount * BITS_PER_TERM) / BITS_OF_BLOCK));
    this.words = new Uint32Array(blocks * BLOCK_WORDS);
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    const { words, hash } = this;
    hash.set(bytes, from, to);
    const block = blockOf(hash, words);
    for (let i = 0; i < BLOCK_WORDS; i++) words[block + i] = (words[block + i] as number) | (1 << bitOf(hash, i));
  }
}

/** Filter of a segment, whose bits are read when they are asked for. */
export class TermFilter {
  readonly group: SectionGroup<Uint32Array>;
  private readonly least: Uint8Array;
  private readonly greatest: Uint8Array;

  constructor(group: SectionGroup<Uint32Array>, least: Uint8Array, greatest: Uint8Array) {
    this.group = group;
    this.least = least;
    this.greatest = greatest;
  }

  /** false: the field has no such term. */
  mayHave({ bytes, hash }: HashedTerm): boolean {
    const { least, greatest } = this;
    if (compareBytes(least, 0, least.length, bytes) > 0) return false;
    if (compareBytes(greatest, 0, greatest.length, bytes) < 0) return false;
    const words = this.group.get();
    const block = blockOf(hash, words);
    for (let i = 0; i < BLOCK_WORDS; i++) {
      if ((((words[block + i] as number) >>> bitOf(hash, i)) & 1) === 0) return false;
    }
    return true;
  }
}

/** First word of the block of a term. */
function blockOf({ first }: TermHash, words: Uint32Array): number {
  // Below 2^53 as long as a filter is below 64 MB: exact.
  return Math.floor((first * (words.length / BLOCK_WORDS)) / HASHES) * BLOCK_WORDS;
}

function bitOf({ second }: TermHash, word: number): number {
  return Math.imul(second, MULTIPLIERS[word] as number) >>> BIT_SHIFT;
}
