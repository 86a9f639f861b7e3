/**
 * How much memory an event takes, as far as limits need to know: the length of its texts and something for each value.
 *
 * Looked at for every event that an input gives: never walks metadata, which is made when it is first asked for.
 */
import type { EventValue, LogEvent } from '@shoal/agent-event';

/** Bytes of an event without fields, and of one value without its text. */
const EVENT_BYTES = 200;
const VALUE_BYTES = 32;

export function eventSize(event: LogEvent): number {
  let bytes = EVENT_BYTES;
  for (const value of event.fields.values())
    bytes += typeof value === 'string' ? VALUE_BYTES + value.length : sizeOf(value);
  return bytes;
}

function sizeOf(value: EventValue): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length;
  let bytes = VALUE_BYTES;
  if (Array.isArray(value)) for (const item of value) bytes += sizeOf(item);
  else if (value instanceof Map) for (const item of value.values()) bytes += sizeOf(item);
  return bytes;
}
