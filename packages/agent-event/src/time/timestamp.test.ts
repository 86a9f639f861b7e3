import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTimestamp } from './parse-timestamp.ts';
import { Timestamp } from './timestamp.ts';

test.each([
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123456789Z'],
  ['2026-01-02 03:04:05,5+0130', '2026-01-02T01:34:05.500Z'],
  ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ['0026-01-02T00:00:00-01', '0026-01-02T01:00:00.000Z'],
  ['2026-02-30T00:00:00Z', undefined],
  ['2026-01-02T24:00:00Z', undefined],
  ['1', undefined],
])('the time %s', (text, expected) => {
  expect(parseTimestamp(text)?.toString()).toBe(expected);
});

test('every time prints as the platform prints it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.integer({ min: -6.3e13, max: 2.6e14 }), (any, near) => {
      expect(new Timestamp(any).toString()).toBe(new Date(any).toISOString());
      expect(new Timestamp(near).toString()).toBe(new Date(near).toISOString());
    }),
    { numRuns: 2_000 },
  );
});
