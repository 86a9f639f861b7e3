import { ShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { parseFieldReference } from './parse-field-reference.ts';

describe('field references', () => {
  test.each([
    ['message', ['message'], false],
    ['a.b', ['a.b'], false],
    ['[a][b][0]', ['a', 'b', '0'], false],
    ['[[a][b]][c]', ['a', 'b', 'c'], false],
    ['@metadata', [], true],
    ['[@metadata][x]', ['x'], true],
  ])('%s', (text, path, isMetadata) => {
    expect(parseFieldReference(text)).toEqual({ text, path, isMetadata });
  });

  test.each(['', 'a[b]', '[]', '[a', 'a]', '[a]b', '[a][]', '[[a]b]'])('%j is none', (text) => {
    expect(() => parseFieldReference(text)).toThrow(ShoalError);
  });

  test('brackets in names are written as the style says', () => {
    expect(parseFieldReference('[a%5Bb%5D]', 'percent').path).toEqual(['a[b]']);
    expect(parseFieldReference('a&#91;b&#93;', 'ampersand').path).toEqual(['a[b]']);
    expect(parseFieldReference('a%5B').path).toEqual(['a%5B']);
  });
});
