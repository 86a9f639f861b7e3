/**
 * Strings as bytes and back. Bytes of a text that are no UTF-8 stand as U+DC80 to U+DCFF.
 */
import { RubyString } from '../values/ruby-value.ts';

const BROKEN = /[\udc80-\udcff]/;
const STRAY = /[\ud800-\udbff][\udc00-\udfff]|[\udc80-\udcff]/g;

export function bytesOf(string: RubyString): Uint8Array {
  if (string.isBinary) return Buffer.from(string.text, 'latin1');
  if (!isBroken(string.text)) return Buffer.from(string.text);
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const match of string.text.matchAll(STRAY)) {
    if (match[0].length === 2) continue;
    parts.push(Buffer.from(string.text.slice(from, match.index)), Uint8Array.of(match[0].charCodeAt(0) - 0xdc00));
    from = match.index + 1;
  }
  return Buffer.concat([...parts, Buffer.from(string.text.slice(from))]);
}

/** A string of bytes. */
export function ofBytes(bytes: Uint8Array): RubyString {
  return new RubyString(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), true);
}

/** Bytes read as UTF-8. */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Which bytes are wrong has to be found one by one.
    return brokenText(bytes);
  }
}

function brokenText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    text +=
      length === 0
        ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
        : Buffer.from(bytes.subarray(at, at + length)).toString('utf8');
    at += Math.max(1, length);
  }
  return text;
}

/** Bytes of the character there; 0 when there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length =
    first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const decoded = Buffer.from(bytes.subarray(at, at + length)).toString('utf8');
  return decoded.includes('\ufffd') && !(first === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd)
    ? 0
    : length;
}

/** Whether some bytes of the text are no UTF-8. */
export function isBroken(text: string): boolean {
  return BROKEN.test(text) && [...text.matchAll(STRAY)].some((match) => match[0].length === 1);
}

export function mended(text: string, replacement: (bad: string) => string): string {
  return text.replace(STRAY, (part) => (part.length === 2 ? part : replacement(part)));
}

/** Characters, counted as Ruby does: by code points. */
export function charactersOf(text: string): readonly string[] {
  return hasPairs(text) ? Array.from(text) : text.split('');
}

export function characterCount(text: string): number {
  if (!hasPairs(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Part of a text by its characters. */
export function characterSlice(text: string, from: number, to: number): string {
  return hasPairs(text) ? Array.from(text).slice(from, to).join('') : text.slice(from, to);
}

/** Position by characters of a position in the text. */
export function characterIndex(text: string, at: number): number {
  return hasPairs(text) ? characterCount(text.slice(0, at)) : at;
}

/** Position in the text of a character. */
export function unitIndex(text: string, at: number): number {
  return hasPairs(text) ? Array.from(text).slice(0, at).join('').length : at;
}

function hasPairs(text: string): boolean {
  return /[\ud800-\udbff][\udc00-\udfff]/.test(text);
}
