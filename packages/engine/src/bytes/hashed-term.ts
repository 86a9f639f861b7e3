/**
 * A term with two hashes, computed once for all the segments that are asked for it.
 *
 * The hashes decide bits of files, so they are the same on every node and never change. They are under no secret: whoever
 * chooses terms that collide makes a filter say "perhaps" more often, and lookups as slow as without one.
 */
import { murmur3Final } from '@shoal/core';

const WORD_BYTES = 4;
const MULTIPLIER_FIRST = 0xcc9e_2d51;
const MULTIPLIER_SECOND = 0x85eb_ca6b;
const MULTIPLIER_OF_BOTH = 0x1b87_3593;
/** Makes the second hash another function than the first. */
const SEED_SECOND = 0x9e37_79b9;

/** Two 32-bit hashes of bytes, which are set anew for each term. */
export class TermHash {
  /** 0..2^32-1. */
  first = 0;
  /** 0..2^32-1. */
  second = 0;

  /** Hashes the bytes from..to - 1. */
  set(bytes: Uint8Array, from: number, to: number): void {
    let first = to - from;
    let second = SEED_SECOND ^ first;
    let at = from;
    for (; at + WORD_BYTES <= to; at += WORD_BYTES) {
      const word =
        (bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24);
      first = absorbed(first, word, MULTIPLIER_FIRST);
      second = absorbed(second, word, MULTIPLIER_SECOND);
    }
    let tail = 0;
    for (let shift = 0; at < to; at++, shift += 8) tail |= (bytes[at] as number) << shift;
    this.first = murmur3Final(absorbed(first, tail, MULTIPLIER_FIRST)) >>> 0;
    this.second = murmur3Final(absorbed(second, tail, MULTIPLIER_SECOND)) >>> 0;
  }
}

export class HashedTerm {
  readonly bytes: Uint8Array;
  readonly hash: TermHash = new TermHash();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.hash.set(bytes, 0, bytes.length);
  }
}

/** Step of MurmurHash3 x86_32 (Austin Appleby, public domain). */
function absorbed(hash: number, word: number, multiplier: number): number {
  const scrambled = Math.imul(word, multiplier);
  const mixed = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), MULTIPLIER_OF_BOTH);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe654_6b64) | 0;
}
