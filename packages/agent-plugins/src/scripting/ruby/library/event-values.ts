/**
 * Values of events as values of scripts and back. Hashes and arrays are copies; strings are shared, so that a change in place
 * (`event.get('a').strip!`) changes the event as it does in Logstash.
 */
import {
  createEvent,
  type EventMap,
  type EventValue,
  type LogEvent,
  parseFieldReference,
  Timestamp,
} from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { mended } from '../text/string-bytes.ts';
import { toText } from '../values/inspect.ts';
import { exception } from '../values/ruby-exception.ts';
import { RubyTime } from '../values/ruby-time.ts';
import { classOf, RubyHash, RubyString, RubySymbol, str, type Value } from '../values/ruby-value.ts';
import { RubyEvent, RubyTimestamp, type SharedString } from '../values/script-objects.ts';

/** Deeper values are refused: they hold themselves. */
const DEPTH_MAX = 200;
/** Shared strings of an event, at most: those beyond are copies. */
const SHARED_MAX = 10_000;

type Share = (string: RubyString, text: string, place: (before: string, after: string) => void) => void;

export function shareWith(event: RubyEvent): Share {
  return (string, text, write) => {
    if (event.shared.length < SHARED_MAX) event.shared.push({ string, text, write });
  };
}

/** Brings changes of strings in place into the event. */
export function settle({ shared }: RubyEvent): void {
  for (const one of shared) if (one.string.text !== one.text) settleOne(one);
}

function settleOne(one: SharedString): void {
  const before = one.text;
  one.text = one.string.text;
  one.write(eventText(before), eventText(one.text));
}

/** Bytes that are no UTF-8 cannot be in an event. */
function eventText(text: string): string {
  return mended(text, () => '\ufffd');
}

export function toRuby(value: EventValue, share: Share | null): Value {
  if (typeof value === 'string') return str(value);
  if (value instanceof Timestamp) return new RubyTimestamp(value);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      typeof item === 'string' ? sharedText(item, share, arrayPlace(value, index)) : toRuby(item, share),
    );
  }
  if (!(value instanceof Map)) return value;
  const hash = new RubyHash();
  for (const [name, item] of value) {
    hash.set(
      str(name),
      typeof item === 'string' ? sharedText(item, share, mapPlace(value, name)) : toRuby(item, share),
    );
  }
  return hash;
}

type Place = (before: string, after: string) => void;

function sharedText(text: string, share: Share | null, place: Place): RubyString {
  const string = str(text);
  share?.(string, text, place);
  return string;
}

function mapPlace(map: EventMap, name: string): Place {
  return (before, after) => {
    if (map.get(name) === before) map.set(name, after);
  };
}

function arrayPlace(array: EventValue[], index: number): Place {
  return (before, after) => {
    if (array[index] === before) array[index] = after;
  };
}

/** A field's own text, shared at the place that the reference names. */
export function sharedField(event: RubyEvent, name: string, text: string): RubyString {
  const string = str(text);
  shareField(event, name, string);
  return string;
}

export function shareField(event: RubyEvent, name: string, string: RubyString): void {
  const reference = parseFieldReference(name);
  shareWith(event)(string, string.text, (before, after) => {
    if (event.event.get(reference) === before) event.event.set(reference, after);
  });
}

export function fromRuby(value: Value, share: Share | null = null, depth = 0): EventValue {
  if (depth > DEPTH_MAX) throw exception('ArgumentError', 'a value is too deep, or holds itself');
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof DoubleNumber)
    return value;
  // JSON has no such numbers.
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof RubyString) return eventText(value.text);
  if (Array.isArray(value)) return arrayValue(value, share, depth);
  if (value instanceof RubyHash) return mapValue(value, share, depth);
  if (value instanceof RubySymbol) return value.name;
  if (value instanceof RubyTimestamp) return value.time;
  if (value instanceof RubyTime) return timestampOf(value);
  throw exception(
    'ArgumentError',
    `Missing Converter handling for full class name=${classOf(value).name}, simple name=${classOf(value).name}`,
  );
}

function arrayValue(value: readonly Value[], share: Share | null, depth: number): EventValue[] {
  const array: EventValue[] = [];
  for (const [index, item] of value.entries()) {
    array.push(fromRuby(item, share, depth + 1));
    if (item instanceof RubyString) share?.(item, item.text, arrayPlace(array, index));
  }
  return array;
}

function mapValue(value: RubyHash, share: Share | null, depth: number): EventMap {
  const map: EventMap = new Map();
  for (const [key, item] of value.pairs()) {
    const name = eventText(toText(key));
    map.set(name, fromRuby(item, share, depth + 1));
    if (item instanceof RubyString) share?.(item, item.text, mapPlace(map, name));
  }
  return map;
}

export function timestampOf(time: RubyTime): Timestamp {
  return new Timestamp(time.epochMs, time.nanos);
}

/** A new event of a hash; its time is now unless the hash says one. */
export function newEvent(hash: RubyHash, nowMs: number): RubyEvent {
  const fields = fromRuby(hash);
  const event: LogEvent = createEvent(fields instanceof Map ? fields : new Map());
  if (!event.fields.has('@timestamp')) event.timestamp = new Timestamp(nowMs);
  return new RubyEvent(event);
}
