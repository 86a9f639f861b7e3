/**
 * Lines of text that will be events: as they lie in a file, with one event that shows what all of them have besides.
 *
 * They cross the queue as bytes and become events where the filters run: the thread that reads does not even decode them.
 * What comes out is what the plain codec and the input would have made of each line.
 *
 *     chunk := version u8, events u32, prototype bytes u32, prototype (a batch of one event), lines
 *
 * Each line ends with a line break; empty ones are no events.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { ShoalError } from '@shoal/core';
import { cloneValue } from '../event/event.ts';
import type { LogEvent } from '../event/log-event.ts';
import { parseFieldReference } from '../event/parse-field-reference.ts';
import { ShapedEvent } from '../event/shaped-event.ts';
import { shapedFields } from '../event/shaped-fields.ts';
import type { EventValue } from '../values/event-value.ts';
import { readEvents, writeEvents } from './event-bytes.ts';
import { utf8Text } from './utf8-text.ts';

export interface LineBlock {
  /** UTF-8, as a rule; ends with a line break. */
  readonly bytes: Uint8Array;
  /** Event with an empty message: the line's text goes there, and into `[event][original]` when that is empty too. */
  readonly prototype: LogEvent;
}

const VERSION = 2;
const HEADER_BYTES = 9;
const NEWLINE = 0x0a;
const MESSAGE = 'message';
const MESSAGE_REFERENCE = parseFieldReference(MESSAGE);
const ORIGINAL_REFERENCE = parseFieldReference('[event][original]');

/** Events of a chunk, whether it has whole events or lines. */
export function readChunk(bytes: Uint8Array): LogEvent[] {
  return bytes[0] === VERSION ? readLines(bytes) : readEvents(bytes);
}

/** Whether lines can be put into copies of it: its texts are still the empty ones that it was made with. */
export function isPrototype(event: LogEvent, asMade: LogEvent = event): boolean {
  const [first] = event.fields;
  if (first === undefined || first[0] !== MESSAGE || first[1] !== '') return false;
  return isEmptyText(event.fields.get('event')) === isEmptyText(asMade.fields.get('event'));
}

/** Events of a block, for those who cannot wait until the filters run. */
export function eventsOfLines(block: LineBlock): LogEvent[] {
  return makeEvents(bufferOf(block.bytes), block.prototype);
}

/** Cuts a block into chunks, one after the other, so that each line is looked at once. */
export class LineCutter {
  private readonly buffer: Buffer;
  private readonly prototype: Uint8Array;
  private at = 0;

  constructor(block: LineBlock) {
    this.buffer = bufferOf(block.bytes);
    this.prototype = writeEvents([block.prototype]);
  }

  get isAtEnd(): boolean {
    return this.at >= this.buffer.length;
  }

  /** The next events, `countMax` at most; null when there are none. */
  next(countMax: number): { readonly bytes: Uint8Array; readonly count: number } | null {
    const { buffer } = this;
    const start = this.at;
    let count = 0;
    while (count < countMax && this.at < buffer.length) {
      const end = buffer.indexOf(NEWLINE, this.at);
      if (end > this.at) count++;
      this.at = end < 0 ? buffer.length : end + 1;
    }
    return count === 0 ? null : { bytes: this.chunk(buffer.subarray(start, this.at), count), count };
  }

  private chunk(lines: Uint8Array, count: number): Uint8Array {
    const head = HEADER_BYTES + this.prototype.length;
    const bytes = new Uint8Array(head + lines.length);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, VERSION);
    view.setUint32(1, count, true);
    view.setUint32(5, this.prototype.length, true);
    bytes.set(this.prototype, HEADER_BYTES);
    bytes.set(lines, head);
    return bytes;
  }
}

function readLines(bytes: Uint8Array): LogEvent[] {
  const buffer = bufferOf(bytes);
  if (buffer.length < HEADER_BYTES) throw corrupt('too short');
  const count = buffer.readUInt32LE(1);
  const head = HEADER_BYTES + buffer.readUInt32LE(5);
  if (head > buffer.length) throw corrupt('too short');
  const [prototype] = readEvents(buffer.subarray(HEADER_BYTES, head));
  if (prototype === undefined || !isPrototype(prototype)) throw corrupt('the event of its lines is none');
  const events = makeEvents(buffer.subarray(head), prototype);
  if (events.length !== count) throw corrupt(`${events.length} lines, not ${count}`);
  return events;
}

function makeEvents(lines: Buffer, prototype: LogEvent): LogEvent[] {
  const make = eventMaker(prototype);
  // Text of one byte a character needs no look at what the bytes are, and one look at all lines is cheaper than one at each.
  const encoding = isAscii(lines) ? 'latin1' : isUtf8(lines) ? 'utf8' : null;
  const events: LogEvent[] = [];
  let at = 0;
  while (at < lines.length) {
    const found = lines.indexOf(NEWLINE, at);
    const end = found < 0 ? lines.length : found;
    // One text a line: a piece that a filter keeps must not keep the whole block.
    if (end > at)
      events.push(make(encoding === null ? utf8Text(lines.subarray(at, end)) : lines.toString(encoding, at, end)));
    at = end + 1;
  }
  return events;
}

function isEmptyText(holder: EventValue | undefined): boolean {
  return holder instanceof Map && holder.get('original') === '';
}

/** Makes events of texts like a prototype, with nothing shared that can change. */
function eventMaker(prototype: LogEvent): (text: string) => LogEvent {
  const { shape, values } = shapedFields(prototype.fields);
  const message = shape.slotOf(MESSAGE_REFERENCE);
  const original = isEmptyText(prototype.fields.get('event')) ? shape.slotOf(ORIGINAL_REFERENCE) : message;
  const lists = values.flatMap((value, slot) => (Array.isArray(value) ? [slot] : []));
  const { metadata } = prototype;
  return (text) => {
    const slots = values.slice();
    slots[message] = text;
    slots[original] = text;
    for (const slot of lists) slots[slot] = cloneValue(slots[slot] ?? null);
    return new ShapedEvent(shape, slots, metadata);
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function corrupt(why: string): ShoalError {
  return new ShoalError('corrupt_event_exception', 500, `bytes are no lines: ${why}`);
}
