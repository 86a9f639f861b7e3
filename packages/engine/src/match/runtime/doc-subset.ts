/**
 * Some documents of a segment, numbered from 0 in their order: those that the values of runtime fields were made for.
 */
import { assert } from '@shoal/core';

const WORD_BITS = 32;

export class DocSubset {
  /** Ascending ordinals of the segment. */
  readonly docs: Uint32Array;
  readonly #words: Uint32Array;
  /** Documents of the subset before each word. */
  readonly #before: Uint32Array;

  /** @param docs ascending, below `docCount` */
  constructor(docs: Uint32Array, docCount: number) {
    assert((docs.at(-1) ?? -1) < docCount, `document ${docs.at(-1)} of ${docCount}`);
    this.docs = docs;
    this.#words = new Uint32Array((docCount >>> 5) + 1);
    this.#before = new Uint32Array(this.#words.length);
    for (const doc of docs) this.#words[doc >>> 5] = (this.#words[doc >>> 5] as number) | (1 << (doc & 31));
    let sum = 0;
    for (let word = 0; word < this.#words.length; word++) {
      this.#before[word] = sum;
      sum += bitCount(this.#words[word] as number);
    }
    assert(sum === docs.length, `${docs.length} documents make ${sum} bits`);
  }

  /** Documents of the subset before `doc`: its number where it is one of them. */
  rank(doc: number): number {
    const rest = doc & (WORD_BITS - 1);
    const below = (this.#words[doc >>> 5] as number) & ((1 << rest) - 1);
    return (this.#before[doc >>> 5] as number) + bitCount(below);
  }
}

function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
