import { expect, test } from 'vitest';
import { createAnalyzers } from '../registry/analyzer-registry.ts';
import type { Analyzer } from './analyzer.ts';
import { type GramShape, gramAnalyzer } from './gram-analyzer.ts';

const analyzers = createAnalyzers({});

function tokens(base: string, shape: Partial<GramShape>, text: string): string[] {
  const analyzer = gramAnalyzer(analyzers.get(base) as Analyzer, {
    words: 1,
    keepsTrailing: false,
    prefixes: null,
    ...shape,
  });
  const found: string[] = [];
  let position = -1;
  analyzer.analyze(text, (term, start, end, increment) => {
    position += increment;
    found.push(`${position}:${term}[${start}-${end}]`);
  });
  return found;
}

test('runs of words are tokens, each a position behind the one before', () => {
  expect(tokens('standard', { words: 2 }, 'The quick Fox')).toEqual(['0:the quick[0-9]', '1:quick fox[4-13]']);
  expect(tokens('standard', { words: 4 }, 'the quick fox')).toEqual([]);
});

test('words that were left out have a place in a run', () => {
  expect(tokens('stop', { words: 2 }, 'quick and fox')).toEqual(['0:quick [0-10]', '1: fox[10-13]']);
});

test('shorter runs at the end are padded', () => {
  expect(tokens('standard', { words: 3, keepsTrailing: true }, 'a b')).toEqual(['0:a b [0-3]', '1:b  [2-3]']);
});

test('beginnings of a run stand at its position', () => {
  const shape = { words: 2, prefixes: { min: 1, max: 3 } };
  expect(tokens('standard', shape, 'ab c')).toEqual(['0:a[0-4]', '0:ab[0-4]', '0:ab [0-4]']);
});
