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
  ])('converts %j to %s: %j', async (value, type, expected) => {
    expect(await mutate({ convert: { a: type } }, { a: value })).toEqual({ a: expected });
  });
  test('what cannot be converted is tagged; earlier changes stay, later ones do not happen', async () => {
    const options = { rename: { x: 'y' }, convert: { a: 'integer' }, copy: { a: 'b' } };
    expect(await mutate(options, { a: 'abc', x: 1 })).toEqual({ a: 'abc', y: 1, tags: ['_mutate_error'] });
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
