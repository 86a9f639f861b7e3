/**
 * Character sets of codecs: bytes to text and back.
 *
 * UTF-8, which nearly every stream is, goes the platform's way; everything else is iconv-lite's. A line is never lost for a bad
 * byte: in UTF-8 the line is shown with its bytes escaped (see `utf8Text`), in other sets they become U+FFFD.
 */
import { utf8Text } from '@shoal/agent-event';
import { ShoalError } from '@shoal/core';
import iconv from 'iconv-lite';

export interface Charset {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
}

/** @throws ShoalError when nobody knows a set of this name */
export function charsetNamed(name: string): Charset {
  if (/^(utf-?8|cp65001)$/i.test(name)) return utf8;
  if (/^(us-ascii|ascii|ansi_x3\.4-1968|646|binary|ascii-8bit)$/i.test(name)) return ascii;
  if (!iconv.encodingExists(name))
    throw new ShoalError('illegal_argument_exception', 400, `the charset [${name}] is not known`);
  return {
    decode: (bytes) => iconv.decode(asBuffer(bytes), name),
    encode: (text) => iconv.encode(text, name),
  };
}

export function isUtf8(charset: Charset): boolean {
  return charset === utf8;
}

const utf8: Charset = {
  decode: (bytes) => utf8Text(asBuffer(bytes)),
  encode: (text) => Buffer.from(text, 'utf8'),
};

/** Plain and binary ASCII alike: a byte above 127 is no character of theirs. */
const ascii: Charset = {
  decode: (bytes) =>
    asBuffer(bytes)
      .toString('latin1')
      .replace(/[\x80-\xff]/g, '\ufffd'),
  encode: (text) => Buffer.from(text, 'utf8'),
};

/** The same bytes, not a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
