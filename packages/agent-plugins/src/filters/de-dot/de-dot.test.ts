import { expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { deDotFilter } from './de-dot.ts';

test('de_dot renames or nests', async () => {
  expect((await runFilter(deDotFilter, {}, { 'a.b': 1, c: 2 })).event).toEqual({ a_b: 1, c: 2 });
  expect((await runFilter(deDotFilter, { nested: true }, { 'a.b': 1 })).event).toEqual({ a: { b: 1 } });
  expect((await runFilter(deDotFilter, { recursive: true }, { a: { 'b.c': 1 } })).event).toEqual({ a: { b_c: 1 } });
});
