/**
 * JSON to events and values: integers beyond 2^53 and floats that are whole (`1.0`) keep their kind. On the hot path.
 *
 * The platform's parser does the work unless a number stands in the text that it would change; then the exact reader does.
 */
import { DoubleNumber, messageOf, ShoalError } from '@shoal/core';
import { createEvent } from '../event/event.ts';
import type { LogEvent } from '../event/log-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import { ExactJsonReader, JSON_DEPTH_MAX } from './exact-json-reader.ts';

/**
 * A number that a double would not keep as it is written: sixteen digits or more, a fraction of zeros, an exponent. May
 * also stand inside a string, which costs time and nothing else.
 */
const FRAGILE_NUMBER = /(?:^|[:,[])\s*-?(?:\d{16}|\d+\.0*(?=[\s,\]}]|$)|\d[\d.]*[eE])/;

const decoder = new TextDecoder();

/**
 * The value of one JSON text. Bytes that are no UTF-8 become U+FFFD.
 *
 * @throws ShoalError `json_parse_exception`
 */
export function parseEventJson(input: string | Uint8Array): EventValue {
  const text = typeof input === 'string' ? input : decoder.decode(input);
  if (FRAGILE_NUMBER.test(text)) return new ExactJsonReader(text).read();
  try {
    return toEventValue(JSON.parse(text));
  } catch (error) {
    throw new ShoalError('json_parse_exception', 400, messageOf(error));
  }
}

/** An event of a parsed JSON object (or `Map`); a value of another kind becomes its `message`. */
export function eventFromJson(value: unknown): LogEvent {
  const fields = toEventValue(value);
  return createEvent(fields instanceof Map ? fields : new Map([['message', fields]]));
}

/**
 * Plain objects become maps; what is no JSON (undefined, functions) becomes null.
 *
 * @throws ShoalError `json_parse_exception` for what is nested too deeply
 */
export function toEventValue(value: unknown): EventValue {
  return convert(value, 0);
}

function convert(value: unknown, depth: number): EventValue {
  if (typeof value !== 'object') return isScalar(value) ? value : null;
  if (value === null || value instanceof Timestamp || value instanceof DoubleNumber) return value;
  if (depth === JSON_DEPTH_MAX) {
    throw new ShoalError('json_parse_exception', 400, `nested deeper than ${JSON_DEPTH_MAX}`);
  }
  if (Array.isArray(value)) {
    const items: EventValue[] = [];
    for (const item of value) items.push(convert(item, depth + 1));
    return items;
  }
  const map: EventMap = new Map();
  if (value instanceof Map) for (const [name, item] of value) map.set(String(name), convert(item, depth + 1));
  else {
    const object = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(object)) map.set(name, convert(object[name], depth + 1));
  }
  return map;
}

function isScalar(value: unknown): value is string | number | boolean | bigint {
  return (
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  );
}
