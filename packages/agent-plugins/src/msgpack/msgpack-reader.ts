/**
 * MessagePack as values of events: floats stay floats, also whole ones, and integers stay exact. The counterpart of the writer,
 * and made for streams: a value that is cut off is not an error.
 */

import { type EventMap, type EventValue, Timestamp } from '@shoal/agent-event';
import { asFloat, asInteger, ShoalError } from '@shoal/core';

const DEPTH_MAX = 1000;
/** Type of the timestamp extension, which msgpack itself defines. */
const TIMESTAMP = -1;
const NANOS_PER_MILLI = 1_000_000;
const utf8 = new TextDecoder();

/** The bytes end before the value does. */
export const CUT_OFF: unique symbol = Symbol('cut off');

/** Reads the content of an extension; undefined for a type or size that it does not know. */
export type ExtensionReader = (type: number, content: Uint8Array) => EventValue | undefined;

export class MsgpackReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly readExtension: ExtensionReader | null;
  /** Offset of the next value. */
  position = 0;

  /** @param readExtension extensions besides msgpack's own */
  constructor(bytes: Uint8Array, readExtension: ExtensionReader | null = null) {
    this.bytes = bytes;
    this.readExtension = readExtension;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws ShoalError for what is no MessagePack; the position is then of no use */
  next(): EventValue | typeof CUT_OFF {
    const start = this.position;
    const value = this.value(0);
    if (value === CUT_OFF) this.position = start;
    return value;
  }

  /**
   * Consumes the head of an array and answers how many items follow it.
   *
   * @throws ShoalError for anything but an array
   */
  arrayHead(): number | typeof CUT_OFF {
    const start = this.position;
    const at = this.take(1);
    if (at < 0) return CUT_OFF;
    const code = this.view.getUint8(at);
    if (code >= 0x90 && code <= 0x9f) return code & 0x0f;
    if (code !== 0xdc && code !== 0xdd) throw invalid('an array is expected');
    const size = this.size(code);
    if (size === CUT_OFF) this.position = start;
    return size;
  }

  /** The bytes of a text or byte string, not decoded; null, and nothing consumed, when the next value is of another kind. */
  raw(): Uint8Array | null | typeof CUT_OFF {
    const start = this.position;
    const at = this.take(1);
    if (at < 0) return CUT_OFF;
    const code = this.view.getUint8(at);
    const isShort = code >= 0xa0 && code <= 0xbf;
    if (!isShort && !(code >= 0xc4 && code <= 0xc6) && !(code >= 0xd9 && code <= 0xdb)) {
      this.position = start;
      return null;
    }
    const size = isShort ? code & 0x1f : this.size(code);
    const from = size === CUT_OFF ? -1 : this.take(size);
    if (size === CUT_OFF || from < 0) {
      this.position = start;
      return CUT_OFF;
    }
    return this.bytes.subarray(from, from + size);
  }

  private value(depth: number): EventValue | typeof CUT_OFF {
    if (depth > DEPTH_MAX) throw invalid(`it is nested deeper than ${DEPTH_MAX}`);
    const at = this.take(1);
    if (at < 0) return CUT_OFF;
    const code = this.view.getUint8(at);
    if (code <= 0x7f) return code;
    if (code >= 0xe0) return code - 0x100;
    if (code <= 0x8f) return this.map(code & 0x0f, depth);
    if (code <= 0x9f) return this.array(code & 0x0f, depth);
    if (code <= 0xbf) return this.text(code & 0x1f);
    if (code === 0xc0) return null;
    if (code === 0xc2 || code === 0xc3) return code === 0xc3;
    if (code === 0xca || code === 0xcb) return this.float(code === 0xca ? 4 : 8);
    if (code >= 0xcc && code <= 0xd3) return this.integer(code);
    if (code >= 0xd4 && code <= 0xd8) return this.extension(1 << (code - 0xd4));
    const size = this.size(code);
    if (size === CUT_OFF) return CUT_OFF;
    if (code >= 0xc7 && code <= 0xc9) return this.extension(size);
    if (code === 0xdc || code === 0xdd) return this.array(size, depth);
    return code === 0xde || code === 0xdf ? this.map(size, depth) : this.text(size);
  }

  /** Size of a text, byte string, array, map or extension, from the bytes behind its code. */
  private size(code: number): number | typeof CUT_OFF {
    const width = SIZE_WIDTHS.get(code);
    if (width === undefined) throw invalid(`0x${code.toString(16)} begins no value`);
    const at = this.take(width);
    if (at < 0) return CUT_OFF;
    if (width === 1) return this.view.getUint8(at);
    return width === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  /** Bytes are text, as far as they are any. */
  private text(size: number): string | typeof CUT_OFF {
    const at = this.take(size);
    return at < 0 ? CUT_OFF : utf8.decode(this.bytes.subarray(at, at + size));
  }

  private float(width: 4 | 8): EventValue | typeof CUT_OFF {
    const at = this.take(width);
    if (at < 0) return CUT_OFF;
    const value = width === 4 ? this.view.getFloat32(at) : this.view.getFloat64(at);
    return asFloat(value);
  }

  private integer(code: number): EventValue | typeof CUT_OFF {
    const width = 1 << ((code - 0xcc) & 3);
    const at = this.take(width);
    if (at < 0) return CUT_OFF;
    const isSigned = code >= 0xd0;
    if (width === 8) {
      const value = isSigned ? this.view.getBigInt64(at) : this.view.getBigUint64(at);
      return asInteger(value);
    }
    if (width === 1) return isSigned ? this.view.getInt8(at) : this.view.getUint8(at);
    if (width === 2) return isSigned ? this.view.getInt16(at) : this.view.getUint16(at);
    return isSigned ? this.view.getInt32(at) : this.view.getUint32(at);
  }

  private array(size: number, depth: number): EventValue[] | typeof CUT_OFF {
    const items: EventValue[] = [];
    for (let i = 0; i < size; i++) {
      const item = this.value(depth + 1);
      if (item === CUT_OFF) return CUT_OFF;
      items.push(item);
    }
    return items;
  }

  private map(size: number, depth: number): EventMap | typeof CUT_OFF {
    const map: EventMap = new Map();
    for (let i = 0; i < size; i++) {
      const name = this.value(depth + 1);
      const item = name === CUT_OFF ? CUT_OFF : this.value(depth + 1);
      if (name === CUT_OFF || item === CUT_OFF) return CUT_OFF;
      map.set(String(name), item);
    }
    return map;
  }

  private extension(size: number): EventValue | typeof CUT_OFF {
    const at = this.take(size + 1);
    if (at < 0) return CUT_OFF;
    const type = this.view.getInt8(at);
    if (type !== TIMESTAMP) {
      const value = this.readExtension?.(type, this.bytes.subarray(at + 1, at + 1 + size));
      if (value === undefined) throw invalid(`it holds an extension of type ${type}, which nobody here knows`);
      return value;
    }
    if (size === 4) return new Timestamp(this.view.getUint32(at + 1) * 1000);
    if (size === 8) {
      const packed = this.view.getBigUint64(at + 1);
      return timestamp(Number(packed & 0x3_ffff_ffffn), Number(packed >> 34n));
    }
    if (size !== 12) throw invalid(`a time of ${size} bytes is none`);
    return timestamp(Number(this.view.getBigInt64(at + 5)), this.view.getUint32(at + 1));
  }

  /** Consumes `count` bytes. Answers their offset; -1 when there are fewer. */
  private take(size: number): number {
    const at = this.position;
    if (at + size > this.bytes.length) return -1;
    this.position = at + size;
    return at;
  }
}

const SIZE_WIDTHS: ReadonlyMap<number, 1 | 2 | 4> = new Map([
  ...[0xc4, 0xc7, 0xd9].map((code) => [code, 1] as const),
  ...[0xc5, 0xc8, 0xda, 0xdc, 0xde].map((code) => [code, 2] as const),
  ...[0xc6, 0xc9, 0xdb, 0xdd, 0xdf].map((code) => [code, 4] as const),
]);

function timestamp(seconds: number, nanos: number): Timestamp {
  return new Timestamp(seconds * 1000 + Math.floor(nanos / NANOS_PER_MILLI), nanos % NANOS_PER_MILLI);
}

function invalid(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `this is no MessagePack: ${why}`);
}
