/**
 * The fluent codec: the forward protocol of Fluentd and Fluent Bit. One event, a list of them, or a list packed into bytes,
 * also compressed. Acknowledgements that a sender asks for are not given: an input has no way back through its codec.
 */
import { gunzipSync } from 'node:zlib';
import {
  type EventMap,
  type EventValue,
  type FieldReference,
  type LogEvent,
  printValue,
  Timestamp,
} from '@shoal/agent-event';
import {
  type Codec,
  type Decoder,
  type PluginContext,
  type PluginDefinition,
  targetedEvent,
  textEvent,
} from '@shoal/agent-plugin-kit';
import { isShoalError, messageOf, ShoalError } from '@shoal/core';
import { CUT_OFF, MsgpackReader } from '../../msgpack/msgpack-reader.ts';
import { writeMsgpack } from '../../msgpack/msgpack-writer.ts';

const FAILURE = '_fluentparsefailure';
/** Extension that holds seconds and nanoseconds. */
const EVENT_TIME = 0;
const NANOS_PER_MILLI = 1_000_000;
/** A message that is still not whole then is none. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;
/** Unpacked size of compressed events: a few bytes can say that they are gigabytes. */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;

export const fluentCodec: PluginDefinition = {
  kind: 'codec',
  name: 'fluent',
  version: '3.4.3',
  options: { nanosecond_precision: { type: 'boolean', default: false }, target: { type: 'fieldReference' } },
  create(options, context): Codec {
    const target = options.has('target') ? options.reference('target') : null;
    const writesNanos = options.boolean('nanosecond_precision');
    return {
      name: 'fluent',
      decoder: () => new ForwardDecoder(target, context),
      encode: (event) => encoded(event, writesNanos, context),
    };
  },
};

function eventTime(type: number, content: Uint8Array): EventValue | undefined {
  if (type !== EVENT_TIME || content.length !== 8) return undefined;
  const view = new DataView(content.buffer, content.byteOffset, 8);
  const nanos = view.getUint32(4);
  return new Timestamp(view.getUint32(0) * 1000 + Math.floor(nanos / NANOS_PER_MILLI), nanos % NANOS_PER_MILLI);
}

class ForwardDecoder implements Decoder {
  private readonly target: FieldReference | null;
  private readonly context: PluginContext;
  private held: Uint8Array = new Uint8Array(0);

  constructor(target: FieldReference | null, context: PluginContext) {
    this.target = target;
    this.context = context;
  }

  decode(bytes: Uint8Array): readonly LogEvent[] {
    const whole = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    this.held = new Uint8Array(0);
    const reader = new MsgpackReader(whole, eventTime);
    const events: LogEvent[] = [];
    while (reader.position < whole.length) {
      const start = reader.position;
      try {
        const read = this.message(reader);
        if (read === CUT_OFF && whole.length - start <= HELD_BYTES_MAX) {
          this.held = whole.slice(start);
          return events;
        }
        if (read === CUT_OFF) throw broken('a message is longer than any may be');
        for (const event of read) events.push(event);
      } catch (error) {
        if (!isShoalError(error)) throw error;
        // Where the next message would begin is not known.
        return [...events, this.failure(Buffer.from(whole.subarray(start)).toString('utf8'), error)];
      }
    }
    return events;
  }

  flush(): readonly LogEvent[] {
    const rest = this.held;
    this.held = new Uint8Array(0);
    if (rest.length === 0) return [];
    return [this.failure(Buffer.from(rest).toString('utf8'), broken('the stream ends within a message'))];
  }

  /** `[tag, time, fields]`, `[tag, [[time, fields], …]]` or `[tag, bytes, options]`, each with options at its end. */
  private message(reader: MsgpackReader): readonly LogEvent[] | typeof CUT_OFF {
    const size = reader.arrayHead();
    if (size === CUT_OFF) return CUT_OFF;
    if (size < 2 || size > 4) throw broken(`a message has ${size} parts`);
    const tag = reader.next();
    const packed = tag === CUT_OFF ? CUT_OFF : reader.raw();
    if (tag === CUT_OFF || packed === CUT_OFF) return CUT_OFF;
    const parts: EventValue[] = [];
    for (let i = packed === null ? 1 : 2; i < size; i++) {
      const part = reader.next();
      if (part === CUT_OFF) return CUT_OFF;
      parts.push(part);
    }
    try {
      if (packed !== null) return this.packedEvents(tag, packed, parts[0]);
      const [entries, fields] = parts;
      if (Array.isArray(entries)) return entries.map((entry) => this.entry(tag, entry));
      return [this.event(tag, entries, fields)];
    } catch (error) {
      if (!isShoalError(error)) throw error;
      const shown = packed === null ? [tag, ...parts] : [tag, Buffer.from(packed).toString('utf8'), ...parts];
      return [this.failure(shown, error)];
    }
  }

  private packedEvents(tag: EventValue, packed: Uint8Array, options: EventValue | undefined): readonly LogEvent[] {
    const isCompressed = options instanceof Map && options.get('compressed') === 'gzip';
    const bytes = isCompressed ? unpacked(packed) : packed;
    const reader = new MsgpackReader(bytes, eventTime);
    const events: LogEvent[] = [];
    while (reader.position < bytes.length) {
      const entry = reader.next();
      if (entry === CUT_OFF) throw broken('packed events are cut off');
      events.push(this.entry(tag, entry));
    }
    return events;
  }

  private entry(tag: EventValue, entry: EventValue): LogEvent {
    if (!Array.isArray(entry)) throw broken('an entry is no list of time and fields');
    return this.event(tag, entry[0], entry[1]);
  }

  private event(tag: EventValue, time: EventValue | undefined, fields: EventValue | undefined): LogEvent {
    if (!(fields instanceof Map)) throw broken('the fields of an event are no map');
    const event = targetedEvent(fields, this.target);
    event.timestamp = timeOf(time);
    event.tag(printValue(tag));
    return event;
  }

  private failure(message: EventValue, error: ShoalError): LogEvent {
    this.context.runtime.log.error('cannot read a message of the forward protocol', {
      plugin: this.context.pluginId,
      error: error.message,
    });
    const event = textEvent('', 'disabled');
    event.fields.set('message', message);
    event.tag(FAILURE);
    return event;
  }
}

function timeOf(time: EventValue | undefined): Timestamp {
  if (time instanceof Timestamp) return time;
  if (typeof time === 'number' && Number.isInteger(time)) return new Timestamp(time * 1000);
  throw broken('the time of an event is no number of seconds');
}

function unpacked(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch (error) {
    throw broken(`its events cannot be unpacked: ${messageOf(error)}`);
  }
}

function encoded(event: LogEvent, writesNanos: boolean, context: PluginContext): Uint8Array {
  const time = event.timestamp ?? new Timestamp(context.runtime.clock.wallMs());
  const seconds = Math.floor(time.epochMs / 1000);
  const tags = event.fields.get('tags') ?? null;
  const tag =
    tags === null || tags === false ? 'log' : Array.isArray(tags) ? tags.map(printValue).join('.') : printValue(tags);
  const fields: EventMap = event.fields;
  return Buffer.concat([
    Buffer.from([0x93]),
    writeMsgpack(tag),
    writesNanos ? eventTimeBytes(seconds, time) : writeMsgpack(seconds),
    writeMsgpack(fields),
  ]);
}

function eventTimeBytes(seconds: number, time: Timestamp): Uint8Array {
  const bytes = Buffer.alloc(10);
  // An extension of eight bytes, and its type.
  bytes[0] = 0xd7;
  bytes[1] = EVENT_TIME;
  bytes.writeUInt32BE(seconds >>> 0, 2);
  const nanos = (time.epochMs - seconds * 1000) * NANOS_PER_MILLI + time.nanos;
  bytes.writeUInt32BE(nanos, 6);
  return bytes;
}

function broken(why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `this is no message of the forward protocol: ${why}`);
}
