/**
 * Layout of events as bytes: what writer and reader agree on.
 *
 * One event's text stands together behind its structure and is decoded in one call, its strings are cut out of it; field
 * names are written once a batch. Reading checks every bound: bytes may come from a damaged disk.
 *
 *     batch   := version u8, events u32, event*
 *     event   := encoding u8, structure bytes u32, text bytes u32, structure, text
 *     structure := map (fields), map (metadata)
 *     map     := count varint, (name, value)*      name := number varint, length varint when the number is new
 *     value   := tag u8, what the tag says; lengths of strings are in UTF-16 units of the text
 *
 * Numbers are little-endian.
 */

export const VERSION = 1;
export const BATCH_HEADER_BYTES = 5;
export const EVENT_HEADER_BYTES = 9;
/** Deeper values are refused: recursion must not exhaust the stack. */
export const DEPTH_MAX = 1_100;

export const ASCII = 0;
export const UTF8 = 1;
/** For text that UTF-8 cannot hold: lone surrogates. */
export const UTF16 = 2;

export const NULL = 0;
export const FALSE = 1;
export const TRUE = 2;
export const STRING = 3;
export const INTEGER = 4;
export const NUMBER = 5;
export const BIGINT = 6;
export const DOUBLE = 7;
export const TIMESTAMP = 8;
export const ARRAY = 9;
export const MAP = 10;
/** Tags from here on are strings whose length is the rest. */
export const SHORT_STRING = 16;
export const SHORT_STRING_MAX: number = 255 - SHORT_STRING;
export const VARINT_MAX = 0x7fff_ffff;

export function nodeEncoding(encoding: number): 'latin1' | 'utf8' | 'utf16le' {
  return encoding === ASCII ? 'latin1' : encoding === UTF8 ? 'utf8' : 'utf16le';
}
