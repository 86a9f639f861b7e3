import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { mutateFilter } from './mutate.ts';

const mutate = async (options: Record<string, unknown>, fields: Record<string, unknown>) =>
  (await runFilter(mutateFilter, options, fields)).event;

describe('mutate', () => {
  test('works in a fixed order: rename before replace before convert before copy', async () => {
    const options = { copy: { b: 'c' }, convert: { b: 'integer' }, replace: { b: '7' }, rename: { a: 'b' } };
    expect(await mutate(options, { a: 'x' })).toEqual({ b: 7, c: 7 });
  });
  test('rename: sprintf in both names, a missing source is ignored, the target is replaced', async () => {
    expect(await mutate({ rename: { '%{n}': '[x][%{n}]', no: 'z' } }, { n: 'a', a: 1 })).toEqual({
      n: 'a',
      x: { a: 1 },
    });
  });
  test('update only what is there; replace makes it; coerce only null', async () => {
    expect(await mutate({ update: { a: 'x', b: '%{c}' } }, { b: 1, c: 2 })).toEqual({ b: '2', c: 2 });
    expect(await mutate({ coerce: { a: 'd', b: 'd', c: 'd' } }, { a: null, b: 1 })).toEqual({ a: 'd', b: 1 });
  });
  test.each([
    ['1,000', 'integer', 1000],
    ['1.000', 'integer_eu', 1000],
    ['0x1F', 'integer', 31],
    ['1e3', 'integer', 1000],
    ['1.9', 'integer', 1],
    ['1.5', 'float', 1.5],
    ['1.000,5', 'float_eu', 1000.5],
    [true, 'integer', 1],
    ['YES', 'boolean', true],
    ['0.0', 'boolean', false],
    ['', 'boolean', false],
    ['maybe', 'boolean', 'maybe'],
    [['1', '2'], 'integer', [1, 2]],
    [null, 'integer', null],
    [12, 'string', '12'],
    ['abc', 'integer', 0],
    ['-', 'integer', 0],
    ['', 'integer', 0],
    ['12abc', 'integer', 12],
    ['1_000', 'integer', 1000],
    ['1__0', 'integer', 1],
    ['010', 'integer', 10],
    ['-1.5e3', 'integer', -1500],
    ['1e-2', 'integer', 0],
    ['1E3', 'integer', 1],
    ['-0xff', 'integer', -255],
    ['0x1.8', 'integer', 1],
    ['1.234.567,8', 'integer_eu', 1234567],
    ['0x1.8', 'float', 1.5],
    ['0x1p3', 'float', 8],
    ['1_000.5', 'float', 1000.5],
    ['.5', 'float', 0.5],
    [' 1,5 ', 'float', 15],
    ['3.141', 'float_eu', 3141],
    ['1x0', 'boolean', true],
    [1, 'boolean', true],
    [-1, 'boolean', -1],
    [1e20, 'string', '1.0e+20'],
    [[{ a: null }, ['x']], 'string', ['{"a"=>nil}', '["x"]']],
  ])('converts %j to %s: %j', async (value, type, expected) => {
    expect(await mutate({ convert: { a: type } }, { a: value })).toEqual({ a: expected });
  });
  test('what cannot be converted is tagged; earlier changes stay, later ones do not happen', async () => {
    const options = { rename: { x: 'y' }, convert: { a: 'integer' }, copy: { a: 'b' } };
    expect(await mutate(options, { a: 'hello', x: 1 })).toEqual({ a: 'hello', y: 1, tags: ['_mutate_error'] });
  });
  test.each(['abc', '', '-', '5.', '1__0', '0x', 'Infinity', '1.e5'])('%j is no float', async (value) => {
    expect(await mutate({ convert: { a: 'float' } }, { a: value })).toEqual({ a: value, tags: ['_mutate_error'] });
  });
  test.each(['hello', '1e', '0xg', '1e99999999'])('%j is no integer', async (value) => {
    expect(await mutate({ convert: { a: 'integer' } }, { a: value })).toEqual({ a: value, tags: ['_mutate_error'] });
  });
  test('integers of any size stay exact', async () => {
    const options = { convert: { a: 'integer', b: 'integer', c: 'integer' } };
    const event = await mutate(options, { a: '9007199254740993', b: '9.007199254740993e15', c: '0x20000000000001' });
    expect(event).toMatchObject({ b: event.a, c: event.a });
  });
  test('numbers and booleans are set as their text', async () => {
    expect(await mutate({ replace: { a: 5, b: true }, coerce: { c: 5 } }, { c: null })).toEqual({
      a: '5',
      b: 'true',
      c: '5',
    });
  });
  test('gsub: groups that there are not are empty, names that there are not are an error', async () => {
    expect(await mutate({ gsub: ['a', '(o)', '<\\1\\2>'] }, { a: 'fo' })).toEqual({ a: 'f<o>' });
    expect(await mutate({ gsub: ['a', '(a)(b)?', "[\\0|\\&|\\`|\\'|\\+|\\q|\\\\]"] }, { a: 'xaby' })).toEqual({
      a: 'x[ab|ab|x|y|b|\\q|\\]y',
    });
    expect(await mutate({ gsub: ['a', 'o', '\\k<n>'] }, { a: 'fo' })).toEqual({ a: 'fo', tags: ['_mutate_error'] });
  });
  test('gsub: groups, names, sprintf, arrays', async () => {
    expect(await mutate({ gsub: ['a', '(\\w)-(\\w)', '\\2-\\1'] }, { a: 'x-y' })).toEqual({ a: 'y-x' });
    expect(await mutate({ gsub: ['a', '(?<n>\\d+)', '<\\k<n>>'] }, { a: 'b12' })).toEqual({ a: 'b<12>' });
    expect(await mutate({ gsub: ['a', '%{x}', '%{y}$&'] }, { a: 'foo', x: 'o', y: 'u' })).toMatchObject({
      a: 'fu$&u$&',
    });
    expect(await mutate({ gsub: ['a', '/', '_'] }, { a: ['a/b', 1] })).toEqual({ a: ['a_b', 1] });
    expect(await mutate({ gsub: ['a', '[\\\\?#-]', '.'] }, { a: 'a\\b?c' })).toEqual({ a: 'a.b.c' });
  });
  test('gsub: the dot stops at a line break', async () => {
    expect(await mutate({ gsub: ['a', '#.*', ''] }, { a: 'x # y\nz' })).toEqual({ a: 'x \nz' });
    expect(await mutate({ gsub: ['a', '(?m)#.*', ''] }, { a: 'x # y\nz' })).toEqual({ a: 'x ' });
  });
  test('case and strip', async () => {
    const options = { uppercase: ['u'], lowercase: ['l'], capitalize: ['c'], strip: ['s'] };
    const fields = { u: 'aé', l: ['AB', 1], c: 'hELLO wORLD', s: ' \tx\u00a0 ' };
    expect(await mutate(options, fields)).toEqual({ u: 'AÉ', l: ['ab', 1], c: 'Hello world', s: 'x\u00a0' });
  });
  test('split as Ruby splits, join', async () => {
    expect(await mutate({ split: { a: ',' } }, { a: ',a,b,,' })).toEqual({ a: ['', 'a', 'b'] });
    expect(await mutate({ split: { a: ' ' } }, { a: '  a  b ' })).toEqual({ a: ['a', 'b'] });
    expect(await mutate({ join: { a: '-' } }, { a: ['x', 1] })).toEqual({ a: 'x-1' });
  });
  test('merge', async () => {
    expect(await mutate({ merge: { a: 'b' } }, { a: [1], b: [2] })).toEqual({ a: [1, 2], b: [2] });
    expect(await mutate({ merge: { a: 'b' } }, { a: 'x', b: 'y' })).toEqual({ a: ['x', 'y'], b: 'y' });
    expect(await mutate({ merge: { a: ['b', 'c'] } }, { a: { x: 1 }, b: { y: 2 }, c: { x: 3 } })).toMatchObject({
      a: { x: 3, y: 2 },
    });
    expect(await mutate({ merge: { a: 'b' } }, { a: { x: 1 }, b: [2] })).toEqual({ a: { x: 1 }, b: [2] });
  });
  test('merge into what is missing makes a list; several sources add up in lists and maps alone', async () => {
    expect(await mutate({ merge: { a: 'b' } }, { b: 'x' })).toEqual({ a: ['x'], b: 'x' });
    expect(await mutate({ merge: { a: 'b' } }, { a: 'x' })).toEqual({ a: ['x'] });
    expect(await mutate({ merge: { a: 'b' } }, {})).toEqual({ a: [] });
    expect(await mutate({ merge: { a: 'b' } }, { b: { x: 1 } })).toEqual({ b: { x: 1 } });
    expect(await mutate({ merge: { a: ['b', 'c'] } }, { a: [1], b: 2, c: 3 })).toMatchObject({ a: [1, 2, 3] });
    expect(await mutate({ merge: { a: ['b', 'c'] } }, { a: 1, b: 2, c: 3 })).toMatchObject({ a: [1, 3] });
  });
  test('strip of a list with another kind in it fails; null is not copied', async () => {
    expect(await mutate({ strip: ['a'] }, { a: [' x ', 'y '] })).toEqual({ a: ['x', 'y'] });
    expect(await mutate({ strip: ['a'] }, { a: [' x', 1] })).toEqual({ a: [' x', 1], tags: ['_mutate_error'] });
    expect(await mutate({ copy: { a: 'b' } }, { a: null })).toEqual({ a: null });
  });
  test('join prints lists and maps inside as Ruby does; split by nothing gives characters', async () => {
    expect(await mutate({ join: { a: '-' } }, { a: [1, [2, null], { b: 'c' }] })).toEqual({ a: '1-2--{"b"=>"c"}' });
    expect(await mutate({ split: { a: '' } }, { a: 'a😀b' })).toEqual({ a: ['a', '😀', 'b'] });
  });
  test('copies are deep', async () => {
    const event = await mutate({ copy: { a: 'b' }, add_field: { '[b][y]': '2' } }, { a: { x: 1 } });
    expect(event).toEqual({ a: { x: 1 }, b: { x: 1, y: '2' } });
  });
});

test('a substitution that runs away is ended, and the event tagged', async () => {
  const value = `${'a'.repeat(60)}!`;
  const options = { gsub: ['a', '\\A(?:\\w+\\s?)*\\z', ''] };
  expect(await mutate(options, { a: value })).toEqual({ a: value, tags: ['_mutate_error'] });
}, 20_000);
