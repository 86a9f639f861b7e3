import { DoubleNumber } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeEvents } from '../bytes/event-bytes.ts';
import { eventsToJsonLines } from '../json/event-json-lines.ts';
import { eventToJsonText } from '../json/event-json-text.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import { cloneValue, restoreEvent } from './event.ts';
import type { LogEvent } from './log-event.ts';
import { parseFieldReference } from './parse-field-reference.ts';
import { ShapedEvent, setNewField } from './shaped-event.ts';
import { shapedFields } from './shaped-fields.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'plain', 'a "quoted" text that is rather long', `with a \\ and a "${'x'.repeat(40)}`, '\ud800'),
);
const value: fc.Arbitrary<EventValue> = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.bigInt(),
  fc.double({ noNaN: true }).map((number) => new DoubleNumber(number)),
  fc.integer({ min: -1e13, max: 1e13 }).map((ms) => new Timestamp(ms)),
  fc.array(text, { maxLength: 2 }),
  fc.array(fc.tuple(fc.constantFrom('a', 'b'), text), { maxLength: 2 }).map((entries): EventMap => new Map(entries)),
);
const NAMES = ['a', 'b', '[a][b]', '[a][c]', '[a][b][c]', '[c][a]', 'c', 'tags', '[tags][0]', '@timestamp', 'message'];
const reference = fc
  .oneof(
    fc.constantFrom(...NAMES, '[@metadata][a]', '@metadata', '[b][0]', '0', '__proto__'),
    fc.integer({ min: 0, max: 200 }).map((n) => `[n][f${n}]`),
  )
  .map((name) => parseFieldReference(name));

type Step = (event: LogEvent) => unknown;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(reference, value).map(
    ([at, given]): Step =>
      (event) =>
        event.set(at, cloneValue(given)),
  ),
  reference.map(
    (at): Step =>
      (event) =>
        event.get(at),
  ),
  reference.map(
    (at): Step =>
      (event) =>
        event.remove(at),
  ),
  fc.constantFrom('x', 'y').map(
    (tag): Step =>
      (event) =>
        event.addTag(tag),
  ),
  fc.constantFrom('x', 'y').map(
    (tag): Step =>
      (event) => [event.tag(tag), event.hasTag('x')],
  ),
  fc.constantFrom<Step>(
    (event) => event.timestamp,
    (event) => {
      event.timestamp = null;
    },
    (event) => {
      event.timestamp = new Timestamp(7);
    },
    (event) => event.metadata.set('m', 'v').size,
  ),
);
const fields = fc
  .array(
    fc.tuple(
      fc.constantFrom('message', 'a', 'c', 'host', '@version'),
      fc.oneof(
        value,
        fc.constant<EventMap>(
          new Map<string, EventValue>([
            ['b', 'x'],
            ['d', new Map([['e', ['f']]])],
          ]),
        ),
      ),
    ),
    { maxLength: 5 },
  )
  .map((entries): EventMap => new Map(entries));

function shaped(map: EventMap): ShapedEvent {
  const { shape, values } = shapedFields(map);
  return new ShapedEvent(shape, values.map(cloneValue), new Map([['shared', 's']]));
}

const withMaps = (map: EventMap): LogEvent => restoreEvent(cloneValue(map) as EventMap, new Map([['shared', 's']]));

/** What a step gives, and what it throws. */
function outcome(event: LogEvent, run: Step): unknown {
  try {
    return { value: run(event) };
  } catch (error) {
    return { thrown: String(error) };
  }
}

const linesOf = (events: readonly LogEvent[]): string => Buffer.from(eventsToJsonLines(events)).toString('utf8');

describe('an event with a shape', () => {
  test('does what an event with maps does, and prints the same', () => {
    fc.assert(
      fc.property(fields, fc.array(step, { maxLength: 12 }), (map, steps) => {
        const [event, twin] = [shaped(map), withMaps(map)];
        for (const run of steps) {
          expect(outcome(event, run)).toEqual(outcome(twin, run));
          expect(eventToJsonText(event)).toBe(eventToJsonText(twin));
        }
        const copy = event.clone();
        expect(linesOf([event, twin, event, copy])).toBe(`${eventToJsonText(twin)}\n`.repeat(4));
        expect(writeEvents([event, copy])).toEqual(writeEvents([twin, twin]));
      }),
      { numRuns: 500 },
    );
  });

  test('shares nothing with its clone that can change', () => {
    const event = shaped(new Map<string, EventValue>([['a', ['x']]]));
    event.metadata.set('m', 1);
    const copy = event.clone();
    copy.tag('copied');
    copy.metadata.set('m', 2);
    copy.set(parseFieldReference('[a][0]'), 'y');
    expect(eventToJsonText(event)).toBe('{"a":["x"]}');
    expect(event.metadata.get('m')).toBe(1);
  });

  test('keeps its shape while fields are set, read and removed, and only then', () => {
    const event = shaped(
      new Map<string, EventValue>([
        ['message', 'm'],
        ['log', new Map([['level', 'i']])],
      ]),
    );
    const level = parseFieldReference('[log][level]');
    const other = parseFieldReference('[log][other][one]');
    expect(event.get(level)).toBe('i');
    event.set(other, 1);
    event.remove(level);
    event.tag('t');
    event.metadata.set('m', 1);
    expect(event.shape).not.toBeNull();
    expect(event.get(parseFieldReference('log'))).toEqual(new Map([['other', new Map([['one', 1]])]]));
    expect(event.shape).toBeNull();
  });

  test('may have any text again in a field that had a clean one', () => {
    const event = shaped(new Map());
    const field = parseFieldReference('[a][b]');
    expect(setNewField(event, field, 'clean', true)).toBe(true);
    expect(setNewField(event, field, 'again', true)).toBe(false);
    expect(eventToJsonText(event)).toBe('{"a":{"b":"clean"}}');
    event.set(field, 'a "');
    expect(eventToJsonText(event)).toBe('{"a":{"b":"a \\""}}');
    expect(setNewField(restoreEvent(new Map(), new Map()), field, 'x', true)).toBe(false);
  });

  test('has maps when there would be too many shapes', () => {
    let mapped = 0;
    for (let n = 0; n < 3_000; n++) {
      const event = shaped(new Map([['only here', 'm']]));
      for (let i = 0; i < 70; i++) event.set(parseFieldReference(`f${(n * 7 + i) % 997}`), i);
      if (event.shape === null) mapped++;
      expect(event.fields.size).toBe(71);
    }
    expect(mapped).toBe(3_000);
  });
});
