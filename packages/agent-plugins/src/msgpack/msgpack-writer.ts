/**
 * Values of events as MessagePack. Written here because the kinds of numbers must stay: a float that is whole goes as a float,
 * which the library would write as an integer.
 */

import { type EventMap, type EventValue, Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';

const UINT64_MAX = 0xffff_ffff_ffff_ffffn;
const INT64_MIN = -0x8000_0000_0000_0000n;
const FIRST_BYTES = 256;

/** Times go as text, for msgpack's own are not read everywhere; integers beyond 64 bits too, for it has none. */
export function writeMsgpack(value: EventValue): Uint8Array {
  const writer = new Writer();
  writer.value(value);
  return writer.taken();
}

class Writer {
  private buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private length = 0;

  taken(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  value(value: EventValue): void {
    if (value === null) this.byte(0xc0);
    else if (typeof value === 'boolean') this.byte(value ? 0xc3 : 0xc2);
    else if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'bigint') this.bigint(value);
    else if (value instanceof DoubleNumber) this.float(value.value);
    else if (value instanceof Timestamp) this.text(value.toString());
    else if (Array.isArray(value)) {
      this.head(value.length, { fix: 0x90, fixMax: 15, byte: null, word: 0xdc, long: 0xdd });
      for (const item of value) this.value(item);
    } else this.map(value);
  }

  private map(map: EventMap): void {
    this.head(map.size, { fix: 0x80, fixMax: 15, byte: null, word: 0xde, long: 0xdf });
    for (const [name, item] of map) {
      this.text(name);
      this.value(item);
    }
  }

  private text(text: string): void {
    const size = Buffer.byteLength(text, 'utf8');
    this.head(size, { fix: 0xa0, fixMax: 31, byte: 0xd9, word: 0xda, long: 0xdb });
    this.length += this.room(size).write(text, this.length, 'utf8');
  }

  private head(size: number, codes: HeadCodes): void {
    if (size <= codes.fixMax) this.byte(codes.fix | size);
    else if (codes.byte !== null && size <= 0xff) this.byte(codes.byte).byte(size);
    else if (size <= 0xffff) {
      this.byte(codes.word);
      this.length = this.room(2).writeUInt16BE(size, this.length);
    } else {
      this.byte(codes.long);
      this.length = this.room(4).writeUInt32BE(size, this.length);
    }
  }

  private number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) this.float(value);
    else if (value >= 0 ? value <= 0x7f : value >= -32) this.byte(value & 0xff);
    else if (value >= 0 && value <= 0xff) this.byte(0xcc).byte(value);
    else if (value >= 0 && value <= 0xffff) {
      this.byte(0xcd);
      this.length = this.room(2).writeUInt16BE(value, this.length);
    } else if (value >= 0 && value <= 0xffff_ffff) {
      this.byte(0xce);
      this.length = this.room(4).writeUInt32BE(value, this.length);
    } else if (value < 0 && value >= -0x8000_0000) {
      this.byte(0xd2);
      this.length = this.room(4).writeInt32BE(value, this.length);
    } else this.bigint(BigInt(value));
  }

  private bigint(value: bigint): void {
    if (value > UINT64_MAX || value < INT64_MIN) this.text(String(value));
    else if (value < 0n) {
      this.byte(0xd3);
      this.length = this.room(8).writeBigInt64BE(value, this.length);
    } else {
      this.byte(0xcf);
      this.length = this.room(8).writeBigUInt64BE(value, this.length);
    }
  }

  private float(value: number): void {
    this.byte(0xcb);
    this.length = this.room(8).writeDoubleBE(value, this.length);
  }

  private byte(value: number): this {
    this.length = this.room(1).writeUInt8(value, this.length);
    return this;
  }

  /** The buffer, with room for so many bytes more. */
  private room(size: number): Buffer {
    if (this.length + size > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + size));
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    return this.buffer;
  }
}

/** First bytes of texts, arrays and maps, by how their size is written. */
interface HeadCodes {
  readonly fix: number;
  readonly fixMax: number;
  readonly byte: number | null;
  readonly word: number;
  readonly long: number;
}
