/**
 * One GELF message to an event: its time, its text, and its additional fields without the underscore in front.
 */
import {
  createEvent,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseEventJson,
  Timestamp,
} from '@shoal/agent-event';
import { asBuffer, rubyInspect } from '@shoal/agent-plugin-kit';
import { DoubleNumber, ShoalError } from '@shoal/core';

const PARSE_FAILURE = '_jsonparsefailure';
/** Last instant that a date can have, either way from 1970. */
const EPOCH_MS_MAX = 8.64e15;
const NANOS_PER_SECOND = 1_000_000_000n;
const NANOS_PER_MS = 1_000_000n;

export interface GelfFields {
  /** `full_message` or `short_message` becomes `message`. */
  readonly isRemapped: boolean;
  /** `_name` becomes `name`. */
  readonly isStripped: boolean;
}

/** null for a message that is empty. What is no JSON object becomes an event with a tag. */
export function gelfEvent(bytes: Uint8Array, sender: string, fields: GelfFields): LogEvent | null {
  const text = asBuffer(bytes).toString('utf8');
  if (text.trim() === '') return null;
  const event = parsed(text);
  event.fields.set('source_host', sender);
  takeTime(event);
  if (fields.isRemapped) remap(event);
  if (fields.isStripped) strip(event);
  return event;
}

function parsed(text: string): LogEvent {
  try {
    const value = parseEventJson(text);
    if (value instanceof Map) return createEvent(value);
  } catch (error) {
    if (!(error instanceof ShoalError)) throw error;
  }
  const event = createEvent(new Map([['message', rubyInspect(text)]]));
  event.tag(PARSE_FAILURE);
  return event;
}

/** A number in `timestamp` is seconds since 1970, with a fraction. */
function takeTime(event: LogEvent): void {
  const time = event.fields.get('timestamp');
  const timestamp = time === undefined ? null : timestampOf(time);
  if (timestamp === null) return;
  event.timestamp = timestamp;
  event.fields.delete('timestamp');
}

/** Decimal digits as the sender wrote them: arithmetic with doubles would change the last ones. */
function timestampOf(value: EventValue): Timestamp | null {
  const number = value instanceof DoubleNumber ? value.value : value;
  if (typeof number !== 'number' && typeof number !== 'bigint') return null;
  const match = /^(-?)(\d{1,17})(?:\.(\d+))?$/.exec(String(number));
  if (match === null) return null;
  const fraction = BigInt((match[3] ?? '').padEnd(9, '0').slice(0, 9));
  const size = BigInt(match[2] ?? '0') * NANOS_PER_SECOND + fraction;
  const nanos = match[1] === '-' ? -size : size;
  const rest = ((nanos % NANOS_PER_MS) + NANOS_PER_MS) % NANOS_PER_MS;
  const epochMs = Number((nanos - rest) / NANOS_PER_MS);
  return Math.abs(epochMs) < EPOCH_MS_MAX ? new Timestamp(epochMs, Number(rest)) : null;
}

function remap({ fields }: LogEvent): void {
  const full = fields.get('full_message');
  const short = fields.get('short_message');
  if (isFilled(full)) {
    fields.set('message', full);
    fields.delete('full_message');
    if (short === full) fields.delete('short_message');
  } else if (isFilled(short)) {
    fields.set('message', short);
    fields.delete('short_message');
  }
}

function isFilled(value: EventValue | undefined): value is string | EventValue[] {
  return (typeof value === 'string' || Array.isArray(value)) && value.length > 0;
}

function strip(event: LogEvent): void {
  for (const [name, value] of [...event.fields]) {
    // `@metadata` is no field, and `_` alone leaves no name.
    if (!name.startsWith('_') || name === '_' || name === '_@metadata') continue;
    const bare = name.slice(1);
    const reference: FieldReference = { text: bare, path: [bare], isMetadata: false };
    try {
      event.set(reference, value);
      event.fields.delete(name);
    } catch (error) {
      // A time that is none, tags that are none: the field keeps the name that the sender gave it.
      if (!(error instanceof ShoalError)) throw error;
    }
  }
}
