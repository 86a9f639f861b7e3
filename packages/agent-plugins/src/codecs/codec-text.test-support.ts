/**
 * Short ways to run a codec in its test: texts in, texts out.
 */
import { createEvent, type EventValue, type LogEvent, Timestamp } from '@shoal/agent-event';
import type { Codec } from '@shoal/agent-plugin-kit';

/** Events of one stream that arrives in `chunks` and ends. */
export function decodeAll(codec: Codec, ...chunks: readonly string[]): LogEvent[] {
  const decoder = codec.decoder();
  const events = chunks.flatMap((chunk) => [...decoder.decode(Buffer.from(chunk))]);
  return [...events, ...decoder.flush()];
}

export function messages(events: readonly LogEvent[]): (EventValue | undefined)[] {
  return events.map((event) => event.fields.get('message'));
}

export function textOf(codec: Codec, event: LogEvent): string {
  return Buffer.from(codec.encode(event)).toString('utf8');
}

export function sample(): LogEvent {
  return createEvent(
    new Map<string, EventValue>([
      ['@timestamp', new Timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 678))],
      ['host', 'web'],
      ['message', 'hello'],
    ]),
  );
}
