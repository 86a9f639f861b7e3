/**
 * MurmurHash3 over bytes, the x64 variant of 128 bits. After Austin Appleby's public-domain description.
 */

const MASK = (1n << 64n) - 1n;
const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;

/** Sixteen bytes, each half with its lowest byte first. @param seed 0 to 2^32-1 */
export function murmur3Wide(bytes: Uint8Array, seed: number): Buffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = bytes.length >> 4;
  let h1 = BigInt(seed);
  let h2 = BigInt(seed);
  for (let block = 0; block < blocks; block++) {
    h1 ^= mixFirst(view.getBigUint64(block * 16, true));
    h1 = (((rotate(h1, 27n) + h2) & MASK) * 5n + 0x52dce729n) & MASK;
    h2 ^= mixSecond(view.getBigUint64(block * 16 + 8, true));
    h2 = (((rotate(h2, 31n) + h1) & MASK) * 5n + 0x38495ab5n) & MASK;
  }
  const tail = new DataView(new ArrayBuffer(16));
  for (let i = blocks * 16; i < bytes.length; i++) tail.setUint8(i & 15, bytes[i] ?? 0);
  h2 ^= mixSecond(tail.getBigUint64(8, true));
  h1 ^= mixFirst(tail.getBigUint64(0, true));
  const length = BigInt(bytes.length);
  h1 ^= length;
  h2 ^= length;
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  h1 = finish(h1);
  h2 = finish(h2);
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  const hash = Buffer.alloc(16);
  hash.writeBigUInt64LE(h1, 0);
  hash.writeBigUInt64LE(h2, 8);
  return hash;
}

function mixFirst(k: bigint): bigint {
  return (rotate((k * C1) & MASK, 31n) * C2) & MASK;
}

function mixSecond(k: bigint): bigint {
  return (rotate((k * C2) & MASK, 33n) * C1) & MASK;
}

function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}

function finish(value: bigint): bigint {
  let k = value;
  k ^= k >> 33n;
  k = (k * 0xff51afd7ed558ccdn) & MASK;
  k ^= k >> 33n;
  k = (k * 0xc4ceb9fe1a85ec53n) & MASK;
  return k ^ (k >> 33n);
}
