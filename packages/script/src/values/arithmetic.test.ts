/** Operators on boxed values: those that are quick with common pairs give what the general ones give, and numbers meet as in Java. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyBoxed, boxedOperation, compareBoxed } from './arithmetic.ts';
import { equalObjects, equalValues } from './equality.ts';
import { JavaException } from './java-exception.ts';
import { boxed, promotedPair } from './java-numbers.ts';
import { classOf, textOf } from './java-text.ts';

const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const value: fc.Arbitrary<unknown> = fc.oneof(
  int.map((raw) => boxed(raw, 'int')),
  fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31)).map((raw) => boxed(raw, 'int')),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 2n ** 53n + 1n, -(2n ** 63n)),
  fc.double(),
  fc.constantFrom(0, -0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53),
  fc.float().map((raw) => boxed(raw, 'float')),
  fc.integer({ min: 0, max: 65_535 }).map((raw) => boxed(raw, 'char')),
  fc.integer({ min: -128, max: 127 }).map((raw) => boxed(raw, 'byte')),
  fc.constantFrom<unknown>('a', true, null),
);

/** Class and text of what a function gives, or of what it throws. */
function outcome(run: () => unknown): string {
  try {
    const result = run();
    return result === null ? 'null' : `${classOf(result)} ${textOf(result)}`;
  } catch (error) {
    if (error instanceof JavaException) return `${error.javaClass}: ${error.text}`;
    throw error;
  }
}

describe('an operator on boxed values', () => {
  test.each(['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '>>>'])(
    '%s gives what the general one gives',
    (op) => {
      const quick = boxedOperation(op);
      fc.assert(
        fc.property(value, value, (left, right) => {
          expect(outcome(() => quick(left, right))).toBe(outcome(() => applyBoxed(op, left, right)));
        }),
        { numRuns: 500 },
      );
    },
  );

  test.each(['<', '<=', '>', '>='])('%s compares numbers as the type that both become', (op) => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        const pair = promotedPair(left, right);
        if (pair === null) return;
        const [a, b] = pair;
        const expected = op === '<' ? a < b : op === '<=' ? a <= b : op === '>' ? a > b : a >= b;
        expect(compareBoxed(op, left, right)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('a long and a double are compared as doubles, two longs to the last digit', () => {
    const long = 2n ** 53n + 1n;
    expect(equalValues(long, 2 ** 53)).toBe(true);
    expect(compareBoxed('>', long, 2 ** 53)).toBe(false);
    expect(equalValues(long, 2n ** 53n)).toBe(false);
    expect(compareBoxed('>', long, 2n ** 53n)).toBe(true);
  });

  test('the zeros of doubles are equal as numbers, and two objects', () => {
    expect(equalValues(0, -0)).toBe(true);
    expect(equalObjects(0, -0)).toBe(false);
    expect(equalObjects(-0, -0)).toBe(true);
  });
});
