import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEvent } from '../event/event.ts';
import type { LogEvent } from '../event/log-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import { writeEvents } from './event-bytes.ts';
import { eventsOfLines, isPrototype, LineCutter, readChunk } from './line-block.ts';

const time = new Timestamp(1_700_000_000_123);

/** What a codec and an input make of one line, done the long way. */
function eventOf(text: string, isEcs: boolean): LogEvent {
  const fields: EventMap = new Map<string, EventValue>([['message', text]]);
  const event = createEvent(fields, new Map([['path', '/a']]));
  if (isEcs) fields.set('event', new Map<string, EventValue>([['original', text]]));
  fields
    .set('host', new Map([['name', 'h']]))
    .set('tags', ['x'])
    .set('@timestamp', time);
  return event;
}

const line = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')),
  fc.constantFrom('', '\r', 'ä€😀'),
);

describe('a block of lines', () => {
  test('becomes the events that its lines would have been, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), fc.integer({ min: 1, max: 4 }), (lines, isEcs, countMax) => {
        const block = {
          bytes: Buffer.from(lines.map((text) => `${text}\n`).join('')),
          prototype: eventOf('', isEcs),
        };
        const wanted = lines.filter((text) => text !== '').map((text) => eventOf(text, isEcs));
        const cutter = new LineCutter(block);
        const events: LogEvent[] = [];
        for (let chunk = cutter.next(countMax); chunk !== null; chunk = cutter.next(countMax)) {
          const part = readChunk(chunk.bytes);
          expect(part.length).toBe(chunk.count);
          expect(part.length).toBeLessThanOrEqual(countMax);
          events.push(...part);
        }
        expect(cutter.isAtEnd).toBe(true);
        expect(writeEvents(events)).toEqual(writeEvents(wanted));
        expect(writeEvents(eventsOfLines(block))).toEqual(writeEvents(wanted));
      }),
    );
  });

  test('shows the bytes of a line that is not UTF-8, and leaves the others', () => {
    const bytes = Buffer.concat([Buffer.from('ä"\n'), Buffer.from([0xe9, 0x22, 0x0a])]);
    const events = eventsOfLines({ bytes, prototype: eventOf('', true) });
    expect(writeEvents(events)).toEqual(writeEvents([eventOf('ä"', true), eventOf('\\xE9\\"', true)]));
  });

  test('gives events that share nothing that can be changed', () => {
    const [first, second] = eventsOfLines({ bytes: Buffer.from('a\nb\n'), prototype: eventOf('', true) });
    first?.tag('only here');
    first?.metadata.set('path', '/other');
    const host = first?.fields.get('host');
    if (host instanceof Map) host.set('name', 'other');
    expect(writeEvents(second === undefined ? [] : [second])).toEqual(writeEvents([eventOf('b', true)]));
  });

  test('refuses damaged bytes and an event that a decoration made unfit', () => {
    const chunk = new LineCutter({ bytes: Buffer.from('a\nb\n'), prototype: eventOf('', false) }).next(9);
    const bytes = chunk?.bytes ?? new Uint8Array(0);
    for (let end = 1; end < bytes.length - 1; end++) {
      expect(() => readChunk(bytes.slice(0, end))).toThrow();
    }
    expect(isPrototype(createEvent(new Map([['message', '']])))).toBe(true);
    expect(isPrototype(createEvent(new Map([['message', ['', 'x']]])))).toBe(false);
  });
});
