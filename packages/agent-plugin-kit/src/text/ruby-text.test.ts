import { type EventMap, type EventValue, Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { expect, test } from 'vitest';
import { rubyInspect, rubyJoin, rubyText } from './ruby-text.ts';

test.each<[EventValue, string]>([
  [1, '1'],
  [new DoubleNumber(1), '1.0'],
  [1e15, '1000000000000000'],
  [new DoubleNumber(1e15), '1000000000000000.0'],
  [new DoubleNumber(1e18), '1000000000000000000.0'],
  [new DoubleNumber(1e19), '1.0e+19'],
  [new DoubleNumber(1e20), '1.0e+20'],
  [1.5e-5, '1.5e-05'],
  [0.0001, '0.0001'],
  [1e-5, '1.0e-05'],
  [true, 'true'],
  [null, 'nil'],
  [12345678901234567890n, '12345678901234567890'],
  ['\x01\x7f\u0080\u2028e', '"\\u0001\\u007F\\u0080\\u2028e"'],
  ['\x1b\x07\b\v\f\0', '"\\e\\a\\b\\v\\f\\u0000"'],
  ['#{a} #$b #@c # x', '"\\#{a} \\#$b \\#@c # x"'],
  ['é😀\u{10ffff}', '"é😀\\u{10FFFF}"'],
  [['a', null, [1]], '["a", nil, [1]]'],
  [
    new Map<string, EventValue>([
      ['a', null],
      ['b', new Map() as EventMap],
    ]),
    '{"a"=>nil, "b"=>{}}',
  ],
  [new Timestamp(0), '1970-01-01T00:00:00.000Z'],
])('Ruby inspects %o as %s', (value, expected) => {
  expect(rubyInspect(value)).toBe(expected);
});

test('a text alone is printed as it is, null as nothing; a list is joined to its depth', () => {
  expect(rubyText('a"b')).toBe('a"b');
  expect(rubyText(null)).toBe('');
  expect(rubyText(['a'])).toBe('["a"]');
  expect(rubyJoin([1, [2, null, 'x'], new Map([['a', 1]])], '-')).toBe('1-2--x-{"a"=>1}');
});
