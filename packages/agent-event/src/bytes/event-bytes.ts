/**
 * Events as bytes: how they cross threads and lie in the persisted queue. Exact for every kind of value.
 */
import type { LogEvent } from '../event/log-event.ts';
import { EventReader } from './event-reader.ts';
import { EventWriter } from './event-writer.ts';

/** The result has an `ArrayBuffer` of its own, so that it can be transferred. */
export function writeEvents(events: readonly LogEvent[]): Uint8Array {
  return new EventWriter().write(events);
}

/** @throws ShoalError `corrupt_event_exception` for bytes that `writeEvents` did not make */
export function readEvents(bytes: Uint8Array): LogEvent[] {
  return new EventReader(bytes).read();
}
