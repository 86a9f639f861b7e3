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
    ['%{a} %{b}!', '1 2!', { a: '1', b: '2' }],
    ['%{a} %{b}!', '1 2', { tags: ['_dissectfailure'] }],
    ['%{a->/3},%{b}', '1,,2', { a: '1', b: '2' }],
    ['%{+a->/2} %{+a/1->} %{b}', '1  2   3', { a: '2 1', b: '3' }],
    ['%{*a} %{->} %{c}', '1 x   3', { '*a': '1', c: '3' }],
    ['[%{+a}] %{+a}', '[1] 2', { a: '1] 2' }],
    ['%{+a} %{a}', '1 2', { a: '2 1' }],
    ['%{?k}=%{&k} %{b}', 'a[b=v 2', { b: '2', tags: ['_dissectfailure'] }],
    ['%{&none} %{b}', '1 2', { b: '2' }],
    ['no key', 'no key', { tags: ['_dissectfailure'] }],
    ['', 'x', {}],
  ])('%s on %j', async (mapping, text, expected) => expect(await dissect(mapping, text)).toEqual(expected));
  test('converts and refuses what cannot be', async () => {
    expect(await dissect('%{a} %{b}', '12 1.5', { convert_datatype: { a: 'int', b: 'float' } })).toEqual({
      a: 12,
      b: 1.5,
    });
    const types = { a: 'INT', b: 'int', c: 'float', d: 'int', e: 'int' };
    expect(await dissect('%{a} %{b} %{c} %{d}', '-12.9 1e3 1e3 x', { convert_datatype: types })).toEqual({
      a: -12,
      b: 1000,
      c: 1000,
      d: 'x',
      tags: ['_dataconversionuncoercible_d_int', '_dataconversionnullvalue_e_int'],
    });
    expect(await dissect('%{a} %{b}', '1e999999999 x', { convert_datatype: { a: 'int' } })).toMatchObject({
      tags: ['_dataconversionuncoercible_a_int'],
    });
    // A type that nobody knows is taken, and each event says so, which is what Logstash does.
    expect(await dissect('%{a} %{b}', '1 2', { convert_datatype: { a: 'integer', c: 'long' } })).toEqual({
      a: '1',
      b: '2',
      tags: ['_dataconversionmissing_a_integer', '_dataconversionnullvalue_c_long'],
    });
    await expect(dissect('%{&+a} %{b}', 'x')).rejects.toThrow('cannot both append and be indirect');
    await expect(dissect('%{+} %{b}', 'x')).rejects.toThrow('has no name');
    await expect(dissect('%{+&a} %{b}', 'x')).rejects.toThrow('cannot both append and be indirect');
  });
  test('one mapping that fits is a match, and what is appended stands behind what the field has', async () => {
    const mapping = { none: '%{x} %{y}', m: '%{+z} %{w}' };
    const { event, outcome } = await runFilter(dissectFilter, { mapping, add_tag: ['t'] }, { m: '1 2', z: '0' });
    expect({ event, outcome }).toEqual({ event: { m: '1 2', z: '0 1', w: '2', tags: ['t'] }, outcome: 'matched' });
  });
});
