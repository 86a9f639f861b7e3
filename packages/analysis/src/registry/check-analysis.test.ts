import { NO_CONFIG_FILES } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import type { ComponentOptions } from '../tokens/component-options.ts';
import { createAnalyzers } from './analyzer-registry.ts';
import { ANALYZER_TYPES } from './analyzer-types.ts';
import { CHAR_FILTER_TYPES } from './char-filter-types.ts';
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
    [{ 'char_filter.x.mappings': 'a=>b' }, 'char_filter [x] must specify either an analyzer type, or a tokenizer'],
    [{ 'char_filter.x.type': 'mapping' }, 'mapping requires either `mappings` or `mappings_path` to be configured'],
    [{ 'char_filter.x.type': 'mapping', 'char_filter.x.mappings': 'ab' }, 'Line [1]: Invalid mapping rule : [ab]'],
    [{ 'char_filter.x.type': 'mapping', 'char_filter.x.mappings': 'a=>b,a=>c' }, 'match "a" was already added'],
    [{ 'char_filter.x.type': 'pattern_replace' }, "pattern is missing for [x] char filter of type 'pattern_replace'"],
    [{ 'char_filter.x.type': 'pattern_replace', 'char_filter.x.pattern': '(' }, 'near index 1\n('],
    [{ 'tokenizer.x.type': 'pattern', 'tokenizer.x.flags': 'NOPE' }, 'Unknown regex flag [NOPE]'],
    [{ 'tokenizer.x.type': 'path_hierarchy', 'tokenizer.x.delimiter': 'ab' }, 'delimiter must be a one char value'],
    [
      { 'tokenizer.x.type': 'ngram', 'tokenizer.x.max_gram': '5' },
      'The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: [1] but was [4].',
    ],
    [
      { 'tokenizer.x.type': 'ngram', 'tokenizer.x.token_chars': 'custom' },
      "Token type: 'custom' requires setting `custom_token_chars`",
    ],
    [{ 'normalizer.x.type': 'nope' }, 'Unknown normalizer type [nope] for [x]'],
    [{ 'normalizer.x.filter': 'porter_stem' }, 'Custom normalizer [x] may not use filter [porter_stem]'],
    [{ 'normalizer.x.filter': 'nope' }, 'Custom Analyzer [x] failed to find filter under name [nope]'],
    [{ 'normalizer.x.char_filter': 'html_strip' }, 'Custom normalizer [x] may not use char filter [html_strip]'],
    [{ 'normalizer.x.char_filter': 'nope' }, 'Custom normalizer [x] failed to find char_filter under name [nope]'],
    [{ 'normalizer.x.tokenizer': 'keyword' }, 'Custom normalizer [x] cannot configure a tokenizer'],
  ])('%j', (declared, text) => {
    expect(() => checkAnalysis(settings(declared), NO_CONFIG_FILES)).toThrow(text);
  });
});

describe('an option', () => {
  test.each([
    { 'filter.x.type': 'length', 'filter.x.nonsense': '1' },
    { 'filter.x.type': 'shingle', 'filter.x.tokenizer': 'standard' },
    { 'filter.x.type': 'edge_ngram', 'filter.x.token_chars.0': 'letter' },
    { 'tokenizer.x.type': 'keyword', 'tokenizer.x.max_token_length': '3' },
    { 'tokenizer.x.type': 'edge_ngram', 'tokenizer.x.side': 'front' },
    { 'analyzer.x.type': 'simple', 'analyzer.x.stopwords_path': 'words.txt' },
    { 'analyzer.x.tokenizer': 'standard', 'analyzer.x.language': 'english', 'analyzer.x.stopwords': '_nope_' },
    { 'normalizer.x.type': 'custom', 'normalizer.x.nonsense': '1' },
    { 'char_filter.x.type': 'html_strip', 'char_filter.x.nonsense': '1' },
  ])('that its component does not read says nothing, as in Elasticsearch: %j', (declared) =>
    expect(() => checkAnalysis(settings(declared), NO_CONFIG_FILES)).not.toThrow(),
  );

  test('of a group that there is not is refused', () => {
    expect(() => checkAnalysis(settings({ 'nonsense.x.type': 'custom' }), NO_CONFIG_FILES)).toThrow(/unknown/);
  });

  const context = createAnalyzers({}).context(null);
  const analyzers = ANALYZER_TYPES;
  const components = [
    ...CHAR_FILTER_TYPES.map((known) => ({
      ...known,
      build: (options: ComponentOptions) => known.create(options, 'x'),
    })),
    ...TOKEN_FILTER_TYPES.map((known) => ({
      ...known,
      build: (options: ComponentOptions) => known.create(options, context, known.type),
    })),
    ...TOKENIZER_TYPES.map((known) => ({
      ...known,
      build: (options: ComponentOptions) => known.create(options, context),
    })),
    ...analyzers.map((known) => ({ ...known, build: (options: ComponentOptions) => known.create('x', options) })),
  ];

  test.each(components)('$type declares exactly the options it reads', ({ options, build, ...rest }) => {
    const read = new Set<string>();
    const undeclared: ComponentOptions = ('undeclared' in rest && rest.undeclared) || {};
    const recording = new Proxy<Record<string, string>>(
      {},
      {
        get(_, key) {
          if (typeof key === 'string') read.add(key.replace(/\.\d+$/, ''));
          return undeclared[String(key)];
        },
      },
    );
    // Without its options it is refused, after it has looked for them.
    if ('needsOptions' in rest && rest.needsOptions === true) expect(() => build(recording)).toThrow();
    else build(recording);
    expect([...read].sort()).toEqual([...options].sort());
  });
});

test('a list of stop words of a language that is not here is refused, words and known lists are taken', () => {
  const stop = (words: string) => settings({ 'filter.x.type': 'stop', 'filter.x.stopwords': words });
  for (const words of ['_klingon_', '_english_,_latin_']) {
    expect(() => checkAnalysis(stop(words), NO_CONFIG_FILES)).toThrow('is not supported');
  }
  expect(() =>
    checkAnalysis(settings({ 'analyzer.x.type': 'standard', 'analyzer.x.stopwords': '_nope_' }), NO_CONFIG_FILES),
  ).toThrow();
  for (const words of ['_english_', '_french_', '_none_', 'le,la', '_english_,x'])
    expect(() => checkAnalysis(stop(words), NO_CONFIG_FILES)).not.toThrow();
});
