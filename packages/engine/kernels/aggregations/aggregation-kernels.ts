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

/** The bits behind the 32 of the low arrays. */
const WORD: f64 = 4294967296.0;

/**
 * Writes (base + code * unit) / divisor of `count` codes, each of `lowWidth` bytes in one array and `highWidth` more in another.
 */
export function unpackValues(
  lows: usize,
  lowWidth: i32,
  highs: usize,
  highWidth: i32,
  count: i32,
  base: f64,
  unit: f64,
  divisor: f64,
  into: usize,
): void {
  const whole = count & ~3;
  for (let i: i32 = 0; i < whole; i += 4) {
    const low = fourNumbers(lows, lowWidth, i);
    const high = highWidth == 0 ? i32x4.splat(0) : fourNumbers(highs, highWidth, i);
    const at = into + (<usize>i << 3);
    v128.store(at, valuesOf(low, high, lowWidth, base, unit, divisor));
    const lowRest = v128.shuffle<i64>(low, low, 1, 1);
    const highRest = v128.shuffle<i64>(high, high, 1, 1);
    v128.store(at, valuesOf(lowRest, highRest, lowWidth, base, unit, divisor), 16);
  }
  for (let i: i32 = whole; i < count; i++) {
    const code = <f64>numberAt(lows, lowWidth, <usize>i);
    const high = highWidth == 0 ? 0.0 : <f64>numberAt(highs, highWidth, <usize>i);
    const value = base + (code + high * (lowWidth == 2 ? 65536.0 : WORD)) * unit;
    store<f64>(into + (<usize>i << 3), divisor == 1.0 ? value : value / divisor);
  }
}

@inline
function numberAt(array: usize, width: i32, index: usize): u32 {
  if (width == 1) return <u32>load<u8>(array + index);
  if (width == 2) return <u32>load<u16>(array + (index << 1));
  return load<u32>(array + (index << 2));
}

/** Those from `i` on. */
@inline
function fourNumbers(array: usize, width: i32, i: i32): v128 {
  if (width == 1) {
    const bytes = v128.load32_zero(array + <usize>i);
    return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
  }
  if (width == 2) return v128.load16x4_u(array + (<usize>i << 1));
  return v128.load(array + (<usize>i << 2));
}

/** Values of the first two lanes. */
@inline
function valuesOf(low: v128, high: v128, lowWidth: i32, base: f64, unit: f64, divisor: f64): v128 {
  const factor = lowWidth == 2 ? 65536.0 : WORD;
  const highs = f64x2.mul(f64x2.convert_low_i32x4_u(high), f64x2.splat(factor));
  const codes = f64x2.add(f64x2.convert_low_i32x4_u(low), highs);
  const values = f64x2.add(f64x2.splat(base), f64x2.mul(codes, f64x2.splat(unit)));
  return divisor == 1.0 ? values : f64x2.div(values, f64x2.splat(divisor));
}

/** The largest of `count` numbers, 0 of none; behind them must be room up to a multiple of four. */
export function largestOf(numbers: usize, count: i32): u32 {
  let most: u32 = 0;
  const whole = count & ~3;
  if (whole > 0) {
    let lanes = i32x4.splat(0);
    for (let i: i32 = 0; i < whole; i += 4) lanes = i32x4.max_u(lanes, v128.load(numbers + (<usize>i << 2)));
    most = max(
      max<u32>(i32x4.extract_lane(lanes, 0), i32x4.extract_lane(lanes, 1)),
      max<u32>(i32x4.extract_lane(lanes, 2), i32x4.extract_lane(lanes, 3)),
    );
  }
  for (let i: i32 = whole; i < count; i++) most = max<u32>(most, load<u32>(numbers + (<usize>i << 2)));
  return most;
}

/** Counts and adds each value to its bucket, with what adding rounded away (W. Kahan, 1965) unless sums are exact. */
export function addToBuckets(
  places: usize,
  values: usize,
  count: i32,
  isExact: bool,
  counts: usize,
  sums: usize,
  lost: usize,
): void {
  if (isExact) {
    for (let i: i32 = 0; i < count; i++) {
      const at = <usize>load<u32>(places + (<usize>i << 2)) << 3;
      store<f64>(counts + at, load<f64>(counts + at) + 1.0);
      store<f64>(sums + at, load<f64>(sums + at) + load<f64>(values + (<usize>i << 3)));
    }
    return;
  }
  for (let i: i32 = 0; i < count; i++) {
    const at = <usize>load<u32>(places + (<usize>i << 2)) << 3;
    const before = load<f64>(sums + at);
    const corrected = load<f64>(values + (<usize>i << 3)) - load<f64>(lost + at);
    const sum = before + corrected;
    store<f64>(counts + at, load<f64>(counts + at) + 1.0);
    store<f64>(sums + at, sum);
    store<f64>(lost + at, sum - before - corrected);
  }
}

/** Lanes of cells: neighbouring documents tend to have the same number, and a cell that was just written is slow to be read again. */
const LANES: i32 = 4;
/** Bits of a cell below its sum that count: enough for the documents of a call. */
const COUNT_BITS: u64 = 12;
const COUNT_MASK: u64 = 4095;

/**
 * Counts documents by number, and adds up base + code * unit of each: into `counts` (32 bits) and `sums`, by number below `size`.
 *
 * Numbers take a byte or two. Codes are below 2^40, and no sum may go beyond 64 bits. `cells`: 32 bytes for each number.
 */
export function sumByNumber(
  numbers: usize,
  numberWidth: i32,
  lows: usize,
  lowWidth: i32,
  highs: usize,
  highWidth: i32,
  count: i32,
  size: i32,
  base: f64,
  unit: f64,
  cells: usize,
  counts: usize,
  sums: usize,
): void {
  const laneBytes = <usize>size << 3;
  memory.fill(cells, 0, laneBytes * LANES);
  if (numberWidth == 1) addByWidth<u8>(numbers, lows, lowWidth, highs, highWidth, count, cells, laneBytes);
  else addByWidth<u16>(numbers, lows, lowWidth, highs, highWidth, count, cells, laneBytes);
  for (let number: i32 = 0; number < size; number++) {
    const at = cells + (<usize>number << 3);
    let cell = load<u64>(at) + load<u64>(at + laneBytes);
    cell += load<u64>(at + 2 * laneBytes) + load<u64>(at + 3 * laneBytes);
    const counted = cell & COUNT_MASK;
    store<u32>(counts + (<usize>number << 2), <u32>counted);
    const sum = <i64>base * <i64>counted + <i64>unit * <i64>(cell >> COUNT_BITS);
    store<f64>(sums + (<usize>number << 3), <f64>sum);
  }
}

/** One loop for each width: with several in one, each step would ask which it is. */
@inline
function addByWidth<N>(
  numbers: usize,
  lows: usize,
  lowWidth: i32,
  highs: usize,
  highWidth: i32,
  count: i32,
  cells: usize,
  laneBytes: usize,
): void {
  if (lowWidth == 1) addToCells<N, u8>(numbers, lows, highs, false, count, cells, laneBytes);
  else if (lowWidth == 2) addToCells<N, u16>(numbers, lows, highs, highWidth != 0, count, cells, laneBytes);
  else addToCells<N, u32>(numbers, lows, highs, highWidth != 0, count, cells, laneBytes);
}

@inline
function addToCells<N, L>(
  numbers: usize,
  lows: usize,
  highs: usize,
  hasHighs: bool,
  count: i32,
  cells: usize,
  laneBytes: usize,
): void {
  if (hasHighs) addHighToCells<N, L>(numbers, lows, highs, count, cells, laneBytes);
  else addLowToCells<N, L>(numbers, lows, count, cells, laneBytes);
}

function addLowToCells<N, L>(numbers: usize, lows: usize, count: i32, cells: usize, laneBytes: usize): void {
  const whole = count & ~(LANES - 1);
  for (let i: i32 = 0; i < whole; i += LANES) {
    addLow<N, L>(numbers, lows, i, cells);
    addLow<N, L>(numbers, lows, i + 1, cells + laneBytes);
    addLow<N, L>(numbers, lows, i + 2, cells + 2 * laneBytes);
    addLow<N, L>(numbers, lows, i + 3, cells + 3 * laneBytes);
  }
  for (let i = whole; i < count; i++) addLow<N, L>(numbers, lows, i, cells);
}

function addHighToCells<N, L>(
  numbers: usize,
  lows: usize,
  highs: usize,
  count: i32,
  cells: usize,
  laneBytes: usize,
): void {
  const whole = count & ~(LANES - 1);
  for (let i: i32 = 0; i < whole; i += LANES) {
    addHigh<N, L>(numbers, lows, highs, i, cells);
    addHigh<N, L>(numbers, lows, highs, i + 1, cells + laneBytes);
    addHigh<N, L>(numbers, lows, highs, i + 2, cells + 2 * laneBytes);
    addHigh<N, L>(numbers, lows, highs, i + 3, cells + 3 * laneBytes);
  }
  for (let i = whole; i < count; i++) addHigh<N, L>(numbers, lows, highs, i, cells);
}

@inline
function addLow<N, L>(numbers: usize, lows: usize, i: i32, lane: usize): void {
  addCode<N>(numbers, i, <u64>load<L>(lows + <usize>i * sizeof<L>()), lane);
}

/** The high part has a byte. */
@inline
function addHigh<N, L>(numbers: usize, lows: usize, highs: usize, i: i32, lane: usize): void {
  const low = <u64>load<L>(lows + <usize>i * sizeof<L>());
  addCode<N>(numbers, i, low | (<u64>load<u8>(highs + <usize>i) << (8 * sizeof<L>())), lane);
}

@inline
function addCode<N>(numbers: usize, i: i32, code: u64, lane: usize): void {
  const at = lane + (<usize>load<N>(numbers + <usize>i * sizeof<N>()) << 3);
  store<u64>(at, load<u64>(at) + ((code << COUNT_BITS) | 1));
}
