/**
 * What filters that parse a field do with its names where they have no target: each becomes a field of the event.
 */
import {
  type EventMap,
  type EventValue,
  type LogEvent,
  parseFieldReference,
  parseTimestamp,
  printValue,
  Timestamp,
} from '@shoal/agent-event';
import type { Clock } from '@shoal/runtime';

/**
 * Sets every name of the map as a field; `@timestamp` last, as the time of the event.
 *
 * @throws ShoalError for a name that is no reference, and for a value that its field cannot have; what was set before stays
 */
export function mergeIntoRoot(event: LogEvent, map: EventMap, clock: Clock): void {
  for (const [name, value] of map) if (name !== '@timestamp') setField(event, name, value);
  const time = map.get('@timestamp');
  if (time !== undefined && time !== null) setTimestamp(event, time, clock);
}

function setField(event: LogEvent, name: string, value: EventValue): void {
  if (name === '') event.fields.set(name, value);
  else event.set(parseFieldReference(name), value);
}

/** What is no time moves aside, and the event is of now: the time that it had belongs to another text. */
function setTimestamp(event: LogEvent, value: EventValue, clock: Clock): void {
  const time = typeof value === 'string' ? parseTimestamp(value) : value;
  if (time instanceof Timestamp) {
    event.timestamp = time;
    return;
  }
  event.timestamp = new Timestamp(clock.wallMs());
  event.tag('_timestampparsefailure');
  event.fields.set('_@timestamp', printValue(value));
}
