/**
 * Which partition a value is in, for those who read all terms part by part: the hashes are dictated by the API.
 *
 * Texts: MurmurHash3 x86_32 with seed 31 over their bytes. Numbers: their 64 bits, mixed in
 * two rounds of shifts and multiplications.
 */
import type { BucketKey, KeyKind } from '@shoal/aggregations';
import { murmur3Bytes } from '@shoal/core';

const SEED = 31;

export function partitionOfText(bytes: Uint8Array, count: number): number {
  const hash = murmur3Bytes(bytes, SEED);
  return ((hash % count) + count) % count;
}

export function partitionOfNumber(key: BucketKey, kind: KeyKind, count: number): number {
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
