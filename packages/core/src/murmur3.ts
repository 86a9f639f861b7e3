/**
 * MurmurHash3 x86_32: the hash that decides in which shard a document lives (seed 0, over the UTF-16LE bytes of the routing), and
 * in which partition of an aggregation a term is.
 *
 * It is dictated by the API: ids must land in the shard in which Elasticsearch would put them. Never change it; documents
 * on disk depend on it. Source: Austin Appleby's public-domain MurmurHash3.
 */

const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

/** Signed 32-bit hash of `text`. */
export function murmur3(text: string): number {
  const units = text.length;
  let h = 0;
  // One UTF-16 unit is two bytes, so a block of four bytes is two units and the tail is one unit or none.
  const paired = units - (units % 2);
  for (let i = 0; i < paired; i += 2) h = mixed(h, text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
  if (paired < units) h ^= scramble(text.charCodeAt(paired));
  return murmur3Final(h ^ (units * 2));
}

/** The hash of the ASCII text that stands at `start..end` of `bytes`, without making a string of it. */
export function murmur3Ascii(bytes: Uint8Array, start: number, end: number): number {
  const units = end - start;
  const pairedEnd = end - (units % 2);
  let h = 0;
  for (let i = start; i < pairedEnd; i += 2) h = mixed(h, (bytes[i] as number) | ((bytes[i + 1] as number) << 16));
  if (pairedEnd < end) h ^= scramble(bytes[pairedEnd] as number);
  return murmur3Final(h ^ (units * 2));
}

/** Signed 32-bit hash of `bytes`. */
export function murmur3Bytes(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let h = seed;
  for (let i = 0; i < whole; i += 4) h = mixed(h, view.getInt32(i, true));
  let tail = 0;
  for (let i = bytes.length - 1; i >= whole; i--) tail = (tail << 8) | (bytes[i] as number);
  return murmur3Final(h ^ scramble(tail) ^ bytes.length);
}

/** Spreads what is known over all 32 bits. */
export function murmur3Final(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function mixed(hash: number, block: number): number {
  const h = hash ^ scramble(block);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function scramble(block: number): number {
  let k = Math.imul(block, C1);
  k = (k << 15) | (k >>> 17);
  return Math.imul(k, C2);
}
