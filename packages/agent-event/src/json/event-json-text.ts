/**
 * Events and values as JSON text: what the json codecs, stdout and bulk requests send. On the hot path.
 *
 * `@metadata` is not in it. Integers of any size and floats that are whole keep their kind: `12345678901234567890`, `1.0`.
 */
import { DoubleNumber, javaDoubleText } from '@shoal/core';
import type { LogEvent } from '../event/log-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';

/** What JSON may not hold as it is. Lone surrogates are escaped too, so that the text is always valid UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what is looked for
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

export function eventToJsonText(event: LogEvent): string {
  return mapText(event.fields, quote);
}

/** The same as `eventToJsonText` for many events: caches how their names are written. */
export class EventJsonWriter {
  private readonly names = new Map<string, string>();

  text(event: LogEvent): string {
    return mapText(event.fields, this.nameText);
  }

  private readonly nameText = (name: string): string => {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    const text = quote(name);
    // Names may come from the data: whoever sends ever new ones gains nothing, and costs no memory.
    if (this.names.size < NAMES_MAX) this.names.set(name, text);
    return text;
  };
}

const NAMES_MAX = 1_000;

type NameText = (name: string) => string;

export function jsonText(value: EventValue): string {
  return valueText(value, quote);
}

function valueText(value: EventValue, nameText: NameText): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return numberText(value);
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Timestamp) return `"${value.toString()}"`;
  if (value instanceof DoubleNumber) return javaDoubleText(value.value);
  if (value instanceof Map) return mapText(value, nameText);
  let text = '[';
  for (let i = 0; i < value.length; i++) {
    if (i > 0) text += ',';
    text += valueText(value[i] ?? null, nameText);
  }
  return `${text}]`;
}

function mapText(map: EventMap, nameText: NameText): string {
  let text = '';
  for (const [name, value] of map) {
    text += text === '' ? '{' : ',';
    text += nameText(name);
    text += ':';
    text += typeof value === 'string' ? quote(value) : valueText(value, nameText);
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Most values are short and plain: a look at each character costs less than the platform's call. */
const LOOP_MAX = 40;

function quote(text: string): string {
  if (text.length > LOOP_MAX) return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return JSON.stringify(text);
  }
  return `"${text}"`;
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) return javaDoubleText(value);
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
