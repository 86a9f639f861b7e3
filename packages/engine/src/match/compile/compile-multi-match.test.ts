import { expect, test } from 'vitest';
import { blend } from './compile-multi-match.ts';

test.each([
  [[10, 200, 0], 1_000, [201, 200, 0]],
  [[5, 5], 1_000, [5, 5]],
  [[3, 9, 6], 1_000, [11, 9, 10]],
  [[3, 9], 9, [9, 9]],
  [[0, 0], 10, [0, 0]],
])('document frequencies %j blend below %i documents to %j', (frequencies, maxDoc, expected) => {
  expect(blend(frequencies, maxDoc)).toEqual(expected);
});
