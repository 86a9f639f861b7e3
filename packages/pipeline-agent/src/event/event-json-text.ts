/**
 * Events and values as JSON text: what the json codecs, stdout and bulk requests send. On the hot path.
 *
 * `@metadata` is not in it. Integers of any size and floats that are whole keep their kind: `12345678901234567890`, `1.0`.
 */
import { DoubleNumber, javaDoubleText } from '@shoal/core';
import type { EventMap, EventValue } from './event-value.ts';
import type { LogEvent } from './log-event.ts';
import { Timestamp } from './timestamp.ts';

/** What JSON may not hold as it is. Lone surrogates are escaped too, so that the text is always valid UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what is looked for
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

export function eventToJsonText(event: LogEvent): string {
  return mapText(event.fields);
}

export function jsonText(value: EventValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return numberText(value);
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Timestamp) return `"${value.toString()}"`;
  if (value instanceof DoubleNumber) return javaDoubleText(value.value);
  if (value instanceof Map) return mapText(value);
  let text = '[';
  for (let i = 0; i < value.length; i++) {
    if (i > 0) text += ',';
    text += jsonText(value[i] ?? null);
  }
  return `${text}]`;
}

function mapText(map: EventMap): string {
  let text = '';
  for (const [name, value] of map) {
    text += text === '' ? '{' : ',';
    text += quote(name);
    text += ':';
    text += typeof value === 'string' ? quote(value) : jsonText(value);
  }
  return text === '' ? '{}' : `${text}}`;
}

function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) return javaDoubleText(value);
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
