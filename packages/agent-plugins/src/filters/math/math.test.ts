import { createEvent, type EventValue, Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { mathFilter } from './math.ts';

async function run(calculate: readonly unknown[], fields: Record<string, EventValue> = {}) {
  const event = createEvent(new Map(Object.entries(fields)));
  const { outcome } = await makeFilter(mathFilter, { calculate }).run(event);
  return { outcome, fields: event.fields };
}

const float = (value: number) => new DoubleNumber(value);
const of = async (name: string, a: EventValue, b: EventValue) =>
  (await run([[name, 'a', 'b', 'c']], { a, b })).fields.get('c');

describe('two fields', () => {
  test.each<[EventValue, string, EventValue, EventValue]>([
    [2, '+', 3, 5],
    [2, 'add', 0.5, 2.5],
    [2 ** 53 - 1, 'plus', 2, 9007199254740993n],
    [1.5, '-', 0.5, float(1)],
    [3, 'sub', 5n, -2],
    [4, 'subtract', float(1), float(3)],
    [3, '*', -4, -12],
    [3, 'mpx', 0.5, 1.5],
    [7, '/', -2, -4],
    [7, 'div', float(2), 3.5],
    [-2, 'divide', 7, -1],
    [7, 'fdiv', 2, 3.5],
    [8, 'float divide', 2, float(4)],
    [-7, 'mod', 3, 2],
    [7.5, 'modulo', -2, -0.5],
    [2, '**', 10, 1024],
    [2, '^', -1, 0.5],
    [float(9), 'to the power of', 0.5, float(3)],
    [2.345, 'round', 2, 2.35],
    [-2.5, 'round', 0, -3],
    [1.005, 'round', 2, 1.01],
    [1251, 'round', -2, 1300],
    [12, 'round', 3, 12],
  ])('%s %s %s', async (a, name, b, expected) => {
    expect(await of(name, a, b)).toEqual(expected);
  });

  test.each<[EventValue, string, EventValue]>([
    [1, '/', 0],
    [1, 'fdiv', float(0)],
    [1, 'mod', 0],
    [-2, '**', 0.5],
    ['2', '+', 3],
    [null, '+', 3],
    [[1], '+', 3],
  ])('%j %s %j has no result', async (a, name, b) => {
    const { outcome, fields } = await run([[name, 'a', 'b', 'c']], { a, b });
    expect([outcome, fields.has('c')]).toEqual(['unmatched', false]);
  });
});

test('what grows beyond a float is infinite, and so is a power of too many digits', async () => {
  expect(await of('*', float(1e200), float(1e200))).toBe(Number.POSITIVE_INFINITY);
  expect(await of('**', 10, 10_000_000)).toBe(Number.POSITIVE_INFINITY);
  expect(await of('**', -1, 10_000_001)).toBe(-1);
});

test('times are seconds', async () => {
  expect(await of('-', new Timestamp(31_500), new Timestamp(1_000))).toBe(30.5);
});

test('calculations use the results of those before them, of registers too, and literals', async () => {
  const calculate = [
    ['+', 'a', '[b][c]', 'MEM[0]'],
    ['fdiv', 'MEM[0]', 'total', 'part'],
    ['*', 'part', 100, '[percent][value]'],
  ];
  const { fields, outcome } = await run(calculate, { a: 1, b: new Map([['c', 2]]), total: 12 });
  expect([outcome, fields.get('percent')]).toEqual(['matched', new Map([['value', float(25)]])]);
});

test('registers do not last over events', async () => {
  const filter = makeFilter(mathFilter, {
    calculate: [
      ['+', 'a', 1, 'MEM[1]'],
      ['+', 'MEM[1]', 1, 'c'],
    ],
  });
  const results = [];
  for (const fields of [{ a: 1 }, {}]) {
    const event = createEvent(new Map(Object.entries(fields)));
    await filter.run(event);
    results.push(event.fields.get('c'));
  }
  expect(results).toEqual([3, undefined]);
});

test('one calculation needs no list around it', async () => {
  expect((await run(['+', 'a', 1, 'c'], { a: 1 })).fields.get('c')).toBe(2);
});

test.each([
  [[['+', 'a', 'b']], '4 values; [+, a, b] has 3'],
  [[['root', 'a', 'b', 'c']], '[root] is none of the functions +, add, plus'],
  [[['/', 'a', 0, 'c']], '[/, a, 0, c] cannot be calculated: a divisor of zero is not permitted'],
  [[['**', -2, 1.5, 'c']], 'a negative number has no power that is not whole'],
  [[['+', 'a', 'b', 'MEM[0]']], 'the last target is a register'],
  [[['+', 'a', 'b', 5]], 'the target of [+, a, b, 5] is no field'],
])('%j is refused', async (calculate, reason) => {
  await expect(run(calculate)).rejects.toThrow(reason);
});
