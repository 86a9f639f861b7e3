/**
 * Bytes that should be UTF-8, as text.
 *
 * Where some are not, no byte is lost: the whole text is shown as Ruby's `inspect` shows it, with `\xE9` for each byte that is
 * part of no character. That is what other agents make of such a line, and what people search their indices for.
 */
import { isUtf8 } from 'node:buffer';
import { escapedText } from '../values/quoted-text.ts';

/** What the decoder puts in place of bytes it cannot read; a text may also hold it by itself. */
const REPLACEMENT = '\ufffd';

export function utf8Text(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes(REPLACEMENT) && !isUtf8(bytes) ? bytesShown(bytes) : text;
}

/** Every byte that belongs to no character as `\xE9`, the rest as `inspect` shows it. */
export function bytesShown(bytes: Buffer): string {
  let text = '';
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      const byte = bytes.toString('hex', at, at + 1).toUpperCase();
      text += `${escapedText(bytes.toString('utf8', start, at))}\\x${byte}`;
      start = at + 1;
    }
    at += Math.max(1, length);
  }
  return text + escapedText(bytes.toString('utf8', start));
}

/** Bytes of the UTF-8 character at a position; 0 when there is none. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return length > 0 && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
