/**
 * Marked text to lines of JSON: values as they are, with marks between them, become events with their names and escapes.
 *
 * A mark is a control character that no value may hold: whoever calls counts the marks that were put in, and throws the result
 * away when others were found. Sixteen bytes are looked at in one step, so that memory must reach as far behind each range.
 */

/** Ends a value; behind it stands the next piece of the shape. */
const VALUE_END: u32 = 0x01;
/** A quote and a backslash that are JSON's own, in place of those that a value holds. */
const OWN_QUOTE: u32 = 0x02;
const OWN_BACKSLASH: u32 = 0x03;

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
/** First byte of U+FFFD, which stands for what is no text, and of some thousand other characters. */
const REPLACEMENT_FIRST: u32 = 0xef;
const REPLACEMENT_REST: u32 = 0xbdbf;

/**
 * Bytes written at `to`, at most six for each byte and the pieces of each event. At `counts` stand then, 32 bits each: values
 * that ended, quotes and backslashes of JSON's own, and characters U+FFFD, as which what is no text was written.
 *
 * @param pieces address and length of each piece, 32 bits each: before each value, and behind the last with a line break
 * @param valueCount values of an event, at least 1
 * @param eventCount events of the text; when it holds marks for more, the rest is not written, and one value more is counted
 */
export function writeLines(
  from: u32,
  length: u32,
  to: u32,
  pieces: u32,
  valueCount: u32,
  eventCount: u32,
  counts: u32,
): u32 {
  const endMax = valueCount * eventCount;
  const start = to;
  const stop = from + length;
  let endCount: u32 = 0;
  let ownCount: u32 = 0;
  let replacementCount: u32 = 0;
  let value: u32 = 0;
  while (from < stop) {
    if (value == 0) {
      if (endCount == endMax) {
        endCount++;
        break;
      }
      to = copyPiece(pieces, to);
      value = 1;
    }
    const bytes = v128.load(from);
    v128.store(to, bytes);
    const found = i8x16.bitmask(specialBytes(bytes));
    if (found == 0) {
      from += 16;
      to += 16;
      continue;
    }
    const plain = ctz(found);
    from += plain;
    to += plain;
    if (from >= stop) break;
    const code = <u32>load<u8>(from);
    from++;
    if (code == VALUE_END) {
      endCount++;
      to = copyPiece(pieces + (value << 3), to);
      value = value == valueCount ? 0 : value + 1;
    } else if (code == OWN_QUOTE || code == OWN_BACKSLASH) {
      ownCount++;
      store<u8>(to++, <u8>(code == OWN_QUOTE ? QUOTE : BACKSLASH));
    } else if (code == REPLACEMENT_FIRST) {
      if (<u32>load<u16>(from) == REPLACEMENT_REST) replacementCount++;
      store<u8>(to++, <u8>code);
    } else to = writeEscape(code, to);
  }
  store<u32>(counts, endCount);
  store<u32>(counts, ownCount, 4);
  store<u32>(counts, replacementCount, 8);
  return to - start;
}

@inline
function specialBytes(bytes: v128): v128 {
  const control = i8x16.lt_u(bytes, i8x16.splat(0x20));
  const quote = i8x16.eq(bytes, i8x16.splat(<i8>QUOTE));
  const backslash = i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH));
  const replacement = i8x16.eq(bytes, i8x16.splat(<i8>REPLACEMENT_FIRST));
  return v128.or(v128.or(control, quote), v128.or(backslash, replacement));
}

@inline
function copyPiece(piece: u32, to: u32): u32 {
  const from = load<u32>(piece);
  const length = load<u32>(piece, 4);
  for (let at: u32 = 0; at < length; at += 16) v128.store(to + at, v128.load(from + at));
  return to + length;
}

function writeEscape(code: u32, to: u32): u32 {
  store<u8>(to, <u8>BACKSLASH);
  const letter = code == QUOTE || code == BACKSLASH ? code : letterOf(code);
  if (letter != 0) {
    store<u8>(to, <u8>letter, 1);
    return to + 2;
  }
  // `u00`
  store<u16>(to, 0x3075, 1);
  store<u8>(to, 0x30, 3);
  store<u8>(to, hexDigit(code >> 4), 4);
  store<u8>(to, hexDigit(code & 15), 5);
  return to + 6;
}

/** Letter behind the backslash of a control character; 0 for those that have none. */
function letterOf(code: u32): u32 {
  switch (code) {
    case 0x08:
      return 0x62;
    case 0x09:
      return 0x74;
    case 0x0a:
      return 0x6e;
    case 0x0c:
      return 0x66;
    case 0x0d:
      return 0x72;
    default:
      return 0;
  }
}

@inline
function hexDigit(value: u32): u8 {
  return <u8>(value < 10 ? 0x30 + value : 0x57 + value);
}
