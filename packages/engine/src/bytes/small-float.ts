/**
 * Lucene's one-byte encoding of field lengths: exact below 24 (and 40), then three significant bits.
 *
 * Equal bytes give equal scores: BM25 of this engine compares with Elasticsearch's only while both round lengths alike.
 */

const FREE_VALUES = 24;

/** The norm byte of a document in a field without norms: a length of one. */
export const NO_NORM = 1;

function longToInt4(value: number): number {
  const bits = 32 - Math.clz32(value);
  if (bits < 4) return value;
  const shift = bits - 4;
  return ((value >>> shift) & 0x07) | ((shift + 1) << 3);
}

/** 0..2^31-1 to 0..255. */
export function encodeFieldLength(length: number): number {
  return length < FREE_VALUES ? length : FREE_VALUES + longToInt4(length - FREE_VALUES);
}

/** The smallest length that has this byte. */
export function decodeFieldLength(byte: number): number {
  if (byte < FREE_VALUES) return byte;
  const int4 = byte - FREE_VALUES;
  const shift = (int4 >>> 3) - 1;
  const low = int4 & 0x07;
  return FREE_VALUES + (shift === -1 ? low : (low | 0x08) * 2 ** shift);
}
