/**
 * Which partition a value is in, for those who read all terms part by part: the hashes are dictated by the API.
 *
 * Texts: MurmurHash3 x86_32 with seed 31 over their bytes. Numbers: their 64 bits, mixed in
 * two rounds of shifts and multiplications.
 */
import type { BucketKey, TermsKeyKind } from '@shoal/aggregations';

const SEED = 31;

export function partitionOfText(bytes: Uint8Array, count: number): number {
  const hash = murmur3Bytes(bytes, SEED);
  return ((hash % count) + count) % count;
}

export function partitionOfNumber(key: BucketKey, kind: TermsKeyKind, count: number): number {
  const bits = kind === 'double' ? doubleBits(Number(key)) : BigInt.asUintN(64, BigInt(key));
  const hash = BigInt.asIntN(64, mix64(bits));
  const size = BigInt(count);
  return Number(((hash % size) + size) % size);
}

function doubleBits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function mix64(start: bigint): bigint {
  let z = start;
  z = BigInt.asUintN(64, (z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn);
  z = BigInt.asUintN(64, (z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n);
  return z ^ (z >> 32n);
}

function murmur3Bytes(bytes: Uint8Array, seed: number): number {
  let h = seed;
  const whole = bytes.length & ~3;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < whole; i += 4) {
    h ^= scramble(view.getInt32(i, true));
    h = (h << 13) | (h >>> 19);
    h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= whole; i--) tail = (tail << 8) | (bytes[i] as number);
  if (whole < bytes.length) h ^= scramble(tail);
  h ^= bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function scramble(word: number): number {
  const k = Math.imul(word, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}
