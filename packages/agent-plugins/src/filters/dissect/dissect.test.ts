import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { dissectFilter } from './dissect.ts';

type Fields = Record<string, unknown>;

describe('the dissect filter', () => {
  const dissect = async (mapping: string, m: string, options: Fields = {}) => {
    const { event } = await runFilter(dissectFilter, { mapping: { m: mapping }, ...options }, { m });
    const { m: _, ...rest } = event;
    return rest;
  };
  test.each([
    ['%{a} %{b}', '1 2 3', { a: '1', b: '2 3' }],
    ['[%{a}] %{?skip} %{} %{b}', '[x] y z w', { a: 'x', b: 'w' }],
    ['%{a->} %{b}', '1    2', { a: '1', b: '2' }],
    ['%{a},%{b},%{c}', '1,,3', { a: '1', b: '', c: '3' }],
    ['%{ts} %{+ts} %{+ts} %{m2}', 'Jan 2 03:04 x', { ts: 'Jan 2 03:04', m2: 'x' }],
    ['%{+a/2} %{+a/1} %{b}', '1 2 3', { a: '2 1', b: '3' }],
    ['%{?k}=%{&k}', 'name=v', { name: 'v' }],
    ['%{[x][y]}-%{z}', '1-2', { x: { y: '1' }, z: '2' }],
    ['a%{b}', 'xa1', { tags: ['_dissectfailure'] }],
    ['%{a} %{b}', 'nothing', { tags: ['_dissectfailure'] }],
    ['%{a}', '', { tags: ['_dissectfailure'] }],
  ])('%s on %j', async (mapping, text, expected) => expect(await dissect(mapping, text)).toEqual(expected));
  test('converts and refuses what cannot be', async () => {
    expect(await dissect('%{a} %{b}', '12 1.5', { convert_datatype: { a: 'int', b: 'float' } })).toEqual({
      a: 12,
      b: 1.5,
    });
    await expect(dissect('%{+&a} %{b}', 'x')).rejects.toThrow('cannot both append and be indirect');
  });
});
