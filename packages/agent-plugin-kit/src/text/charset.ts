/**
 * Character sets of codecs: bytes to text and back.
 *
 * UTF-8, which nearly every stream is, goes the platform's way; everything else is iconv-lite's. Bytes that are no text in
 * the set become U+FFFD: a line is never lost for a bad byte.
 */
import { ShoalError } from '@shoal/core';
import iconv from 'iconv-lite';

export interface Charset {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
}

/** @throws ShoalError when nobody knows a set of this name */
export function charsetNamed(name: string): Charset {
  if (/^(utf-?8|us-ascii|ascii)$/i.test(name)) return utf8;
  const known = /^BINARY$|^ASCII-8BIT$/i.test(name) ? 'latin1' : name;
  if (!iconv.encodingExists(known))
    throw new ShoalError('illegal_argument_exception', 400, `the charset [${name}] is not known`);
  return {
    decode: (bytes) => iconv.decode(asBuffer(bytes), known),
    encode: (text) => iconv.encode(text, known),
  };
}

export function isUtf8(charset: Charset): boolean {
  return charset === utf8;
}

const utf8: Charset = {
  decode: (bytes) => asBuffer(bytes).toString('utf8'),
  encode: (text) => Buffer.from(text, 'utf8'),
};

/** The same bytes, not a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
