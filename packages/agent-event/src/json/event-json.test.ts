import { DoubleNumber, ShoalError } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printValue } from '../templates/print-value.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventValue } from '../values/event-value.ts';
import { eventFromJson, parseEventJson } from './event-from-json.ts';
import { EventJsonWriter, eventToJsonText } from './event-json-text.ts';
import { jsonText } from './value-json-text.ts';

describe('numbers keep their kind through JSON', () => {
  test.each([
    ['1', 1],
    ['-0.5', -0.5],
    ['1.0', new DoubleNumber(1)],
    ['[1.00]', [new DoubleNumber(1)]],
    ['1e3', new DoubleNumber(1000)],
    ['{"a":12345678901234567890}', new Map([['a', 12345678901234567890n]])],
    ['9007199254740993', 9007199254740993n],
    ['[1,2.0, "a:1.0"]', [1, new DoubleNumber(2), 'a:1.0']],
  ])('%s', (text, value) => {
    expect(parseEventJson(text)).toEqual(value);
    expect(parseEventJson(jsonText(value))).toEqual(value);
  });
});

const { value: jsonValue } = fc.letrec<{ value: EventValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"', '\\', '\u0000', '\u2028'),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Number.isInteger(n) ? new DoubleNumber(n) : n)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));

test('every value comes back from its JSON text, by way of both readers', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      const text = jsonText(value);
      expect(sorted(parseEventJson(text))).toEqual(sorted(value));
      expect(sorted(parseEventJson(`[1.0,${text}]`))).toEqual([new DoubleNumber(1), sorted(value)]);
    }),
    { numRuns: 500 },
  );
});

/** The platform's parser puts names that are numbers first. */
function sorted(value: EventValue): EventValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!(value instanceof Map)) return value;
  return new Map([...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, item]) => [name, sorted(item)]));
}

test.each([
  '',
  '{',
  '[1,]',
  '{"a" 1.0}',
  '1.0.0',
  '[1.0',
  '"\n" 1.0',
  '[1.0,"\\x"]',
  'nul',
  '[1.0] 2',
  `${'['.repeat(5_000)}1.0`,
])('%j is refused', (text) => {
  expect(() => parseEventJson(text)).toThrow(ShoalError);
});

test('a lone surrogate is written as an escape', () => {
  expect(jsonText('\ud800')).toBe('"\\ud800"');
});

test('values print as in templates', () => {
  expect(printValue(['a', 1, [true, null]])).toBe('a,1,true,');
  expect(printValue(new Map<string, EventValue>([['a', new DoubleNumber(1)]]))).toBe('{"a":1.0}');
  expect(printValue(new DoubleNumber(1))).toBe('1.0');
  expect(printValue(2.5)).toBe('2.5');
  expect(printValue(new Timestamp(0))).toBe('1970-01-01T00:00:00.000Z');
});

test('who writes many events writes each like any other', () => {
  const writer = new EventJsonWriter();
  for (const fields of [
    { 'a"b': 1, c: { d: '\n' } },
    { 'a"b': [null], c: 'x'.repeat(100) },
  ]) {
    const event = eventFromJson(fields);
    expect(writer.text(event)).toBe(eventToJsonText(event));
    expect(JSON.parse(writer.text(event))).toEqual({ ...fields, '@version': '1' });
  }
});
