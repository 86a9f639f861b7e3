import { expect, test } from 'vitest';
import { parseBytes, parseDuration } from './option-units.ts';

test.each([
  ['10', 10],
  ['10 mb', 10_000_000],
  ['10MiB', 10 * 2 ** 20],
  ['1.5kb', 1500],
  ['7b', 7],
  ['2 g', 2e9],
  ['mb', null],
  ['10 xb', null],
  ['-1', null],
])('the size %s is %j bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

test.each([
  ['30', 30_000],
  ['100 ms', 100],
  ['5 days', 432_000_000],
  ['1.5 minutes', 90_000],
  ['2W', 1_209_600_000],
  ['soon', null],
  ['', null],
])('the duration %j is %j ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
