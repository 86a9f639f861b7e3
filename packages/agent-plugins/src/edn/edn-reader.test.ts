import { Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { readEdn } from './edn-reader.ts';

describe('a value of EDN', () => {
  test.each<[string, unknown]>([
    ['nil', null],
    ['true', true],
    ['-12', -12],
    ['+7N', 7],
    ['12345678901234567890', 12345678901234567890n],
    ['1.5M', 1.5],
    ['2e3', new DoubleNumber(2000)],
    ['"a \\"b\\" \\u00e9\\n\\\\"', 'a "b" é\n\\'],
    [':name', 'name'],
    [':name.space/name', 'name.space/name'],
    ['symbol?', 'symbol?'],
    ['-', '-'],
    ['\\a', 'a'],
    ['\\newline', '\n'],
    ['\\u0041', 'A'],
    ['[\\( \\, \\]]', ['(', ',', ']']],
    ['(1 [2, "x"] #{:a})', [1, [2, 'x'], ['a']]],
    ['[]', []],
    ['; note\n 5', 5],
    ['[1 #_ (not this) #_#_ 2 3 4]', [1, 4]],
    ['#uuid "a-b"', 'a-b'],
    ['#my/tag [1]', [1]],
    ['#inst "2026-01-02T03:04:05.678Z"', new Timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 678))],
    [
      '{:a 1, "b" {:c [nil]} 3 4}',
      new Map<string, unknown>([
        ['a', 1],
        ['b', new Map([['c', [null]]])],
        ['3', 4],
      ]),
    ],
    ['1 what follows', 1],
  ])('%s', (text, value) => {
    expect(readEdn(text)).toEqual(value);
  });

  test.each([
    '',
    '; only a note',
    '"open',
    '[1',
    '{:a}',
    ')',
    '\\nothing',
    '12x',
    ':',
    '#inst "noon"',
    '#inst 5',
    '#',
    '['.repeat(100_000),
    '#a '.repeat(100_000),
    '#_'.repeat(100_000),
  ])('%# is none', (text) => {
    expect(() => readEdn(text)).toThrow('this is no EDN');
  });
});
