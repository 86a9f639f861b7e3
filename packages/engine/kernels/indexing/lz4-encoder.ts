/**
 * Encodes an LZ4 block: byte for byte what `lz4.ts` does in plain form.
 */

const HASH_BITS: u32 = 12;
const HASH_FACTOR: u32 = 0x9e3779b1;
const MATCH_MIN: usize = 4;
const OFFSET_MAX: usize = 0xffff;
/** The format ends a block with literals: the last match starts so far before the end, and ends so far before it. */
const LAST_MATCH_START: usize = 12;
const LAST_LITERALS: usize = 5;
const NIBBLE_MAX: usize = 15;
const BYTE_MAX: usize = 255;
/** After so many misses (as a power of two) the search skips one more byte at a time. */
const SKIP_SHIFT: u32 = 6;

const TABLE_BYTES: usize = 4 << HASH_BITS;
/** Position behind the last one that had the hash; 0 when none had. */
const TABLE: usize = memory.data(16384, 16);

/** Encodes `length` bytes; answers how many were written to `into`, which has room for any of that length. */
export function encodeLz4(from: usize, length: usize, into: usize): usize {
  memory.fill(TABLE, 0, TABLE_BYTES);
  const end = from + length;
  let out = into;
  let anchor = from;
  let at = from;
  let misses: u32 = 0;
  while (at + LAST_MATCH_START < end) {
    const word = load<u32>(at);
    const slot = TABLE + (<usize>((word * HASH_FACTOR) >> (32 - HASH_BITS)) << 2);
    const before = <usize>load<u32>(slot);
    store<u32>(slot, <u32>(at - from + 1));
    const candidate = from + before - 1;
    if (before == 0 || at - candidate > OFFSET_MAX || load<u32>(candidate) != word) {
      at += 1 + (misses++ >> SKIP_SHIFT);
      continue;
    }
    misses = 0;
    const matchTo = matchEnd(at + MATCH_MIN, candidate + MATCH_MIN, end - LAST_LITERALS);
    const more = matchTo - at - MATCH_MIN;
    out = writeLiterals(anchor, at, min(more, NIBBLE_MAX), out);
    store<u16>(out, <u16>(at - candidate));
    out += 2;
    if (more >= NIBBLE_MAX) out = writeLength(more - NIBBLE_MAX, out);
    anchor = matchTo;
    at = matchTo;
  }
  return writeLiterals(anchor, end, 0, out) - into;
}

/** End of the stretch from `at` on, up to `limit`, that repeats what stands at `earlier`. */
@inline
function matchEnd(at: usize, earlier: usize, limit: usize): usize {
  while (at + 8 <= limit) {
    const differing = load<u64>(at) ^ load<u64>(earlier);
    if (differing != 0) return at + <usize>(ctz(differing) >> 3);
    at += 8;
    earlier += 8;
  }
  while (at < limit && load<u8>(at) == load<u8>(earlier)) {
    at++;
    earlier++;
  }
  return at;
}

/** A token with its literals; `matchNibble` is the token's other half. */
@inline
function writeLiterals(start: usize, end: usize, matchNibble: usize, into: usize): usize {
  const count = end - start;
  let out = into;
  store<u8>(out++, <u8>((min(count, NIBBLE_MAX) << 4) | matchNibble));
  if (count >= NIBBLE_MAX) out = writeLength(count - NIBBLE_MAX, out);
  // Sixteen at a time: what is written too much is written again, or stands in the room behind.
  for (let i: usize = 0; i < count; i += 16) v128.store(out + i, v128.load(start + i));
  return out + count;
}

function writeLength(length: usize, into: usize): usize {
  let out = into;
  let rest = length;
  for (; rest >= BYTE_MAX; rest -= BYTE_MAX) store<u8>(out++, <u8>BYTE_MAX);
  store<u8>(out++, <u8>rest);
  return out;
}
