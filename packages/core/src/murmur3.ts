/**
 * The hash that decides in which shard a document lives: MurmurHash3 x86_32, seed 0, over the UTF-16LE bytes of the routing.
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
  for (let i = 0; i < paired; i += 2) {
    h ^= scramble(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    h = (h << 13) | (h >>> 19);
    h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  }
  if (paired < units) h ^= scramble(text.charCodeAt(paired));
  h ^= units * 2;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function scramble(block: number): number {
  let k = Math.imul(block, C1);
  k = (k << 15) | (k >>> 17);
  return Math.imul(k, C2);
}
