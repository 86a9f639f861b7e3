import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsOfLines } from '../bytes/line-block.ts';
import { createEvent } from '../event/event.ts';
import type { LogEvent } from '../event/log-event.ts';
import { parseFieldReference } from '../event/parse-field-reference.ts';
import { setNewField } from '../event/shaped-event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventValue } from '../values/event-value.ts';
import { eventsToJsonLines, OutputMemory } from './event-json-lines.ts';
import { eventToJsonText } from './event-json-text.ts';
import { ShapedLines } from './shaped-lines.ts';

const prototype = () =>
  createEvent(
    new Map<string, EventValue>([
      ['message', ''],
      ['host', 'h'],
    ]),
  );
const shapedEvents = (texts: readonly string[]): LogEvent[] =>
  eventsOfLines({ bytes: Buffer.from(texts.map((text) => `${text}\n`).join('')), prototype: prototype() });
const oneByOne = (events: readonly LogEvent[]): string => events.map((event) => `${eventToJsonText(event)}\n`).join('');
const written = (lines: ShapedLines, events: readonly LogEvent[]): string | null => {
  const bytes = lines.write(events);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
};

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.stringMatching(/^[ -~]{0,60}$/),
  fc.constantFrom('"', '\\', '"a"', '\u0001', '\u0002x\u0003', '\u001f\b\t\n\f\r', '\ud800', '\ufffd', '，', '😀'),
);
const value: fc.Arbitrary<EventValue> = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.integer({ min: 0, max: 1e13 }).map((ms) => new Timestamp(ms)),
  fc.array(text, { maxLength: 3 }),
  fc.tuple(text, text).map((entry): EventValue => new Map([entry])),
);
const change = fc.record({ field: fc.constantFrom('a', 'b', '[c][d]', '[c][ü"]', 'message'), value });
const changes = fc.array(fc.array(change, { maxLength: 5 }), { minLength: 8, maxLength: 20 });

describe('lines of shaped events', () => {
  test('are the texts of the events one by one, whatever is in them', () => {
    const [lines, memory] = [new ShapedLines(), new OutputMemory()];
    fc.assert(
      fc.property(changes, (all) => {
        const events = shapedEvents(all.map((_, i) => `line "${i}"`));
        for (const [i, list] of all.entries())
          for (const { field, value } of list) events[i]?.set(parseFieldReference(field), value);
        const expected = oneByOne(events);
        expect([expected, null]).toContain(written(lines, events));
        expect(Buffer.from(eventsToJsonLines(events, memory)).toString('utf8')).toBe(expected);
        expect(Buffer.from(eventsToJsonLines(events)).toString('utf8')).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('have their heads before them, in runs or each its own', () => {
    const lines = new ShapedLines();
    const head = fc.constantFrom('', '{"index":{"_index":"a"}}\n', '{"index":{"_index":"ä\\""}}\n');
    fc.assert(
      fc.property(fc.array(head, { minLength: 8, maxLength: 40 }), fc.boolean(), (heads, isTagged) => {
        const events = shapedEvents(heads.map((_, i) => `line "${i}"`));
        if (isTagged) events.at(-1)?.tag('last');
        const expected = events.map((event, i) => `${heads[i]}${eventToJsonText(event)}\n`).join('');
        expect(Buffer.from(lines.write(events, heads) ?? []).toString('utf8')).toBe(expected);
        expect(written(lines, events)).toBe(oneByOne(events));
      }),
    );
  });

  test('come from the kernel with all that logs hold: escapes, other letters, lists, numbers, times', () => {
    const texts = Array.from({ length: 200 }, (_, i) => `${i} "GET /ä\\x?q=😀" \t\u001b[0m ${'x'.repeat(i)}`);
    const events = shapedEvents(texts);
    for (const [i, event] of events.entries()) {
      setNewField(event, parseFieldReference('clean'), String(i), true);
      event.set(parseFieldReference('[at]'), new Timestamp(i));
      if (i % 7 === 0) event.tag('a "b" \\c');
      event.set(parseFieldReference('n'), i % 2 === 0 ? i / 3 : null);
    }
    expect(written(new ShapedLines(), events)).toBe(oneByOne(events));
  });

  test.each([
    ['a mark', 'a\u0001b'],
    ['a mark of strings', '\u0002'],
    ['half of a pair', 'x\ud800'],
    ['too much', 'x'.repeat(200_000)],
  ])('are none of the kernel with %s in a value, and it goes on with the next', (_, bad) => {
    const lines = new ShapedLines();
    const events = shapedEvents(Array.from({ length: 20 }, (_, i) => `line ${i}`));
    events[11]?.set(parseFieldReference('a'), bad);
    expect(lines.write(events)).toBeNull();
    expect(Buffer.from(eventsToJsonLines(events)).toString('utf8')).toBe(oneByOne(events));
    const good = events.slice(0, 10);
    expect(written(lines, good)).toBe(oneByOne(good));
  });

  test('are bounded by their events, however many marks are in a value', () => {
    const lines = new ShapedLines();
    const events = shapedEvents(Array.from({ length: 10 }, () => '\u0001'.repeat(12_000)));
    for (const event of events) event.set(parseFieldReference('n'.repeat(5_000)), '\u0001');
    expect(lines.write(events)).toBeNull();
    expect(Buffer.from(eventsToJsonLines(events)).toString('utf8')).toBe(oneByOne(events));
  });

  test('grow the memory for large batches, and are none for those beyond it', () => {
    const lines = new ShapedLines();
    const events = shapedEvents(Array.from({ length: 300 }, () => '"'.repeat(10_000)));
    expect(written(lines, events)).toBe(oneByOne(events));
    const more = shapedEvents(Array.from({ length: 300 }, () => '\u001f'.repeat(20_000)));
    expect(lines.write(more)).toBeNull();
    expect(eventsToJsonLines(more).length).toBe(oneByOne(more).length);
  });
});
