/**
 * Values of events as extensible data notation (EDN). Times are texts, as in JSON.
 */
import { type EventValue, type LogEvent, Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';

/** An integer beyond 64 bits says so, or a reader would overflow. */
const INT64_MAX = 2n ** 63n - 1n;

export function eventToEdn(event: LogEvent): string {
  return ednText(event.fields);
}

function ednText(value: EventValue): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return value > INT64_MAX || value < -INT64_MAX - 1n ? `${value}N` : String(value);
  // What is infinite or no number has no notation.
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'nil';
  if (typeof value === 'boolean' || value instanceof DoubleNumber) return String(value);
  if (value instanceof Timestamp) return quoted(value.toString());
  if (Array.isArray(value)) return `[${value.map(ednText).join(' ')}]`;
  return `{${[...value].map(([name, item]) => `${quoted(name)} ${ednText(item)}`).join(', ')}}`;
}

/** Escapes are those that EDN shares with JSON. */
function quoted(text: string): string {
  return `"${text.replace(/["\\\n\r\t\b\f]/g, (sign) => JSON.stringify(sign).replace(/^"|"$/g, ''))}"`;
}
