import { expect, test } from 'vitest';
import { valuesAt } from './values-at.ts';

const at = (source: unknown, ...paths: string[]): unknown => {
  const bytes = valuesAt(Buffer.from(JSON.stringify(source)), paths);
  return bytes === null ? null : JSON.parse(Buffer.from(bytes).toString('utf8'));
};

test.each([
  [{ a: 1, b: 2 }, ['a'], { a: 1 }],
  [{ a: { b: [1, { c: 2 }], d: 3 } }, ['a.b'], { a: { b: [1, { c: 2 }] } }],
  [{ 'a.b': 1, a: { b: 2, c: 3 } }, ['a.b'], { 'a.b': 1, a: { b: 2 } }],
  [{ a: { 'b.c': 1 } }, ['a.b.c'], { a: { 'b.c': 1 } }],
  [{ a: [{ c: 1 }, { b: 2, c: 1 }, [{ b: 3 }], 4] }, ['a.b'], { a: [{}, { b: 2 }, [{ b: 3 }], null] }],
  [{ a: 1, ab: 2 }, ['b', 'a.b'], null],
])('of %j the values at %j are %j', (source, paths, expected) => {
  expect(at(source, ...paths)).toEqual(expected);
});
