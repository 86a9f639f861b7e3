import { DoubleNumber } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEvent, restoreEvent } from '../event/event.ts';
import type { LogEvent } from '../event/log-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import { eventsToJsonLines, OutputMemory } from './event-json-lines.ts';
import { eventToJsonText } from './event-json-text.ts';

const printed = (events: readonly LogEvent[]): string => Buffer.from(eventsToJsonLines(events)).toString('utf8');
const memory = new OutputMemory();
const printedInto = (events: readonly LogEvent[]): string =>
  Buffer.from(eventsToJsonLines(events, memory)).toString('utf8');
const oneByOne = (events: readonly LogEvent[]): string => events.map((event) => `${eventToJsonText(event)}\n`).join('');

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('},{', 'a},{', '},{"message":', '"},{"', '\\', '\n', '\ud800', 'ä', '€', '😀'),
);
const name = fc.oneof(
  fc.constantFrom('message', 'tags', '@timestamp', '__proto__', 'toJSON', '0', '17', '', ',', '}', ':', 'é'),
  text,
);
const { value } = fc.letrec<{ value: EventValue; map: EventMap; list: EventValue[] }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.bigInt(),
    fc.double({ noNaN: true }).map((number) => new DoubleNumber(number)),
    fc.integer({ min: -1e13, max: 1e13 }).map((ms) => new Timestamp(ms, Math.abs(ms) % 3)),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('value') as fc.Arbitrary<EventValue>, { maxLength: 3 }),
  map: fc
    .array(fc.tuple(name, tie('value') as fc.Arbitrary<EventValue>), { maxLength: 3 })
    .map((entries): EventMap => new Map(entries)),
}));
const event = fc
  .array(fc.tuple(name, value as fc.Arbitrary<EventValue>), { maxLength: 6 })
  .map((entries) => restoreEvent(new Map(entries), new Map()));

describe('lines of JSON', () => {
  test('are the texts of the events one by one, whatever is in them', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        expect(printed(events)).toBe(oneByOne(events));
        expect(printedInto(events)).toBe(oneByOne(events));
      }),
      { numRuns: 500 },
    );
  });

  test('of events with simple fields keep their borders, even with texts that look like one', () => {
    const simple = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), text), { maxLength: 4 })
      .map((entries) => createEvent(new Map<string, EventValue>([['message', '},{'], ...entries])));
    fc.assert(
      fc.property(fc.array(simple, { maxLength: 8 }), (events) => {
        expect(printed(events)).toBe(oneByOne(events));
        expect(printedInto(events)).toBe(oneByOne(events));
      }),
    );
  });

  test('mix events of both kinds in their order', () => {
    const events = [1, 2n, 'x', new DoubleNumber(1), new Map([['a', 1]]), [new Map([['message', 1]])]].map((item) =>
      createEvent(new Map<string, EventValue>([['message', item]])),
    );
    expect(printed(events)).toBe(oneByOne(events));
    expect(printed([])).toBe('');
  });
});
