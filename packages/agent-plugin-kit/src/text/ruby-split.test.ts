import { expect, test } from 'vitest';
import { rubySplit } from './ruby-split.ts';

test.each([
  ['a,b,,', ',', ['a', 'b']],
  [',a', ',', ['', 'a']],
  ['', ',', []],
  ['  a \t b ', ' ', ['a', 'b']],
  ['a b', '  ', ['a b']],
])('%j at %j: %j', (text, separator, parts) => {
  expect(rubySplit(text, separator)).toEqual(parts);
});
