import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAggs, reread, resent } from '../../levels/round-trip.test-support.ts';
import { studentTail } from './student-distribution.ts';
import type { TTestPartial } from './t-test.ts';

const unpaired = { a: { field: 'x' }, b: { field: 'y' } };

describe("the tail of Student's distribution", () => {
  test('is what its closed forms say', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e4, noNaN: true }), (t) => {
        expect(studentTail(t, 1)).toBeCloseTo(0.5 - Math.atan(t) / Math.PI, 11);
        expect(studentTail(t, 2)).toBeCloseTo(0.5 - t / (2 * Math.sqrt(2 + t * t)), 11);
        expect(studentTail(-t, 2)).toBe(studentTail(t, 2));
      }),
    );
  });

  test.each([
    [2, 10, 0.036694017385370196],
    [1.96, 1e6, 0.02499799],
    [0, 7.5, 0.5],
    [Number.POSITIVE_INFINITY, 3, 0],
  ])('of %d with %d degrees of freedom is %d', (t, degrees, tail) => {
    expect(studentTail(t, degrees)).toBeCloseTo(tail, 7);
  });

  test('of no degrees of freedom is none', () => {
    expect([studentTail(1, 0), studentTail(Number.NaN, 3)]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe('t_test', () => {
  test.each([
    ['no second population', { a: { field: 'x' } }, 'Required [b]'],
    ['three tails', { ...unpaired, tails: 3 }, '[tails] must be 1 or 2. Found [3] in [t]'],
    ['an unknown type', { ...unpaired, type: 'welch' }, 'TTestType.WELCH'],
    [
      'filters of pairs',
      { a: { field: 'x', filter: { match_all: {} } }, b: { field: 'y' }, type: 'paired' },
      "Paired t-test doesn't support filters",
    ],
    [
      'one population twice',
      { a: { field: 'x' }, b: { field: 'x' } },
      'The same field [x] is used for both population but no filters are specified.',
    ],
    ['an unknown option', { ...unpaired, sides: 1 }, 'unknown field [sides]'],
    ['an unknown option of a population', { a: { field: 'x', sides: 1 }, b: { field: 'y' } }, 'unknown field [sides]'],
    ['a field with a script', { a: { field: 'x', script: '1' }, b: { field: 'y' } }, 'cannot both be configured'],
  ])('refuses %s', (_, options, message) => {
    expect(() => parseAggs({ t: { t_test: options } })).toThrow(message);
  });

  test('comes out of a message as it was parsed', () => {
    const level = parseAggs({
      plain: { t_test: unpaired },
      all: {
        t_test: {
          a: { field: 'x', missing: 1, filter: { term: { k: 'a' } } },
          b: { script: '1' },
          ...{ type: 'HOMOSCEDASTIC', tails: 1, format: '0.00' },
        },
      },
    });
    expect(resent(level)).toEqual(level);
    const a = { count: 3, sum: 1.5, sumOfSquares: 9 };
    const partial: TTestPartial = { kind: 'tTest', testType: 'paired', tails: 2, a, b: { ...a, count: 0 } };
    expect(reread([partial])).toEqual([partial]);
  });
});
