/**
 * Packs numbers as packages/engine/src/format/postings/packed-block.ts and packed-run.ts do, and unpacks runs.
 */

/** Writes a block of 128 numbers of at most `bits` bits in four lanes: 16 * bits bytes. */
export function packLanes(numbers: usize, bits: u32, into: usize): void {
  if (bits == 0) return;
  let word = i32x4.splat(0);
  let shift: u32 = 0;
  for (let i: usize = 0; i < 512; i += 16) {
    const row = v128.load(numbers + i);
    word = v128.or(word, i32x4.shl(row, shift));
    shift += bits;
    if (shift < 32) continue;
    v128.store(into, word);
    into += 16;
    shift -= 32;
    // Shifting by 32 would shift by nothing.
    word = shift > 0 ? i32x4.shr_u(row, bits - shift) : i32x4.splat(0);
  }
}

/** Bits of the widest of `count` numbers. */
export function widthOfRun(numbers: usize, count: u32): u32 {
  const end = numbers + (<usize>count << 2);
  let union: u32 = 0;
  for (; numbers < end; numbers += 4) union |= load<u32>(numbers);
  return 32 - clz(union);
}

/** Writes numbers one behind the other at `bits` bits each; returns where they end. May write up to 8 bytes behind. */
export function packRun(numbers: usize, count: u32, bits: u32, into: usize): usize {
  if (bits == 0) return into;
  const end = numbers + (<usize>count << 2);
  let word: u64 = 0;
  let filled: u64 = 0;
  for (; numbers < end; numbers += 4) {
    word |= <u64>load<u32>(numbers) << filled;
    filled += bits;
    if (filled < 32) continue;
    store<u32>(into, <u32>word);
    into += 4;
    word >>= 32;
    filled -= 32;
  }
  store<u32>(into, <u32>word);
  return into + <usize>((filled + 7) >> 3);
}

/** Reads `count` numbers of the run at `from`, the first of them number `index`. May read up to 8 bytes behind the last. */
export function unpackRun(from: usize, bits: u32, index: u32, count: u32, into: usize): void {
  const mask: u64 = (<u64>1 << bits) - 1;
  const end = into + (<usize>count << 2);
  let bit = index * bits;
  for (; into < end; into += 4) {
    store<u32>(into, <u32>((load<u64>(from + <usize>(bit >>> 3)) >> (bit & 7)) & mask));
    bit += bits;
  }
}
