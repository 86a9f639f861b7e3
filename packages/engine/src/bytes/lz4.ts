/**
 * LZ4 blocks: the format that every LZ4 library reads and writes, in plain TypeScript.
 *
 * The encoder is the fast kind: one look into a hash table a position, the first match taken. Not the frame format: length
 * and checksum are the caller's business.
 */
import { DamagedBytes } from '@shoal/core';

const HASH_BITS = 12;
const HASH_FACTOR = 0x9e37_79b1;
const MATCH_MIN = 4;
const OFFSET_MAX = 0xffff;
/** The format ends a block with literals: the last match starts so far before the end, and ends so far before it. */
const LAST_MATCH_START = 12;
const LAST_LITERALS = 5;
const NIBBLE_MAX = 15;
const BYTE_MAX = 255;
/** After so many misses (as a power of two) the search skips one more byte at a time. */
const SKIP_SHIFT = 6;
/** Longer literals are copied at once. */
const SHORT_COPY = 24;

/** Room that any `length` bytes fit in. */
export function lz4Bound(length: number): number {
  return length + Math.ceil(length / BYTE_MAX) + 16;
}

export class Lz4Encoder {
  /** Position behind the last one that had the hash; 0 when none had. */
  private readonly table = new Int32Array(1 << HASH_BITS);

  /** Encodes all of `from`; returns the bytes written to `into`, which has room for `lz4Bound`. */
  encode(from: Uint8Array, into: Uint8Array): number {
    const { table } = this;
    table.fill(0);
    const words = new DataView(from.buffer, from.byteOffset, from.byteLength);
    const searchEnd = from.length - LAST_MATCH_START;
    let out = 0;
    let anchor = 0;
    let at = 0;
    let misses = 0;
    while (at < searchEnd) {
      const word = words.getInt32(at, true);
      const hash = Math.imul(word, HASH_FACTOR) >>> (32 - HASH_BITS);
      const candidate = (table[hash] as number) - 1;
      table[hash] = at + 1;
      if (candidate < 0 || at - candidate > OFFSET_MAX || words.getInt32(candidate, true) !== word) {
        at += 1 + (misses++ >>> SKIP_SHIFT);
        continue;
      }
      misses = 0;
      const end = matchEnd(from, words, at + MATCH_MIN, candidate + MATCH_MIN);
      out = writeLiterals(from, anchor, at, Math.min(end - at - MATCH_MIN, NIBBLE_MAX), into, out);
      const offset = at - candidate;
      into[out++] = offset;
      into[out++] = offset >>> 8;
      if (end - at - MATCH_MIN >= NIBBLE_MAX) out = writeLength(end - at - MATCH_MIN - NIBBLE_MAX, into, out);
      anchor = end;
      at = end;
    }
    return writeLiterals(from, anchor, from.length, 0, into, out);
  }
}

/** End of the range from `at` on that repeats the bytes at `earlier`. */
function matchEnd(from: Uint8Array, words: DataView, at: number, earlier: number): number {
  const limit = from.length - LAST_LITERALS;
  let end = at;
  let other = earlier;
  while (end + 4 <= limit && words.getInt32(end, true) === words.getInt32(other, true)) {
    end += 4;
    other += 4;
  }
  while (end < limit && from[end] === from[other]) {
    end++;
    other++;
  }
  return end;
}

/** A token with its literals; `matchNibble` is the token's other half. */
function writeLiterals(
  from: Uint8Array,
  start: number,
  end: number,
  matchNibble: number,
  into: Uint8Array,
  at: number,
): number {
  const count = end - start;
  let out = at;
  into[out++] = (Math.min(count, NIBBLE_MAX) << 4) | matchNibble;
  if (count >= NIBBLE_MAX) out = writeLength(count - NIBBLE_MAX, into, out);
  if (count > SHORT_COPY) into.set(from.subarray(start, end), out);
  else for (let i = 0; i < count; i++) into[out + i] = from[start + i] as number;
  return out + count;
}

function writeLength(length: number, into: Uint8Array, at: number): number {
  let out = at;
  let rest = length;
  for (; rest >= BYTE_MAX; rest -= BYTE_MAX) into[out++] = BYTE_MAX;
  into[out++] = rest;
  return out;
}

/** Decodes exactly `into.length` bytes. Throws `DamagedBytes` when `from` is not the encoding of so many. */
export function decodeLz4(from: Uint8Array, into: Uint8Array): void {
  const length = from.length;
  const room = into.length;
  let at = 0;
  let out = 0;
  while (at < length) {
    const token = from[at++] as number;
    let literals = token >>> 4;
    if (literals === NIBBLE_MAX) {
      let more = BYTE_MAX;
      while (more === BYTE_MAX) {
        // Behind the end: no number, which ends the loop and fails the check below.
        more = from[at++] ?? Number.NaN;
        literals += more;
      }
    }
    if (!(at + literals <= length && out + literals <= room)) throw damaged(at);
    if (literals > SHORT_COPY) into.set(from.subarray(at, at + literals), out);
    else for (let i = 0; i < literals; i++) into[out + i] = from[at + i] as number;
    at += literals;
    out += literals;
    if (at === length) break;
    const offset = (from[at] as number) | ((from[at + 1] ?? 0) << 8);
    at += 2;
    let count = (token & NIBBLE_MAX) + MATCH_MIN;
    if (count === NIBBLE_MAX + MATCH_MIN) {
      let more = BYTE_MAX;
      while (more === BYTE_MAX) {
        more = from[at++] ?? Number.NaN;
        count += more;
      }
    }
    if (!(offset > 0 && offset <= out && out + count <= room)) throw damaged(at);
    // Byte by byte: a match may overlap what it makes.
    for (let i = 0; i < count; i++, out++) into[out] = into[out - offset] as number;
  }
  if (out !== room) throw damaged(at);
}

function damaged(at: number): DamagedBytes {
  return new DamagedBytes(`compressed bytes make no sense at ${at}`);
}
