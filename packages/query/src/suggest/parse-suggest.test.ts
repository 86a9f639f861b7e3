import { isShoalError, parseJsonTree, ValueReader } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { collateQuery } from './collate.ts';
import { parseSuggest } from './parse-suggest.ts';
import { readSuggestion } from './read-suggestion.ts';
import type { Suggestion } from './suggester.ts';

function parsed(suggest: unknown): readonly Suggestion[] {
  const node = parseJsonTree(Buffer.from(JSON.stringify(suggest)));
  if (node === null) throw new Error('no body');
  return parseSuggest(node);
}

function refusal(suggest: unknown): { readonly type: string; readonly reason: string } {
  try {
    parsed(suggest);
  } catch (error) {
    if (isShoalError(error)) return { type: error.type, reason: error.reason ?? '' };
    throw error;
  }
  throw new Error('was accepted');
}

const term = (options: object): object => ({ a: { text: 'x', term: { field: 'f', ...options } } });
const phrase = (options: object): object => ({ a: { text: 'x', phrase: { field: 'f', ...options } } });
const generator = (options: object): object => phrase({ direct_generator: [{ field: 'f', ...options }] });
const completion = (options: object): object => ({ a: { prefix: 'x', completion: { field: 'f', ...options } } });

describe('suggestions of a request', () => {
  test('share the text of all, where they have none of their own', () => {
    const found = parsed({ text: 'all', a: { term: { field: 'f' } }, b: { prefix: 'p', completion: { field: 'f' } } });
    expect(found.map(({ name, text, prefix }) => ({ name, text, prefix }))).toEqual([
      { name: 'a', text: 'all', prefix: null },
      { name: 'b', text: 'p', prefix: 'p' },
    ]);
  });

  test('have defaults', () => {
    const [found] = parsed({ a: { text: 'x', term: { field: 'f' } } });
    expect(found?.suggester).toMatchObject({
      size: 5,
      shardSize: null,
      spelling: { mode: 'missing', accuracy: 0.5, maxEdits: 2, prefixLength: 1, minWordLength: 4, maxTermFreq: 0.01 },
    });
  });

  test.each([
    term({ size: 3, shard_size: 9, sort: 'frequency', suggest_mode: 'always', string_distance: 'ngram' }),
    term({ accuracy: 0.7, max_edits: 1, max_inspections: 3, max_term_freq: 7, min_doc_freq: 2, min_word_length: 2 }),
    phrase({ smoothing: { laplace: { alpha: 0.7 } }, highlight: { pre_tag: '<', post_tag: '>' }, gram_size: 2 }),
    phrase({ smoothing: { linear: { trigram_lambda: 0.5, bigram_lambda: 0.3, unigram_lambda: 0.2 } }, confidence: 0 }),
    phrase({ collate: { query: { source: { match: { f: '{{suggestion}}' } } }, params: { n: 1 }, prune: true } }),
    generator({ size: 3, pre_filter: 'a', post_filter: 'b', suggest_mode: 'popular', max_edits: 1 }),
    completion({ fuzzy: { fuzziness: 2, min_length: 1 }, contexts: { c: 'v' }, skip_duplicates: true, size: 7 }),
    completion({ regex: { flags: 'NONE', max_determinized_states: 5 } }),
  ])('travel as they are: %j', (suggest) => {
    const found = parsed(suggest);
    const travelled = found.map((one) => readSuggestion(JSON.parse(JSON.stringify(one)), 'suggestion'));
    expect(travelled).toEqual(found);
  });

  test('that another node packed are not believed', () => {
    const [found] = parsed(term({}));
    const wrong = { ...found, suggester: { ...found?.suggester, size: -1 } };
    expect(() => readSuggestion(wrong, 'suggestion')).toThrow(/size/);
    expect(() => readSuggestion(ValueReader, 'suggestion')).toThrow();
  });
});

describe('a suggestion is refused', () => {
  test.each([
    [{ a: { text: 'x' } }, 'parse_exception', 'missing suggestion object'],
    [{ a: { text: 'x', foo: {} } }, 'named_object_not_found_exception', '[1:25] unknown field [foo]'],
    [{ a: [] }, 'parsing_exception', 'unexpected token [START_ARRAY] after [a]'],
    [{ a: { text: 'x', phrase: 1 } }, 'parsing_exception', 'suggestion does not support [phrase]'],
    [{ a: { term: {} } }, 'parse_exception', 'the required field option [field] is missing'],
    [term({ bad: 1 }), 'parsing_exception', "suggester[term] doesn't support field [bad]"],
    [term({ size: {} }), 'parsing_exception', 'suggester[term] parsing failed on [size]'],
    [term({ size: 0 }), 'illegal_argument_exception', 'size must be positive'],
    [term({ shard_size: -1 }), 'illegal_argument_exception', 'ShardSize must be positive but was: -1'],
    [term({ string_distance: 'zz' }), 'illegal_argument_exception', 'Illegal distance option zz'],
    [term({ max_edits: 3 }), 'illegal_argument_exception', 'maxEdits must be between 1 and 2'],
    [term({ accuracy: 3 }), 'illegal_argument_exception', 'accuracy must be between 0 and 1'],
    [term({ max_inspections: -1 }), 'illegal_argument_exception', 'maxInspections must be positive'],
    [
      term({ max_term_freq: 1.5 }),
      'illegal_argument_exception',
      'if maxTermFreq is greater than 1, it must not be a fraction',
    ],
    [term({ min_word_length: 0 }), 'illegal_argument_exception', 'minWordLength must be greater or equal to 1'],
    [phrase({ bad: [] }), 'parsing_exception', "suggester[phrase]  doesn't support array field [bad]"],
    [phrase({ max_errors: 0 }), 'illegal_argument_exception', 'max_error must be > 0.0'],
    [phrase({ confidence: -1 }), 'illegal_argument_exception', 'confidence must be >= 0.0'],
    [phrase({ gram_size: 0 }), 'illegal_argument_exception', 'gramSize must be >= 1'],
    [
      phrase({ highlight: { pre_tag: '<' } }),
      'illegal_argument_exception',
      'Pre and post tag must both be null or both not be null.',
    ],
    [phrase({ smoothing: { linear: {} } }), 'illegal_argument_exception', 'linear smoothing lambdas must sum to 1'],
    [phrase({ direct_generator: [{}] }), 'illegal_argument_exception', 'Required [field]'],
    [
      generator({ min_word_lengthx: 1 }),
      'x_content_parse_exception',
      '[direct_generator] unknown field [min_word_lengthx] did you mean [min_word_length]?',
    ],
    [generator({ x: 1 }), 'x_content_parse_exception', '[1:76] [direct_generator] unknown field [x]'],
    [completion({ bad: 1 }), 'x_content_parse_exception', '[1:47] [completion] unknown field [bad]'],
    [completion({ size: -1 }), 'x_content_parse_exception', '[1:54] [completion] failed to parse field [size]'],
  ])('%j', (suggest, type, reason) => {
    expect(refusal(suggest)).toMatchObject({
      type,
      reason: expect.stringContaining(reason.replace(/^\[[\d:]+\] /, '')),
    });
  });

  test('when one word would be compared with too many terms', () => {
    expect(refusal(term({ max_inspections: 1_000_000 })).reason).toMatch(/max_inspections/);
  });
});

describe('the query that a suggestion is put into', () => {
  test('holds it as part of a JSON string, with the other variables', () => {
    const source = { match: { '{{f}}': '{{suggestion}}' } };
    const [found] = parsed(phrase({ collate: { query: { source }, params: { f: 'title' } } }));
    const { suggester } = found ?? {};
    if (suggester?.kind !== 'phrase' || suggester.collate === null) throw new Error('no collate');
    expect(JSON.parse(collateQuery(suggester.collate, 'a "b"'))).toEqual({ match: { title: 'a "b"' } });
  });

  test('may have sections over lists', () => {
    const query = { source: '{"terms":{"t":[{{#words}}"{{.}}",{{/words}}"{{suggestion}}"]}}' };
    const [found] = parsed(phrase({ collate: { query, params: { words: ['a', 'b'] } } }));
    const { suggester } = found ?? {};
    if (suggester?.kind !== 'phrase' || suggester.collate === null) throw new Error('no collate');
    expect(JSON.parse(collateQuery(suggester.collate, 'c'))).toEqual({ terms: { t: ['a', 'b', 'c'] } });
  });

  test('has no parameters of its own, and no options but its media type', () => {
    const query = (more: object): string => refusal(phrase({ collate: { query: { source: '{}', ...more } } })).reason;
    expect(query({ params: { a: 1 } })).toMatch(/\[params\] of the query of \[collate\] is not supported/);
    expect(query({ options: { a: 'b' } })).toBe('illegal compiler options [{a=b}] specified');
  });
});
