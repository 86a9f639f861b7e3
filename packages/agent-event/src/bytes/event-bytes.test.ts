import { DoubleNumber, ShoalError } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restoreEvent } from '../event/event.ts';
import { Timestamp } from '../time/timestamp.ts';
import type { EventMap, EventValue } from '../values/event-value.ts';
import { readEvents, writeEvents } from './event-bytes.ts';

const text = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\udc00x', 'é'),
);

const { value: anyValue } = fc.letrec<{ value: EventValue; map: EventMap }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    text,
    fc.integer(),
    fc.double(),
    fc.bigInt(),
    fc.double().map((number) => new DoubleNumber(number)),
    fc
      .tuple(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.integer({ min: 0, max: 999_999 }))
      .map(([ms, nanos]) => new Timestamp(ms, nanos)),
    fc.array(tie('value'), { maxLength: 5 }),
    tie('map'),
  ),
  map: fc.array(fc.tuple(text, tie('value')), { maxLength: 5 }).map((entries) => new Map(entries)),
}));
const anyMap = fc.array(fc.tuple(text, anyValue), { maxLength: 8 }).map((entries): EventMap => new Map(entries));
const anyEvent = fc.tuple(anyMap, anyMap).map(([fields, metadata]) => restoreEvent(fields, metadata));

describe('events as bytes', () => {
  test('come back exactly as they were', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 6 }), (events) => {
        expect(readEvents(writeEvents(events))).toEqual(events);
      }),
      { numRuns: 300 },
    );
  });

  test('the sign of zero and what is no number survive', () => {
    const fields: EventMap = new Map([['a', [-0, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** 31, -1]]]);
    expect([...(readEvents(writeEvents([restoreEvent(fields, new Map())]))[0]?.fields ?? [])]).toEqual([...fields]);
  });

  test('a batch larger than the first buffer is written whole', () => {
    const events = Array.from({ length: 500 }, (_, i) =>
      restoreEvent(new Map([['m', `${i} ${'ü'.repeat(999)}`]]), new Map()),
    );
    expect(readEvents(writeEvents(events))).toEqual(events);
  });

  test('damaged ones are refused, never misread into a crash', () => {
    const bytes = writeEvents([
      restoreEvent(new Map<string, EventValue>([['a', ['x', 1, 2.5, 10n ** 20n, new Map([['b', true]])]]]), new Map()),
    ]);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (at, byte, length) => {
        const damaged = bytes.slice(0, length);
        if (at < length) damaged[at] = byte;
        try {
          readEvents(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(ShoalError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
