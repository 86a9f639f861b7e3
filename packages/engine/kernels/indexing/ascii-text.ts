/**
 * Cuts ASCII text into words by the standard tokenizer's rules and adds them to a field.
 *
 * A word is nearly always a run of letters, digits and `_`: those runs are found sixteen characters at a time, as a bit each.
 * Only where a run begins with `_`, is too long, or stands beside a mark that may join it to the next are the rules gone through
 * character by character. `ascii-words.ts` says the same in plain form.
 */
import { Field, findOrAdd } from './field-terms.ts';
import { append, hasRoom } from './token-stream.ts';

const OTHER: u8 = 0;
const LETTER: u8 = 1;
const NUMERIC: u8 = 2;
const CONNECTOR: u8 = 3;
const MID_LETTER: u8 = 4;
const MID_NUM_LET: u8 = 5;
const MID_NUM: u8 = 6;
const SINGLE_QUOTE: u8 = 7;
const DOUBLE_QUOTE: u8 = 8;

/** Class of each byte; filled from outside. */
const CLASSES: usize = memory.data(256);
const UNDERSCORE: u8 = 0x5f;

export function classesAddress(): usize {
  return CLASSES;
}

/** Where the bits of a text of `length` bytes stand behind it. */
@inline
function bitsAt(length: u32): usize {
  return (<usize>length + 39) & ~7;
}

/** Bytes that a text of `length` bytes takes when it is prepared. */
export function preparedBytes(length: u32): usize {
  return bitsAt(length) + (((<usize>length >> 6) + 2) << 3);
}

/**
 * Copies `length` bytes to `into`, capitals lowered when `lowercases`, and notes which belong to words. Answers whether all are
 * ASCII. Up to 16 bytes behind the text are read.
 */
export function prepareText(from: usize, length: u32, into: usize, lowercases: bool): bool {
  const bits = into + bitsAt(length);
  const caseBit = i8x16.splat(lowercases ? 0x20 : 0);
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  let all = i8x16.splat(0);
  let i: u32 = 0;
  for (; i < length; i += 16) {
    let v = v128.load(from + i);
    if (length - i < 16) v = v128.and(v, i8x16.lt_u(places, i8x16.splat(<i8>(length - i))));
    all = v128.or(all, v);
    const isUpper = i8x16.lt_u(i8x16.sub(v, i8x16.splat(0x41)), i8x16.splat(26));
    const isLower = i8x16.lt_u(i8x16.sub(v, i8x16.splat(0x61)), i8x16.splat(26));
    const isDigit = i8x16.lt_u(i8x16.sub(v, i8x16.splat(0x30)), i8x16.splat(10));
    const isConnector = i8x16.eq(v, i8x16.splat(UNDERSCORE));
    v128.store(into + i, v128.or(v, v128.and(isUpper, caseBit)));
    store<u16>(bits + (i >> 3), <u16>i8x16.bitmask(v128.or(v128.or(isUpper, isLower), v128.or(isDigit, isConnector))));
  }
  v128.store(into + i, i8x16.splat(0));
  // Clear up to the end of the word that the last bits stand in, and one word more.
  for (let at = i; at < ((length >> 6) + 2) << 6; at += 16) store<u16>(bits + (at >> 3), 0);
  return i8x16.bitmask(all) == 0;
}

/** The first bit from `at` on that is set; `length` when none is. */
@inline
function nextSet(bits: usize, at: u32, length: u32): u32 {
  let word = load<u64>(bits + ((at >> 6) << 3)) >> (at & 63);
  while (word == 0) {
    at = (at & ~63) + 64;
    if (at >= length) return length;
    word = load<u64>(bits + ((at >> 6) << 3));
  }
  return at + <u32>ctz(word);
}

/** The first bit behind `at`, which is set, that is not; there is one. */
@inline
function nextClear(bits: usize, at: u32): u32 {
  let word = ~load<u64>(bits + ((at >> 6) << 3)) >> (at & 63);
  while (word == 0) {
    at = (at & ~63) + 64;
    word = ~load<u64>(bits + ((at >> 6) << 3));
  }
  return at + <u32>ctz(word);
}

/**
 * Adds the words of a prepared text from `field.textAt` on, the first at position `position` + `field.wordCount`. Answers
 * whether it came to the end; if not, the field needs room.
 */
export function addText(
  field: Field,
  doc: i32,
  position: u32,
  text: usize,
  length: u32,
  wordMax: u32,
): bool {
  const bits = text + bitsAt(length);
  let at = field.textAt;
  for (;;) {
    at = nextSet(bits, at, length);
    if (at >= length) break;
    let end = nextClear(bits, at);
    if (mayGoOn(bits, text, at, end, wordMax)) {
      end = wordEnd(text, at, min(length, at + wordMax));
      if (end == at) {
        at++;
        continue;
      }
    }
    const term = hasRoom(field) ? findOrAdd(field, text + at, end - at) : 0;
    if (term == 0) {
      field.textAt = at;
      return false;
    }
    append(field, term, doc, position + field.wordCount);
    field.wordCount++;
    at = end;
  }
  field.textAt = length;
  return true;
}

/** The run from `at` to `end` may be no word, more than one, or not the whole of it. */
@inline
function mayGoOn(bits: usize, text: usize, at: u32, end: u32, wordMax: u32): bool {
  if (load<u8>(text + at) == UNDERSCORE || end - at > wordMax) return true;
  if (load<u8>(CLASSES + load<u8>(text + end)) == OTHER) return false;
  const next = end + 1;
  return ((load<u64>(bits + ((next >> 6) << 3)) >> (next & 63)) & 1) != 0;
}

/** `start` when nothing but connectors stands there. */
function wordEnd(text: usize, start: u32, limit: u32): u32 {
  let previous = OTHER;
  let isWord = false;
  let at = start;
  while (at < limit) {
    const c = load<u8>(CLASSES + load<u8>(text + at));
    if (c == LETTER || c == NUMERIC) isWord = true;
    else if (c != CONNECTOR) {
      if (at + 1 >= limit || !joins(c, previous, load<u8>(CLASSES + load<u8>(text + at + 1)))) break;
      at++;
      continue;
    }
    previous = c;
    at++;
  }
  return isWord ? at : start;
}

function joins(mark: u8, previous: u8, following: u8): bool {
  if (mark < MID_LETTER || mark > DOUBLE_QUOTE) return false;
  const isMidBoth = mark == MID_NUM_LET || mark == SINGLE_QUOTE;
  if (previous == LETTER) return following == LETTER && (isMidBoth || mark == MID_LETTER);
  return previous == NUMERIC && following == NUMERIC && (isMidBoth || mark == MID_NUM);
}
