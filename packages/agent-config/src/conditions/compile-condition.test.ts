// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of the language are written so

import { Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { compile, holds, refusal } from '../plan/config-fixture.test-support.ts';
import { ConditionError } from './condition-error.ts';

describe('a field alone', () => {
  test.each([
    [undefined, false],
    [null, false],
    [false, false],
    ['', false],
    ['false', false],
    ['no', true],
    [0, true],
    [[], true],
    [{}, true],
    [true, true],
  ])('%j is %s', (value, expected) => {
    expect(holds('[f]', value === undefined ? {} : { f: value })).toBe(expected);
    expect(holds('![f]', value === undefined ? {} : { f: value })).toBe(!expected);
  });
});

describe('equality', () => {
  test('is strict by kind, and numbers compare across integer and float', () => {
    expect(holds('[f] == "1"', { f: 1 })).toBe(false);
    expect(holds('[f] == 1', { f: new DoubleNumber(1) })).toBe(true);
    expect(holds('[f] == [g]', { f: 2n ** 60n, g: 2n ** 60n })).toBe(true);
    expect(holds('[f] == [g]', { f: 5n, g: 5 })).toBe(true);
    expect(holds('[f] == "1970-01-01T00:00:00.000Z"', { f: new Timestamp(0) })).toBe(false);
    expect(holds('[f] == ["a", "b"]', { f: ['a', 'b'] })).toBe(true);
  });

  test('of integers beyond 2^53 is exact', () => {
    expect(holds('[f] == 9007199254740993', { f: 9007199254740993n })).toBe(true);
    expect(holds('[f] == 9007199254740993', { f: 9007199254740992n })).toBe(false);
  });

  test('what is missing equals nothing', () => {
    expect(holds('[a] == [b]')).toBe(false);
    expect(holds('[a] != "x"')).toBe(true);
  });

  test('[@metadata] and nested fields are found', () => {
    expect(holds('[a][b][0] == "x"', { a: { b: ['x'] } })).toBe(true);
    expect(holds('[@metadata][k] == "v"', { '@metadata': { k: 'v' } })).toBe(true);
  });
});

describe('order', () => {
  test('is of numbers, of texts, of times', () => {
    expect(holds('[f] > 1.5', { f: 2n ** 70n })).toBe(true);
    expect(holds('[f] < "b"', { f: 'a' })).toBe(true);
    expect(holds('[f] >= [g]', { f: new Timestamp(5, 1), g: new Timestamp(5) })).toBe(true);
  });

  test('of different kinds is an error that names place and values', () => {
    expect(() => holds('[f] > 400', { f: 'x' })).toThrow(
      'main.conf:1:13: cannot compare in the condition "[f] > 400": left is the string "x", right is the integer 400',
    );
    expect(() => holds('[f] > 400')).toThrow(ConditionError);
  });

  test('of constants is known before anything runs', () => {
    expect(holds('1 < 2')).toBe(true);
    expect(refusal('filter { if 1 < "2" { drop {} } }')).toContain('cannot be compared');
  });
});

describe('membership', () => {
  test.each([
    ['[f] in "hello"', { f: 'ell' }, true],
    ['[f] in "12"', { f: 1 }, false],
    ['[f] in ["1", "x"]', { f: 1 }, true],
    ['[f] in [200, 404]', { f: '404' }, true],
    ['[f] in [200]', { f: 200 }, true],
    ['[f] in ["x"]', { f: 'x' }, true],
    ['"x" in [g]', { g: ['x', 'y'] }, true],
    ['1 in [g]', { g: ['1'] }, false],
    ['"x" in [g]', { g: 'axb' }, true],
    ['"x" in [g]', { g: 5 }, false],
    ['[f] in [g]', {}, false],
    ['[f] not in ["x"]', { f: 'y' }, true],
    ['[f] not in [g]', {}, true],
  ])('%s of %j is %s', (condition, fields, expected) => {
    expect(holds(condition, fields)).toBe(expected);
  });

  test('a list of one is warned of: elsewhere such brackets are a field', () => {
    const plan = compile('filter { if [f] in ["x"] { drop {} } }');
    expect(plan.warnings).toEqual([expect.stringMatching(/^main\.conf:1:20: \["x"\] is read as a list of one/)]);
  });
});

describe('patterns', () => {
  test('match texts only', () => {
    expect(holds('[f] =~ /b+/', { f: 'abbc' })).toBe(true);
    expect(holds('[f] =~ "^b"', { f: 'abbc' })).toBe(false);
    expect(holds('[f] =~ /1/', { f: 1 })).toBe(false);
    expect(holds('[f] !~ /1/', { f: 1 })).toBe(true);
    expect(holds('[f] =~ /a/', { f: ['a'] })).toBe(false);
    expect(holds('[f] =~ /a\\/b/', { f: 'a/b' })).toBe(true);
  });

  test('that are none are refused with their place', () => {
    expect(refusal('filter { if [f] =~ /(/ { drop {} } }')).toMatch(/^main\.conf:1:20: Invalid regular expression/);
  });
});

describe('operators', () => {
  test.each([
    ['[t] and [f] or [t]', true],
    ['[t] xor [t]', false],
    ['[t] nand [t]', false],
    ['[f] nand [t]', true],
    ['!([t] and [f])', true],
    ['[f] or [t] xor [t]', false],
  ])('%s', (condition, expected) => {
    expect(holds(condition, { t: 1 })).toBe(expected);
  });
});

test('texts of conditions have variables replaced', () => {
  const variables = (name: string): string | undefined => (name === 'ENV' ? 'prod' : undefined);
  expect(holds('[f] == "${ENV}"', { f: 'prod' }, { variables })).toBe(true);
});

test('functions are refused', () => {
  expect(refusal('filter { if now() > 1 { drop {} } }')).toContain('no function now');
});
