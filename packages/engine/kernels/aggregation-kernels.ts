/**
 * What aggregations compute for many values at once.
 *
 * Addresses come from the allocator around this module; nothing is checked here, for speed. The plain form of each stands in
 * @shoal/aggregations, and a test compares them.
 */

/** Bits of a number behind which a register's index stands beside its rank. */
const RANK_BITS: u32 = 8;
const MINUS_ZERO: i32 = 0x80000000;

/**
 * For each of `count` doubles the register of a HyperLogLog sketch that it falls in, and its rank there: index << 8 | rank.
 *
 * Four are hashed at once: both must have room for a multiple of four.
 */
export function rankDoubles(values: usize, count: i32, precision: i32, into: usize): void {
  for (let i: i32 = 0; i < count; i += 4) {
    const a = v128.load(values + (<usize>i << 3));
    const b = v128.load(values + (<usize>i << 3), 16);
    const low = v128.shuffle<i32>(a, b, 0, 2, 4, 6);
    const high = wholeZeros(low, v128.shuffle<i32>(a, b, 1, 3, 5, 7));
    v128.store(into + (<usize>i << 2), upperHashes(low, high));
  }
  for (let i: i32 = 0; i < count; i++) {
    const at = into + (<usize>i << 2);
    const hash = load<u32>(at);
    const rest = hash << precision;
    const rank = rest != 0 ? clz(rest) + 1 : longRank(values + (<usize>i << 3), precision);
    store<u32>(at, ((hash >>> (32 - precision)) << RANK_BITS) | rank);
  }
}

/** Minus zero is zero. */
@inline
function wholeZeros(low: v128, high: v128): v128 {
  const isMinus = v128.and(i32x4.eq(low, i32x4.splat(0)), i32x4.eq(high, i32x4.splat(MINUS_ZERO)));
  return v128.andnot(high, isMinus);
}

@inline
function upperHashes(low: v128, high: v128): v128 {
  const spread = i32x4.mul(v128.xor(low, i32x4.shr_u(low, 16)), i32x4.splat(0x9e3779b1));
  let h = i32x4.add(spread, high);
  h = v128.xor(h, i32x4.shr_u(h, 16));
  h = i32x4.mul(h, i32x4.splat(0x85ebca6b));
  h = v128.xor(h, i32x4.shr_u(h, 13));
  h = i32x4.mul(h, i32x4.splat(0xc2b2ae35));
  return v128.xor(h, i32x4.shr_u(h, 16));
}

/** Where the upper half of the hash has no bit behind the index: the lower one goes on. */
function longRank(value: usize, precision: i32): u32 {
  const low = load<u32>(value);
  const given = load<u32>(value, 4);
  const high: u32 = low == 0 && given == <u32>MINUS_ZERO ? 0 : given;
  const zeros = 32 - precision + <i32>clz(lowerHash(low, high));
  return <u32>(min(zeros, 64 - precision) + 1);
}

function lowerHash(low: u32, high: u32): u32 {
  let h = mix(mix(0x3c6ef372, high), low) ^ 8;
  h = (h ^ (h >>> 16)) * 0x85ebca6b;
  h = (h ^ (h >>> 13)) * 0xc2b2ae35;
  return h ^ (h >>> 16);
}

function mix(h: u32, word: u32): u32 {
  const k = rotl<u32>(word * 0x239b961b, 15) * 0xab0e9789;
  return rotl<u32>(h ^ k, 13) * 5 + 0xe6546b64;
}
