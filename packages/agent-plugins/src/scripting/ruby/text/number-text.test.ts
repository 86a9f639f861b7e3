import { expect, test } from 'vitest';
import { floatOfText, integerOfText } from './number-text.ts';

test.each([
  ['12', 12n],
  [' -1_000 ', -1000n],
  ['+0x1F', 31n],
  ['0b101', 5n],
  ['017', 15n],
  ['9', 9n],
  ['09', null],
  ['1__0', null],
  ['1.0', null],
  ['', null],
])('%j as an integer is %s', (text, value) => {
  expect(integerOfText(text)).toBe(value);
});

test.each([
  ['1.5', 1.5],
  ['-1_0.2_5e-1', -1.025],
  ['1e3', 1000],
  ['-0x10', -16],
  ['.5', null],
  ['1.', null],
  ['NaN', null],
])('%j as a float is %s', (text, value) => {
  expect(floatOfText(text)).toBe(value);
});

test('an integer of another base has its digits alone', () => {
  expect([integerOfText('ff', 16), integerOfText('0xff', 16), integerOfText('12', 2)]).toEqual([255n, 255n, null]);
});
