import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CompileFailure } from '../errors/script-error.ts';
import { evaluator } from './evaluate-expression.ts';
import { parseExpression } from './parse-expression.ts';

/** Value of an expression without variables. */
function value(source: string): number {
  const { root, variables } = parseExpression(source);
  expect(variables).toEqual([]);
  return evaluator(root)(() => Number.NaN);
}

/** Place and reason of what breaks the grammar. */
function failure(source: string): readonly [number, string | null] {
  try {
    parseExpression(source);
  } catch (error) {
    if (error instanceof CompileFailure) return [error.offset, error.failure.reason];
    throw error;
  }
  throw new Error(`[${source}] is an expression`);
}

describe('an expression', () => {
  test.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-7 % 4', -3],
    ['5 / 0', Number.POSITIVE_INFINITY],
    ['0 / 0', Number.NaN],
    ['- -5', 5],
    ['--5', 5],
    ['!!5', 1],
    ['1 > 2 > 3', 0],
    ['2 == 2 == 1', 1],
    ['1 ? 2 : 3 ? 4 : 5', 2],
    ['0 || 1 / 0', 1],
    ['0 && 1', 0],
    ['0x1F', 31],
    ['017', 15],
    ['.5', 0.5],
    ['5.', 5],
    ['1.5e-2', 0.015],
    ['1e400', Number.POSITIVE_INFINITY],
    ['12 & 2.7', 0],
    ['5 ^ 3 | 8', 14],
    ['~5', -6],
    ['1 << 64', 1],
    ['-16 >> 2', -4],
    ['-16 >>> 60', 15],
    ['-1 >>> 0', -1],
    ['1e30 & 1', 1],
    ['-1e30 & 1', 0],
    ['0 / 0 & 3', 0],
    ['max (1, min(3, 2))', 2],
    ['logn(2, 8)', 3],
    ['ceil(1.2) + floor(-1.2) + abs(-3)', 3],
  ])('%s is %d', (source, number) => {
    expect(value(source)).toBe(number);
  });

  test.each([
    ['asinh(-1)', Math.asinh(-1)],
    ['acosh(2)', Math.acosh(2)],
    ['atanh(0.5)', Math.atanh(0.5)],
    ['atan2(1, 2) + tanh(1) - sqrt(2)', Math.atan2(1, 2) + Math.tanh(1) - Math.SQRT2],
    ['haversin(0, 0, 0, 90)', (Math.PI / 2) * 6371.0087714],
  ])('%s is about %d', (source, number) => {
    expect(value(source)).toBeCloseTo(number, 11);
  });

  test('computes as JavaScript does where both have the operators', () => {
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.integer({ min: 0, max: 9 }).map(String),
        fc
          .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '/', '<', '>=', '|', '&', '<<'), tie('expression'))
          .map((parts) => parts.join(' ')),
        fc.tuple(fc.constantFrom('-', '+', '!', '~'), tie('expression')).map(([sign, of]) => `${sign}(${of})`),
      ),
    }));
    fc.assert(
      fc.property(expression, (source) => {
        const tree = parseExpression(source);
        expect(parseExpression(`((${source}))`)).toEqual(tree);
      }),
    );
  });

  test('has each variable once, with members, indices and calls', () => {
    const { variables } = parseExpression(`doc["it's"].min() + a.b*doc[0] - doc['it\\'s'].min() + _score`);
    expect(variables.map(({ text, isCalled }) => [text, isCalled])).toEqual([
      [`doc['it\\'s'].min()`, true],
      ['a.b', false],
      ['doc[0]', false],
      ['_score', false],
    ]);
  });

  test.each([
    ['', 0, 'unexpected end of expression'],
    ['1+', 2, 'unexpected end of expression'],
    ['1+*2', 2, "invalid sequence of tokens near '*' on line (1) position (2)"],
    ['max(1,)', 6, "invalid sequence of tokens near ')' on line (1) position (6)"],
    ['1 2', 2, "unexpected token '2' on line (1) position (2) was expecting one of <EOF>"],
    ['1 +\n 2 3', 7, "unexpected token '3' on line (2) position (3) was expecting one of <EOF>"],
    ['(1', 2, "unexpected token '<EOF>' on line (1) position (2) was expecting one of RP"],
    ['max(,1)', 4, "unexpected token ',' on line (1) position (4) was expecting one of RP"],
    ['1 ? 2', 5, "unexpected token '<EOF>' on line (1) position (5) was expecting one of COLON"],
    ['08', 1, "unexpected token '8' on line (1) position (1) was expecting one of <EOF>"],
    ["'a'", 0, "unexpected character ''' on line (1) position (0)"],
    ['1=2', 1, "unexpected character '=2' on line (1) position (1)"],
    ["doc['a'", 3, "unexpected character '[' on line (1) position (3)"],
    ['1+foo(1)', 2, "Invalid expression '1+foo(1)': Unrecognized function call (foo)."],
    ['max(1)', 0, "Invalid expression 'max(1)': Expected (2) arguments for function call (max), but found (1)."],
  ])('is not %j', (source, offset, reason) => {
    expect(failure(source)).toEqual([offset, reason]);
  });

  test('is refused where it nests too deep', () => {
    const deep = [`${'('.repeat(20_000)}1${')'.repeat(20_000)}`, '-'.repeat(20_000), `1${'+1'.repeat(20_000)}`];
    for (const source of deep) expect(failure(source)[1]).toBe('the expression is nested deeper than [1000]');
    expect(value(`1${'+1'.repeat(400)} - (1${'+1'.repeat(400)})`)).toBe(0);
  });
});
