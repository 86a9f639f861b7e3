/**
 * Reads a batch of events from bytes, in the layout of `event-format.ts`. Every bound is checked: the bytes may come from a
 * damaged disk.
 */
import { DoubleNumber, ShoalError } from '@shoal/core';
import { restoreEvent } from '../event/event.ts';
import type { LogEvent } from '../event/log-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import {
  ARRAY,
  BATCH_HEADER_BYTES,
  BIGINT,
  DEPTH_MAX,
  DOUBLE,
  EVENT_HEADER_BYTES,
  FALSE,
  INTEGER,
  MAP,
  NULL,
  NUMBER,
  nodeEncoding,
  SHORT_STRING,
  STRING,
  TIMESTAMP,
  TRUE,
  UTF16,
  VERSION,
} from './event-format.ts';

export class EventReader {
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

function corrupt(why: string): ShoalError {
  return new ShoalError('corrupt_event_exception', 500, `bytes are no events: ${why}`);
}
