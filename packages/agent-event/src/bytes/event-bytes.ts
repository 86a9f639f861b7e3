/**
 * Events as bytes: how they cross threads and lie in the persisted queue. Exact for every kind of value.
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
import { DoubleNumber, ShoalError } from '@shoal/core';
import { restoreEvent } from '../event/event.ts';
import type { LogEvent } from '../event/log-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';

const VERSION = 1;
const BATCH_HEADER_BYTES = 5;
const EVENT_HEADER_BYTES = 9;
const FIRST_BUFFER_BYTES = 32 * 1024;
/** Deeper values are refused: recursion must not exhaust the stack. */
const DEPTH_MAX = 1_100;

const ASCII = 0;
const UTF8 = 1;
/** For text that UTF-8 cannot hold: lone surrogates. */
const UTF16 = 2;
const LONE_SURROGATE = /\p{Surrogate}/u;

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const STRING = 3;
const INTEGER = 4;
const NUMBER = 5;
const BIGINT = 6;
const DOUBLE = 7;
const TIMESTAMP = 8;
const ARRAY = 9;
const MAP = 10;
/** Tags from here on are strings whose length is the rest. */
const SHORT_STRING = 16;
const SHORT_STRING_MAX = 255 - SHORT_STRING;
const VARINT_MAX = 0x7fff_ffff;

/** The result has an `ArrayBuffer` of its own, so that it can be transferred. */
export function writeEvents(events: readonly LogEvent[]): Uint8Array {
  return new EventWriter().write(events);
}

/** @throws ShoalError `corrupt_event_exception` for bytes that `writeEvents` did not make */
export function readEvents(bytes: Uint8Array): LogEvent[] {
  return new EventReader(bytes).read();
}

class EventWriter {
  private buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  private at = 0;
  private text = '';
  private readonly names = new Map<string, number>();

  write(events: readonly LogEvent[]): Uint8Array {
    this.buffer[0] = VERSION;
    this.buffer.writeUInt32LE(events.length, 1);
    this.at = BATCH_HEADER_BYTES;
    for (const event of events) this.event(event);
    return new Uint8Array(this.buffer.subarray(0, this.at));
  }

  private event(event: LogEvent): void {
    this.reserve(EVENT_HEADER_BYTES);
    const start = this.at;
    this.at += EVENT_HEADER_BYTES;
    this.text = '';
    this.map(event.fields, 0);
    this.map(event.metadata, 0);
    const structureBytes = this.at - start - EVENT_HEADER_BYTES;
    const { text } = this;
    const utf8Bytes = Buffer.byteLength(text, 'utf8');
    const encoding = utf8Bytes === text.length ? ASCII : LONE_SURROGATE.test(text) ? UTF16 : UTF8;
    const textBytes = encoding === UTF16 ? text.length * 2 : utf8Bytes;
    this.reserve(textBytes);
    this.buffer.write(text, this.at, textBytes, nodeEncoding(encoding));
    this.at += textBytes;
    this.buffer[start] = encoding;
    this.buffer.writeUInt32LE(structureBytes, start + 1);
    this.buffer.writeUInt32LE(textBytes, start + 5);
  }

  private map(map: EventMap, depth: number): void {
    this.varint(map.size);
    for (const [name, value] of map) {
      const known = this.names.get(name);
      if (known !== undefined) this.varint(known);
      else {
        this.varint(this.names.size);
        this.names.set(name, this.names.size);
        this.varint(name.length);
        this.text += name;
      }
      this.value(value, depth);
    }
  }

  private value(value: EventValue, depth: number): void {
    if (typeof value === 'string') this.string(value);
    else if (typeof value === 'number') this.number(value);
    else if (value === null) this.byte(NULL);
    else if (typeof value === 'boolean') this.byte(value ? TRUE : FALSE);
    else if (typeof value === 'bigint') {
      const digits = value.toString();
      this.byte(BIGINT);
      this.varint(digits.length);
      this.text += digits;
    } else if (value instanceof Timestamp) {
      this.byte(TIMESTAMP);
      this.double(value.epochMs);
      this.varint(value.nanos);
    } else if (value instanceof DoubleNumber) {
      this.byte(DOUBLE);
      this.double(value.value);
    } else this.container(value, depth + 1);
  }

  private container(value: EventValue[] | EventMap, depth: number): void {
    if (depth > DEPTH_MAX) {
      throw new ShoalError('illegal_argument_exception', 400, `an event is nested deeper than ${DEPTH_MAX}`);
    }
    if (value instanceof Map) {
      this.byte(MAP);
      this.map(value, depth);
      return;
    }
    this.byte(ARRAY);
    this.varint(value.length);
    for (const item of value) this.value(item, depth);
  }

  private string(text: string): void {
    if (text.length <= SHORT_STRING_MAX) this.byte(SHORT_STRING + text.length);
    else {
      this.byte(STRING);
      this.varint(text.length);
    }
    this.text += text;
  }

  private number(value: number): void {
    // Not for -0, whose sign a varint would lose.
    if (value >= 0 && value <= VARINT_MAX && Number.isInteger(value) && !Object.is(value, -0)) {
      this.byte(INTEGER);
      this.varint(value);
      return;
    }
    this.byte(NUMBER);
    this.double(value);
  }

  private byte(value: number): void {
    if (this.at === this.buffer.length) this.reserve(1);
    this.buffer[this.at++] = value;
  }

  private varint(value: number): void {
    while (value > 0x7f) {
      this.byte((value & 0x7f) | 0x80);
      value >>>= 7;
    }
    this.byte(value);
  }

  private double(value: number): void {
    this.reserve(8);
    this.at = this.buffer.writeDoubleLE(value, this.at);
  }

  private reserve(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.at + bytes));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }
}

class EventReader {
  private readonly buffer: Buffer;
  private at = 0;
  private end: number;
  private text = '';
  private textAt = 0;
  private readonly names: string[] = [];

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
  }

  read(): LogEvent[] {
    const size = this.buffer.length;
    if (size < BATCH_HEADER_BYTES) throw corrupt('too short');
    if (this.buffer[0] !== VERSION) throw corrupt(`version ${this.buffer[0]}, not ${VERSION}`);
    const count = this.buffer.readUInt32LE(1);
    this.at = BATCH_HEADER_BYTES;
    const events: LogEvent[] = [];
    for (let i = 0; i < count; i++) {
      this.end = size;
      events.push(this.event());
    }
    if (this.at !== size) throw corrupt(`${size - this.at} bytes too many`);
    return events;
  }

  private event(): LogEvent {
    this.need(EVENT_HEADER_BYTES);
    const encoding = this.buffer[this.at] ?? 0;
    const structureBytes = this.buffer.readUInt32LE(this.at + 1);
    const textBytes = this.buffer.readUInt32LE(this.at + 5);
    this.at += EVENT_HEADER_BYTES;
    if (encoding > UTF16) throw corrupt(`text encoding ${encoding}`);
    this.need(structureBytes + textBytes);
    this.end = this.at + structureBytes;
    this.text = this.buffer.toString(nodeEncoding(encoding), this.end, this.end + textBytes);
    this.textAt = 0;
    const fields = this.map(0);
    const metadata = this.map(0);
    if (this.at !== this.end || this.textAt !== this.text.length) throw corrupt('an event has another length');
    this.at += textBytes;
    return restoreEvent(fields, metadata);
  }

  private map(depth: number): EventMap {
    const map: EventMap = new Map();
    const size = this.varint();
    for (let i = 0; i < size; i++) {
      const number = this.varint();
      const name = this.names[number] ?? this.newName(number);
      map.set(name, this.value(depth));
    }
    return map;
  }

  private newName(number: number): string {
    if (number !== this.names.length) throw corrupt(`name ${number} of ${this.names.length}`);
    const name = this.cut(this.varint());
    this.names.push(name);
    return name;
  }

  private value(depth: number): EventValue {
    const tag = this.byte();
    if (tag >= SHORT_STRING) return this.cut(tag - SHORT_STRING);
    switch (tag) {
      case NULL:
        return null;
      case FALSE:
        return false;
      case TRUE:
        return true;
      case STRING:
        return this.cut(this.varint());
      case INTEGER:
        return this.varint();
      case NUMBER:
        return this.double();
      case BIGINT:
        return this.bigint();
      case DOUBLE:
        return new DoubleNumber(this.double());
      case TIMESTAMP:
        return new Timestamp(this.double(), this.varint());
      case ARRAY:
      case MAP:
        return this.container(tag, depth + 1);
      default:
        throw corrupt(`tag ${tag}`);
    }
  }

  private container(tag: number, depth: number): EventValue {
    if (depth > DEPTH_MAX) throw corrupt(`nested deeper than ${DEPTH_MAX}`);
    if (tag === MAP) return this.map(depth);
    const items: EventValue[] = [];
    const length = this.varint();
    for (let i = 0; i < length; i++) items.push(this.value(depth));
    return items;
  }

  private bigint(): bigint {
    const digits = this.cut(this.varint());
    if (!/^-?\d+$/.test(digits)) throw corrupt('an integer is none');
    return BigInt(digits);
  }

  private cut(length: number): string {
    const from = this.textAt;
    this.textAt += length;
    if (this.textAt > this.text.length) throw corrupt('text is missing');
    return this.text.slice(from, this.textAt);
  }

  private byte(): number {
    if (this.at >= this.end) throw corrupt('too short');
    return this.buffer[this.at++] ?? 0;
  }

  private varint(): number {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw corrupt('a number is too long');
  }

  private double(): number {
    this.need(8);
    const value = this.buffer.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  private need(bytes: number): void {
    if (this.at + bytes > this.end) throw corrupt('too short');
  }
}

function nodeEncoding(encoding: number): 'latin1' | 'utf8' | 'utf16le' {
  return encoding === ASCII ? 'latin1' : encoding === UTF8 ? 'utf8' : 'utf16le';
}

function corrupt(why: string): ShoalError {
  return new ShoalError('corrupt_event_exception', 500, `bytes are no events: ${why}`);
}
