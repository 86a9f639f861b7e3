/**
 * `Zlib`: packing and unpacking of strings.
 */

import {
  crc32,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  unzipSync,
} from 'node:zlib';
import { messageOf } from '@shoal/core';
import { optionalIndex, textArgument } from '../arguments/arguments.ts';
import { bytesOf, ofBytes } from '../text/string-bytes.ts';
import { exception } from '../values/ruby-exception.ts';
import { IO, RubyReader } from '../values/ruby-reader.ts';
import { type Methods, OBJECT, RubyClass, RubyObject, RubyString, str, type Value } from '../values/ruby-value.ts';

/** A text unpacked may be large: more than this is an attack. */
const UNPACKED_MAX = 64 * 1024 * 1024;
const LIMIT = { maxOutputLength: UNPACKED_MAX };
/** Size of the window; negative for data without a head, 16 more for gzip, 32 more for either head. */
const WINDOW_BITS = 15;

const bytes = (value: Value | undefined): Uint8Array =>
  bytesOf(value instanceof RubyString ? value : str(textArgument(value)));

function unpacked(unpack: () => Buffer, otherwise = 'Zlib::DataError'): RubyString {
  try {
    return ofBytes(unpack());
  } catch (error) {
    const message = messageOf(error);
    throw exception(message.startsWith('unexpected end') ? 'Zlib::BufError' : otherwise, message);
  }
}

function inflated(data: Uint8Array, windowBits: number): RubyString {
  if (windowBits < 0) return unpacked(() => inflateRawSync(data, LIMIT));
  if (windowBits >= 32) return unpacked(() => unzipSync(data, LIMIT));
  if (windowBits >= 16) return unpacked(() => gunzipSync(data, LIMIT), 'Zlib::GzipFile::Error');
  return unpacked(() => inflateSync(data, LIMIT));
}

function deflated(data: Uint8Array, windowBits: number, level: number): RubyString {
  if (windowBits < 0) return ofBytes(deflateRawSync(data, { level }));
  return ofBytes(windowBits >= 16 ? gzipSync(data, { level }) : deflateSync(data, { level }));
}

class RubyPacker extends RubyObject {
  readonly rubyClass: RubyClass;
  readonly windowBits: number;
  /** -1 for the usual one. */
  readonly level: number;

  constructor(rubyClass: RubyClass, windowBits: number, level = -1) {
    super();
    this.rubyClass = rubyClass;
    this.windowBits = windowBits;
    this.level = level;
  }
}

const ZLIB = new RubyClass('Zlib', null, [], true);
const INFLATE = new RubyClass('Zlib::Inflate', OBJECT);
const DEFLATE = new RubyClass('Zlib::Deflate', OBJECT);
const GZIP_READER = new RubyClass('Zlib::GzipReader', IO);

ZLIB.defineOnClass({
  crc32: (_machine, _self, [text]) => (text === undefined ? 0 : crc32(bytes(text))),
  gzip: (_machine, _self, [text]) => ofBytes(gzipSync(bytes(text))),
  gunzip: (_machine, _self, [data]) => inflated(bytes(data), WINDOW_BITS + 16),
  inflate: (_machine, _self, [data]) => inflated(bytes(data), WINDOW_BITS),
  deflate: (_machine, _self, [text, level]) => deflated(bytes(text), WINDOW_BITS, optionalIndex(level, -1)),
});

const closing: Methods<RubyPacker> = { close: () => null, finish: () => str('') };

INFLATE.define<RubyPacker>({ ...closing, inflate: (_machine, self, [data]) => inflated(bytes(data), self.windowBits) });
INFLATE.defineOnClass({
  inflate: (_machine, _self, [data]) => inflated(bytes(data), WINDOW_BITS),
  new: (_machine, self, [windowBits]) => new RubyPacker(self, optionalIndex(windowBits, WINDOW_BITS)),
});
DEFLATE.define<RubyPacker>({
  ...closing,
  deflate: (_machine, self, [text]) => deflated(bytes(text), self.windowBits, self.level),
});
DEFLATE.defineOnClass({
  deflate: (_machine, _self, [text, level]) => deflated(bytes(text), WINDOW_BITS, optionalIndex(level, -1)),
  new: (_machine, self, [level, windowBits]) =>
    new RubyPacker(self, optionalIndex(windowBits, WINDOW_BITS), optionalIndex(level, -1)),
});
GZIP_READER.defineOnClass({
  new: (_machine, self, [source]) => {
    if (!(source instanceof RubyReader))
      throw exception('NoMethodError', 'a GzipReader reads from a StringIO or a File');
    return new RubyReader(inflated(bytes(source.string(source.rest())), WINDOW_BITS + 16), self);
  },
});

export const ZLIB_CLASSES: readonly RubyClass[] = [ZLIB, INFLATE, DEFLATE, GZIP_READER];
export const ZLIB_NUMBERS: readonly (readonly [name: string, value: number])[] = [
  ['Zlib::MAX_WBITS', WINDOW_BITS],
  ['Zlib::BEST_COMPRESSION', 9],
  ['Zlib::DEFAULT_COMPRESSION', -1],
  ['Zlib::FINISH', 4],
];
