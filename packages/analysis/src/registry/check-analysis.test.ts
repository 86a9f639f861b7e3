import { describe, expect, test } from 'vitest';
import type { ComponentOptions } from '../tokens/component-options.ts';
import { builtInAnalyzer } from './analyzer-types.ts';
import { checkAnalysis } from './check-analysis.ts';
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts';
import { TOKENIZER_TYPES } from './tokenizer-types.ts';

/** Settings with `index.analysis.` in front of each key. */
function settings(declared: Readonly<Record<string, string>>): ComponentOptions {
  return Object.fromEntries(Object.entries(declared).map(([key, value]) => [`index.analysis.${key}`, value]));
}

describe('analysis settings are refused with the texts of Elasticsearch', () => {
  test.each([
    [
      { 'analyzer.x.type': 'custom', 'analyzer.x.tokenizer': 'nope' },
      'Custom Analyzer [x] failed to find tokenizer under name [nope]',
    ],
    [
      { 'analyzer.x.tokenizer': 'standard', 'analyzer.x.filter.0': 'nope' },
      'Custom Analyzer [x] failed to find filter under name [nope]',
    ],
    [
      { 'analyzer.x.tokenizer': 'standard', 'analyzer.x.char_filter.0': 'nope' },
      'Custom Analyzer [x] failed to find char_filter under name [nope]',
    ],
    [{ 'analyzer.x.type': 'nope' }, 'Unknown analyzer type [nope] for [x]'],
    [{ 'analyzer.x.type': 'custom' }, 'Custom Analyzer [x] must be configured with a tokenizer'],
    [{ 'analyzer.x.filter': 'lowercase' }, 'analyzer [x] must specify either an analyzer type, or a tokenizer'],
    [{ 'analyzer._x.type': 'standard' }, `analyzer name must not start with '_'. got "_x"`],
    [{ 'analyzer.x.type': 'standard', 'analyzer.x.max_token_length': '0' }, 'maxTokenLength must be greater than zero'],
    [
      { 'analyzer.x.type': 'standard', 'analyzer.x.max_token_length': '9999999' },
      'maxTokenLength may not exceed 1048576',
    ],
    [{ 'filter.x.type': 'nope' }, 'Unknown filter type [nope] for [x]'],
    [{ 'filter.length.min': '3' }, 'filter [length] must specify either an analyzer type, or a tokenizer'],
    [{ 'filter.x.type': 'length', 'filter.x.min': 'abc' }, 'Failed to parse int setting [min] with value [abc]'],
    [{ 'filter.x.type': 'length', 'filter.x.min': '-1' }, 'minimum length must be greater than or equal to zero'],
    [
      { 'filter.x.type': 'length', 'filter.x.min': '5', 'filter.x.max': '2' },
      'maximum length must not be greater than minimum length',
    ],
    [{ 'filter.x.type': 'truncate', 'filter.x.length': '0' }, 'length parameter must be provided'],
    [{ 'filter.x.type': 'edge_ngram', 'filter.x.side': 'foo' }, 'invalid side: foo'],
    [{ 'tokenizer.x.type': 'nope' }, 'Unknown tokenizer type [nope] for [x]'],
    [{ 'tokenizer.x.max_token_length': '3' }, 'tokenizer [x] must specify either an analyzer type, or a tokenizer'],
    [{ 'char_filter.x.type': 'nope' }, 'Unknown char_filter type [nope] for [x]'],
    [{ 'analyzer.x': 'standard' }, "because of a missing '.'"],
  ])('%j', (declared, text) => {
    expect(() => checkAnalysis(settings(declared))).toThrow(text);
  });
});

describe('an option that nobody reads is refused', () => {
  test.each([
    { 'filter.x.type': 'length', 'filter.x.nonsense': '1' },
    { 'filter.x.type': 'stop', 'filter.x.remove_trailing': 'false' },
    { 'tokenizer.x.type': 'keyword', 'tokenizer.x.buffer_size': '3' },
    { 'analyzer.x.type': 'standard', 'analyzer.x.stopwords_path': 'words.txt' },
    { 'analyzer.x.tokenizer': 'standard', 'analyzer.x.stopwords': 'a' },
    { 'normalizer.x.type': 'custom' },
    { 'nonsense.x.type': 'custom' },
  ])('%j', (declared) => expect(() => checkAnalysis(settings(declared))).toThrow(/unknown/i));

  const analyzers = ['english', 'keyword', 'simple', 'standard', 'stop', 'whitespace'].flatMap((type) => {
    const found = builtInAnalyzer(type);
    return found === null ? [] : [found];
  });
  const components = [
    ...TOKEN_FILTER_TYPES.map((known) => ({ ...known, build: known.create })),
    ...TOKENIZER_TYPES.map((known) => ({ ...known, build: known.create })),
    ...analyzers.map((known) => ({ ...known, build: (options: ComponentOptions) => known.create('x', options) })),
  ];

  test.each(components)('$type declares exactly the options it reads', ({ options, build }) => {
    const read = new Set<string>();
    const recording = new Proxy<Record<string, string>>(
      {},
      {
        get(_, key) {
          if (typeof key === 'string') read.add(key.replace(/\.\d+$/, ''));
          return undefined;
        },
      },
    );
    build(recording);
    expect([...read].sort()).toEqual([...options].sort());
  });
});

test('a list of stop words of a language that is not here is refused, words and known lists are taken', () => {
  const stop = (words: string) => settings({ 'filter.x.type': 'stop', 'filter.x.stopwords': words });
  for (const words of ['_french_', '_english_,_german_']) {
    expect(() => checkAnalysis(stop(words))).toThrow('is not supported');
  }
  expect(() => checkAnalysis(settings({ 'analyzer.x.type': 'standard', 'analyzer.x.stopwords': '_thai_' }))).toThrow();
  for (const words of ['_english_', '_none_', 'le,la', '_english_,x'])
    expect(() => checkAnalysis(stop(words))).not.toThrow();
});
