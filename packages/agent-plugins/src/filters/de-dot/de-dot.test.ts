import { expect, test } from 'vitest';
import { eventOf } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { plain, runFilter } from '../filter-outcome.test-support.ts';
import { deDotFilter } from './de-dot.ts';

test('de_dot renames or nests', async () => {
  expect((await runFilter(deDotFilter, {}, { 'a.b': 1, c: 2 })).event).toEqual({ a_b: 1, c: 2 });
  expect((await runFilter(deDotFilter, { nested: true }, { 'a.b': 1 })).event).toEqual({ a: { b: 1 } });
  expect((await runFilter(deDotFilter, { recursive: true }, { a: { 'b.c': 1 } })).event).toEqual({ a: { b_c: 1 } });
});

test('de_dot nests deep, and in every part of a reference', async () => {
  const inside = { a: { 'b.c.d': 1, b: { e: 2 } }, f: [{ 'g.h': 3 }] };
  expect((await runFilter(deDotFilter, { nested: true, recursive: true }, inside)).event).toEqual({
    a: { b: { c: { d: 1 }, e: 2 } },
    f: [{ g: { h: 3 } }],
  });
  const outside = { a: { 'b.c.d': 1, 'b.e': 2 } };
  expect((await runFilter(deDotFilter, { nested: true, recursive: true }, outside)).event).toEqual({
    a: { b: { c: { d: 1 }, e: 2 } },
  });
  const fields = { fields: ['[x.y][a.b]', '[none.such]'] };
  expect((await runFilter(deDotFilter, fields, { 'x.y': { 'a.b': 1 } })).event).toEqual({ x_y: { a_b: 1 } });
  expect((await runFilter(deDotFilter, fields, { 'x.y': { 'a.b': 1, c: 2 } })).event).toEqual({
    'x.y': { c: 2 },
    x_y: { a_b: 1 },
  });
  const plain = { fields: ['[x][a.b]'] };
  expect((await runFilter(deDotFilter, plain, { x: { 'a.b': 1 } })).event).toEqual({ x: { a_b: 1 } });
});

test('de_dot loses nothing where a value stands in the path of the new name', async () => {
  const before = { request: 'GET', 'request.path': '/u' };
  const event = eventOf(before);
  await expect(runFilter(deDotFilter, { nested: true }, event)).rejects.toThrow('a string stands in its path');
  expect(plain(event)).toEqual(before);
  const inside = eventOf({ a: before });
  const recursive = { nested: true, recursive: true };
  await expect(runFilter(deDotFilter, recursive, inside)).rejects.toThrow('a string stands in its path');
  expect(plain(inside)).toEqual({ a: before });
});
