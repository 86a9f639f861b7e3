/**
 * Documents of a segment that are drawn at random, each with the same probability. The gaps between them are drawn, so that documents
 * that are left out cost nothing.
 */
import { assert, murmur3 } from '@shoal/core';

const UINT_RANGE = 2 ** 32;

export class RandomDocs {
  readonly #logOfRest: number;
  #state: number;
  #next = -1;

  /**
   * @param probability above 0, below 1
   * @param seed the same seed draws the same documents
   */
  constructor(probability: number, seed: string) {
    assert(probability > 0 && probability < 1, `documents are drawn with a probability of ${probability}`);
    this.#logOfRest = Math.log1p(-probability);
    this.#state = murmur3(seed) >>> 0;
    this.#advance();
  }

  /** Whether the document was drawn. Documents are asked for in ascending order. */
  has(doc: number): boolean {
    while (this.#next < doc) this.#advance();
    return this.#next === doc;
  }

  /** Length of the gap: the number of failures before a success, geometrically distributed. */
  #advance(): void {
    const gap = Math.floor(Math.log(1 - this.#random()) / this.#logOfRest);
    this.#next += gap + 1;
  }

  /** Uniform in 0..1, without 1 (Mulberry32). */
  #random(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / UINT_RANGE;
  }
}
