/**
 * Writes a batch of events as bytes, in the layout of `event-format.ts`.
 */
import { DoubleNumber, ShoalError } from '@shoal/core';
import type { LogEvent } from '../event/log-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import {
  ARRAY,
  ASCII,
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
  SHORT_STRING_MAX,
  STRING,
  TIMESTAMP,
  TRUE,
  UTF8,
  UTF16,
  VARINT_MAX,
  VERSION,
} from './event-format.ts';

/** Size of a writer's first buffer; it doubles when that is full. */
const FIRST_BUFFER_BYTES = 32 * 1024;
const LONE_SURROGATE = /\p{Surrogate}/u;

export class EventWriter {
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
