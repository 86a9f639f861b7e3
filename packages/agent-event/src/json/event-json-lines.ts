/**
 * Many events as lines of JSON, in one text and one piece of bytes: what outputs write most. On the hot path.
 *
 * Events with shapes are written by `shaped-lines`, few of them by `shaped-json`. For others the platform prints an array of
 * plain objects faster than anything can print one event: events that hold only what JSON has too go that way, neighbours
 * together, and the commas between them become line breaks. The rest is printed by `eventToJsonText`, which says what is right:
 * all give the same text.
 */

import type { LogEvent } from '../event/log-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import { eventToJsonText } from './event-json-text.ts';
import { ShapedJsonWriter } from './shaped-json.ts';
import { ShapedLines, UTF8_BYTES_OF_UNIT_MAX } from './shaped-lines.ts';

const NEWLINE = 0x0a;
/** A first name of this kind stands nowhere behind a text that ends in `},{`. */
const LETTER = /^[A-Za-z@_]/;
/** Deeper values are printed by the one that minds its stack. */
const DEPTH_MAX = 8;

type PlainValue = string | number | boolean | null | readonly PlainValue[] | PlainObject;
interface PlainObject {
  [name: string]: PlainValue;
}

/** More in one piece is rare, and not worth the memory for ever. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;

/** Memory that is written into again and again: a fresh piece for each batch is more work for the collector than for the writer. */
export class OutputMemory {
  private bytes: Buffer = Buffer.allocUnsafeSlow(0);

  /** At least so many bytes, whose content is anything. What was taken before is overwritten. */
  take(byteCount: number): Buffer {
    if (byteCount > KEPT_BYTES_MAX) return Buffer.allocUnsafeSlow(byteCount);
    if (this.bytes.length < byteCount) this.bytes = Buffer.allocUnsafeSlow(byteCount);
    return this.bytes;
  }
}

/**
 * Each event's text with a line break behind it, as UTF-8.
 *
 * @param memory given by one that is done with the result before any code of this thread calls again: it lies there, or in
 *   memory that the thread has for this
 */
export function eventsToJsonLines(events: readonly LogEvent[], memory?: OutputMemory): Uint8Array {
  const lines = shapedLines.write(events);
  if (lines !== null) return memory === undefined ? Buffer.from(lines) : lines;
  return new LinesWriter(memory ?? null).bytes(events);
}

/**
 * Each event's line with another before it, as in a bulk request. The result is in memory of the thread, and valid until lines
 * are written again; null where events have no shapes, are few, or hold what is to be written another way.
 *
 * @param heads one for each event, with its line break; cheap as long as neighbours have the same
 */
export function headedJsonLines(events: readonly LogEvent[], heads: readonly string[]): Uint8Array | null {
  return shapedLines.write(events, heads);
}

const shapedWriter = new ShapedJsonWriter();
/** One of a thread: memories of WebAssembly take far more addresses than bytes. */
const shapedLines = new ShapedLines();

class LinesWriter {
  private readonly memory: OutputMemory | null;
  private readonly pieces: Uint8Array[] = [];
  /** Neighbours whose first field has the same name. */
  private run: PlainObject[] = [];
  private runName = '';
  /** Neighbours that have shapes; a run and a text are never there both. */
  private text = '';
  /** Events that follow each other often have the same time. */
  private lastTime: Timestamp | null = null;
  private lastTimeText = '';

  constructor(memory: OutputMemory | null) {
    this.memory = memory;
  }

  bytes(events: readonly LogEvent[]): Uint8Array {
    for (const event of events) {
      const shaped = shapedWriter.text(event);
      if (shaped !== null) {
        if (this.run.length > 0) this.endRun();
        this.text += shaped;
        this.text += '\n';
        continue;
      }
      if (this.text !== '') this.endText();
      const { fields } = event;
      const object = this.plainObject(fields, 0);
      // Most events begin like the one before them, which is found out without asking for the name.
      if (object !== null && this.run.length > 0 && this.isFirst(fields, this.runName)) this.run.push(object);
      else this.begin(event, object);
    }
    this.endText(true);
    this.endRun(true);
    const [only] = this.pieces;
    return only !== undefined && this.pieces.length === 1 ? only : Buffer.concat(this.pieces);
  }

  private endText(isLast = false): void {
    if (this.text === '') return;
    const isOnly = isLast && this.pieces.length === 0;
    this.pieces.push(isOnly ? this.encoded(this.text) : Buffer.from(this.text, 'utf8'));
    this.text = '';
  }

  private isFirst(fields: EventMap, name: string): boolean {
    for (const first of fields.keys()) return first === name;
    return false;
  }

  private begin(event: LogEvent, object: PlainObject | null): void {
    this.endRun();
    const [first] = event.fields.keys();
    if (object === null || first === undefined || !LETTER.test(first)) {
      this.pieces.push(Buffer.from(`${eventToJsonText(event)}\n`, 'utf8'));
      return;
    }
    this.runName = first;
    this.run.push(object);
  }

  /**
   * `[{…},{…}]` becomes `{…}\n{…}\n`. What is looked for between two events cannot stand inside one: no map is an item of
   * an array here, and behind the end of a text comes no letter.
   */
  private endRun(isLast = false): void {
    if (this.run.length === 0) return;
    const text = JSON.stringify(this.run);
    // A run that is all there is may lie in memory that is used again; others are put together first.
    const bytes = isLast && this.pieces.length === 0 ? this.encoded(text) : Buffer.from(text, 'utf8');
    const border = Buffer.from(`},{${JSON.stringify(this.runName)}:`, 'utf8');
    for (let at = bytes.indexOf(border); at >= 0; at = bytes.indexOf(border, at + border.length)) {
      bytes[at + 1] = NEWLINE;
    }
    bytes[bytes.length - 1] = NEWLINE;
    this.pieces.push(bytes.subarray(1));
    this.run = [];
  }

  private encoded(text: string): Buffer {
    if (this.memory === null) return Buffer.from(text, 'utf8');
    const bytes = this.memory.take(text.length * UTF8_BYTES_OF_UNIT_MAX);
    return bytes.subarray(0, bytes.write(text, 0, 'utf8'));
  }

  /** null when there is anything in it that the platform would print in another way. */
  private plainObject(map: EventMap, depth: number): PlainObject | null {
    const object: PlainObject = {};
    for (const [name, value] of map) {
      const code = name.charCodeAt(0);
      // Names that are indexes would come first, and the one that is no field of an object would be lost.
      if ((code >= 0x30 && code <= 0x39) || (code === 0x5f && name === '__proto__')) return null;
      if (typeof value === 'string') object[name] = value;
      else {
        const plain = this.plainValue(value, depth);
        if (plain === undefined) return null;
        object[name] = plain;
      }
    }
    return object;
  }

  private plainValue(value: EventValue, depth: number): PlainValue | undefined {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value)) ? value : undefined;
      case 'bigint':
        return undefined;
    }
    if (value === null) return null;
    if (value instanceof Timestamp) return this.timeText(value);
    if (depth >= DEPTH_MAX) return undefined;
    if (value instanceof Map) return this.plainObject(value, depth + 1) ?? undefined;
    return Array.isArray(value) ? this.plainArray(value, depth + 1) : undefined;
  }

  private plainArray(items: readonly EventValue[], depth: number): readonly PlainValue[] | undefined {
    const plain: PlainValue[] = [];
    for (const item of items) {
      const one = item instanceof Map ? undefined : this.plainValue(item, depth);
      if (one === undefined) return undefined;
      plain.push(one);
    }
    return plain;
  }

  private timeText(time: Timestamp): string {
    if (this.lastTime === null || (time !== this.lastTime && !time.equals(this.lastTime))) {
      this.lastTime = time;
      this.lastTimeText = time.toString();
    }
    return this.lastTimeText;
  }
}
