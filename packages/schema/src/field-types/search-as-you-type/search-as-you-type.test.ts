import { expect, test } from 'vitest';
import { parseMapping, renderMapping } from '../../mapping/mapping-parser.ts';

const field = (declaration: object) => parseMapping({ properties: { a: declaration } });

test('has a field for runs of each length, and one for their beginnings', () => {
  const { fields, json } = field({ type: 'search_as_you_type', max_shingle_size: 4 });
  expect([...fields.keys()]).toEqual(['a', 'a._2gram', 'a._3gram', 'a._4gram', 'a._index_prefix']);
  expect(fields.get('a._index_prefix')).toMatchObject({
    grams: { words: 4, prefixes: { min: 1, max: 20 } },
    hasNorms: false,
    hasFreqs: true,
    hasPositions: false,
    isMultiField: true,
  });
  expect(json).toEqual({ properties: { a: { type: 'search_as_you_type', doc_values: false, max_shingle_size: 4 } } });
});

test('has them as a multi-field too, beside which they are listed', () => {
  const { fields } = field({ type: 'keyword', fields: { s: { type: 'search_as_you_type' } } });
  expect(fields.get('a')?.multiFields.map(({ path }) => path)).toEqual([
    'a.s',
    'a.s._2gram',
    'a.s._3gram',
    'a.s._index_prefix',
  ]);
});

test('a text field with index_phrases has a field for pairs of words', () => {
  const mapping = field({ type: 'text', index_phrases: true, index_prefixes: {} });
  expect(mapping.fields.get('a._index_phrase')?.grams).toEqual({ words: 2, prefixes: null });
  expect(renderMapping(mapping)).toEqual({
    properties: { a: { type: 'text', index_phrases: true, index_prefixes: { min_chars: 2, max_chars: 5 } } },
  });
});

test.each([
  [
    { type: 'search_as_you_type', max_shingle_size: 5 },
    '[max_shingle_size] must be at least [2] and at most [4], got [5]',
  ],
  [{ type: 'search_as_you_type', fielddata: true }, 'unknown parameter [fielddata]'],
  [{ type: 'text', index: false, index_phrases: true }, 'Cannot set index_phrases on unindexed field [a]'],
  [
    { type: 'text', index_options: 'docs', index_phrases: true },
    'Cannot set index_phrases on field [a] if positions are not enabled',
  ],
  [{ type: 'text', index: false, index_prefixes: {} }, 'Cannot set index_prefixes on unindexed field [a]'],
  [{ type: 'text', index_prefixes: { min_chars: 0 } }, 'min_chars [0] must be greater than zero'],
  [{ type: 'text', index_prefixes: { max_chars: 20 } }, 'max_chars [20] must be less than 20'],
  [{ type: 'text', index_prefixes: { min_chars: 6, max_chars: 5 } }, 'min_chars [6] must be less than max_chars [5]'],
])('%j is refused', (declaration, reason) => {
  expect(() => field(declaration)).toThrow(reason);
});
