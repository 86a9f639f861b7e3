/**
 * Blocks of 128 numbers, bit-packed in four interleaved lanes (SIMD-BP128): number i stands in lane i & 3, row i >> 2.
 *
 * This is the plain form of what the kernels do four lanes at a time: it runs where there are no kernels, and the kernels
 * are tested against it. A block of width b takes 4 * b words; a packed row of a lane may straddle two of its words.
 *
 * @see Lemire & Boytsov, "Decoding billions of integers per second through vectorization" (2015)
 */

/** Postings of one block. */
export const POSTINGS_BLOCK = 128;

const LANES = 4;
const ROWS = POSTINGS_BLOCK / LANES;

/** Bits that the widest of these numbers needs, given all of them or-ed together. */
export function bitWidth(union: number): number {
  return 32 - Math.clz32(union);
}

/** Writes 128 `values` of at most `bits` bits to `words[at ..]`, which must be clear. */
export function packBlock(values: Uint32Array, bits: number, words: Uint32Array, at: number): void {
  for (let i = 0; i < POSTINGS_BLOCK; i++) {
    const bit = (i >>> 2) * bits;
    const word = at + (bit >>> 5) * LANES + (i & 3);
    const shift = bit & 31;
    const value = values[i] as number;
    words[word] = (words[word] as number) | (value << shift);
    if (shift + bits > 32) words[word + LANES] = value >>> (32 - shift);
  }
}

/** Reads what `packBlock` wrote. */
export function unpackBlock(words: Uint32Array, at: number, bits: number, into: Uint32Array): void {
  if (bits === 0) {
    into.fill(0, 0, POSTINGS_BLOCK);
    return;
  }
  const mask = bits === 32 ? -1 : (1 << bits) - 1;
  for (let lane = 0; lane < LANES; lane++) {
    let next = at + lane;
    let word = words[next] as number;
    let bit = 0;
    for (let row = 0; row < ROWS; row++) {
      let value = word >>> bit;
      bit += bits;
      if (bit >= 32) {
        bit -= 32;
        if (row < ROWS - 1 || bit > 0) {
          next += LANES;
          word = words[next] as number;
        }
        if (bit > 0) value |= word << (bits - bit);
      }
      into[row * LANES + lane] = value & mask;
    }
  }
}

/** Turns deltas into the documents behind `base`. */
export function sumDeltas(values: Uint32Array, base: number): void {
  let doc = base;
  for (let i = 0; i < POSTINGS_BLOCK; i++) {
    doc += values[i] as number;
    values[i] = doc;
  }
}
