/**
 * Values as JSON text, as events are written with it.
 *
 * Integers of any size and floats that are whole keep their kind: `12345678901234567890`, `1.0`.
 */
import { DoubleNumber, javaDoubleText } from '@shoal/core';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';

/** What JSON may not hold as it is, quotes apart. Lone surrogates are escaped too, so that the text is always valid UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what is looked for
const NEEDS_MORE_THAN_QUOTES = /[\\\u0000-\u001f\ud800-\udfff]/;

/** How a name is written, quotes included. */
export type NameText = (name: string) => string;

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

export function mapText(map: EventMap, nameText: NameText): string {
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
const LOOP_MAX = 24;
const QUOTE = '"';

/** A text as JSON has it. */
export function quote(text: string): string {
  if (text.length > LOOP_MAX) return quoteLong(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return JSON.stringify(text);
  }
  return `"${text}"`;
}

/** Lines of logs often hold quotes, and seldom anything else to escape: the platform takes twice as long for those. */
function quoteLong(text: string): string {
  if (NEEDS_MORE_THAN_QUOTES.test(text)) return JSON.stringify(text);
  let at = text.indexOf(QUOTE);
  if (at < 0) return `"${text}"`;
  let quoted = QUOTE;
  let from = 0;
  for (; at >= 0; at = text.indexOf(QUOTE, at + 1)) {
    quoted += text.slice(from, at);
    quoted += '\\';
    from = at;
  }
  return `${quoted}${text.slice(from)}"`;
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) return javaDoubleText(value);
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
