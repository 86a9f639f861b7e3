import { describe, expect, test } from 'vitest';
import { renamed, wantedIndices } from './restore-names.ts';

const STRICT = { ignoresUnavailable: false, allowsNoIndices: false };

describe('indices of a snapshot that a restore means', () => {
  const there = ['a1', 'a2', 'b'];

  test.each<[readonly string[], readonly string[]]>([
    [[], there],
    [['_all'], there],
    [['b'], ['b']],
    [['a*'], ['a1', 'a2']],
    [['*', '-a*'], ['b']],
    [
      ['b', 'a1'],
      ['a1', 'b'],
    ],
  ])('%j are %j', (patterns, wanted) => {
    expect(wantedIndices(there, { patterns, ...STRICT })).toEqual(wanted);
  });

  test('that are missing are an error, unless they may be', () => {
    expect(() => wantedIndices(there, { patterns: ['c'], ...STRICT })).toThrow('no such index [c]');
    expect(() => wantedIndices(there, { patterns: ['c*'], ...STRICT })).toThrow('no such index [c*]');
    const lenient = { ignoresUnavailable: true, allowsNoIndices: true };
    expect(wantedIndices(there, { patterns: ['c', 'd*'], ...lenient })).toEqual([]);
  });
});

describe('new names', () => {
  test.each([
    ['index_(.+)', 'restored_index_$1', 'index_1', 'restored_index_1'],
    ['(.+)', 'r-$1', 'a', 'r-a'],
    ['(?<n>\\d+)', '<${n}>', 'a12', 'a<12>'],
    ['a', '\\$1', 'banana', 'b$1n$1n$1'],
    ['x', '$0$0', 'x', 'xx'],
    ['nothing', 'z', 'a', 'a'],
  ])('%s by %s: %s is %s', (pattern, replacement, name, expected) => {
    expect(renamed([name], pattern, replacement)).toEqual([expected]);
  });

  test.each([
    ['(', 'x', 'is no regular expression'],
    ['a', '$', 'illegal group reference'],
    ['a', '$1', 'names the group [1]'],
    ['a', '${n}', 'names the group [n]'],
  ])('%s by %s are refused', (pattern, replacement, why) => {
    expect(() => renamed(['a'], pattern, replacement)).toThrow(why);
  });

  test('of a pattern that backtracks for ever are refused in time', () => {
    expect(() => renamed([`${'a'.repeat(200)}!`], '(a+)+$', 'x')).toThrow('takes too long');
  });
});
