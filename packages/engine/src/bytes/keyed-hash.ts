/**
 * Hash of bytes under a secret: HalfSipHash-1-3, whose collisions cannot be found without it.
 *
 * @see Aumasson, Bernstein, "SipHash: a fast short-input PRF" (2012); the half form is of 32-bit words
 */
import type { HashSecret } from './hash-secret.ts';

const WORD_BYTES = 4;
const FINAL_ROUNDS = 3;

export class KeyedHash {
  private readonly k0: number;
  private readonly k1: number;
  private v0 = 0;
  private v1 = 0;
  private v2 = 0;
  private v3 = 0;

  constructor(secret: HashSecret) {
    this.k0 = secret[0] as number;
    this.k1 = secret[1] as number;
  }

  /** Hash of the bytes from..to - 1: 0..2^32-1. */
  of(bytes: Uint8Array, from: number, to: number): number {
    this.v0 = this.k0 | 0;
    this.v1 = this.k1 | 0;
    this.v2 = 0x6c79_6765 ^ this.k0;
    this.v3 = 0x7465_6462 ^ this.k1;
    let at = from;
    for (; at + WORD_BYTES <= to; at += WORD_BYTES) {
      this.absorb(
        (bytes[at] as number) |
          ((bytes[at + 1] as number) << 8) |
          ((bytes[at + 2] as number) << 16) |
          ((bytes[at + 3] as number) << 24),
      );
    }
    let last = (to - from) << 24;
    for (let shift = 0; at < to; at++, shift += 8) last |= (bytes[at] as number) << shift;
    this.absorb(last);
    this.v2 ^= 0xff;
    for (let round = 0; round < FINAL_ROUNDS; round++) this.round();
    return (this.v1 ^ this.v3) >>> 0;
  }

  private absorb(word: number): void {
    this.v3 ^= word;
    this.round();
    this.v0 ^= word;
  }

  private round(): void {
    let { v0, v1, v2, v3 } = this;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    this.v0 = v0;
    this.v1 = v1;
    this.v2 = v2;
    this.v3 = v3;
  }
}
