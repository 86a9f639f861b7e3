/**
 * Bytes being written: grows by doubling, little-endian, numbers of variable length in groups of seven bits.
 */
import { assert } from '../errors/assert.ts';

const CAPACITY_MIN = 64;
/** Its length takes one byte. */
const SHORT_TEXT = 48;
const ASCII_MAX = 0x7f;

export class ByteSink {
  bytes: Uint8Array;
  length = 0;
  private view: DataView;

  /** `room`: so many bytes, or these, until they are too few. */
  constructor(room: number | Uint8Array = CAPACITY_MIN) {
    this.bytes = typeof room === 'number' ? new Uint8Array(Math.max(room, CAPACITY_MIN)) : room;
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const next = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    next.set(this.bytes.subarray(0, this.length));
    this.bytes = next;
    this.view = new DataView(next.buffer);
  }

  u8(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  u16(value: number): void {
    this.reserve(2);
    this.view.setUint16(this.length, value, true);
    this.length += 2;
  }

  u32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.length, value, true);
    this.length += 4;
  }

  f64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** 0..2^32-1. */
  varint(value: number): void {
    this.reserve(5);
    while (value > 0x7f) {
      this.bytes[this.length++] = (value & 0x7f) | 0x80;
      value >>>= 7;
    }
    this.bytes[this.length++] = value;
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** UTF-8 behind its length in bytes. */
  text(value: string): void {
    const { length } = value;
    if (length <= SHORT_TEXT && this.shortText(value, length)) return;
    const encoded = Buffer.from(value, 'utf8');
    this.varint(encoded.length);
    this.raw(encoded);
  }

  /** Texts of few ASCII characters, such as ids, without an object; false, and nothing was written, for others. */
  private shortText(value: string, length: number): boolean {
    this.reserve(length + 1);
    const { bytes } = this;
    const at = this.length + 1;
    let union = 0;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      union |= code;
      bytes[at + i] = code;
    }
    if (union > ASCII_MAX) return false;
    bytes[at - 1] = length;
    this.length = at + length;
    return true;
  }

  blob(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Overwrites what was written at `at`. */
  patchU32(at: number, value: number): void {
    // The length is computed first: the text is built again at each call.
    if (at + 4 > this.length) assert(false, `patch at ${at} behind the end ${this.length}`);
    this.view.setUint32(at, value, true);
  }

  clear(): void {
    this.length = 0;
  }

  /** A view of the written part; valid until the next write. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  copy(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}
