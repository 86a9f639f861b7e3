import { FETCHED_TERMS } from '@shoal/query';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../../phases/fetch/fetch-hits.ts';
import {
  idsOf,
  memoryContext,
  runQuery,
  shardSearch,
  type TestDoc,
} from '../../../phases/query/memory-searcher.test-support.ts';
import { inHashOrder } from './hash-order.ts';
import { LeastFirstHeap } from './least-first-heap.ts';

const MAPPING = {
  properties: { a: { type: 'text' }, b: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'long' } },
};
const DOCS = [
  { a: 'one two three', b: 'one four', k: 'x', n: 1 },
  { a: 'one two', b: 'four four two', k: 'x' },
  { a: 'five six', b: 'one', k: 'y' },
  { a: 'seven two two', b: 'one five', k: 'z' },
  { a: 'zz', b: 'five two' },
].map((doc, i): TestDoc => ({ id: String(i), source: JSON.stringify(doc) }));

const context = memoryContext(MAPPING, [DOCS.slice(0, 2), DOCS.slice(2)]);
const ALL = { min_term_freq: 1, min_doc_freq: 1 };

/** Ids and scores, best first. */
async function found(query: object): Promise<readonly (readonly [string, number])[]> {
  const { ords, columns } = await runQuery(context, { query: { more_like_this: { ...ALL, ...query } } }, { topN: 10 });
  const scores = columns[0]?.kind === 'score' ? columns[0].values : [];
  return idsOf(context, ords).map((id, i): readonly [string, number] => [id, Number(scores[i]?.toFixed(4))]);
}

const idsFound = async (query: object): Promise<readonly string[]> => (await found(query)).map(([id]) => id);
const liked = (item: object, fields: object, index: string | null = null) => ({
  ...item,
  [FETCHED_TERMS]: [{ index, fields }],
});

// Scores as a server of version 7 gives them.
describe('more_like_this of texts', () => {
  test('looks for each word in the field that has it in most documents', async () => {
    expect(await found({ fields: ['a'], like: 'one two' })).toEqual([
      ['1', 1.4691],
      ['0', 1.2313],
      ['3', 0.6724],
    ]);
    expect(await found({ fields: ['a', 'b'], like: 'one five four' })).toEqual([
      ['0', 1.4145],
      ['3', 1.4145],
      ['1', 1.0554],
      ['4', 0.8755],
      ['2', 0.6776],
    ]);
  });

  test.each<[string, object, readonly string[]]>([
    ['as many words as are allowed, the rarest', { max_query_terms: 1, like: 'one two three' }, ['0']],
    ['no stop words', { stop_words: ['one', 'two'], like: 'one two three' }, ['0']],
    ['no short words', { min_word_length: 4, like: 'one two three' }, ['0']],
    ['no long words', { max_word_length: 3, like: 'seven six' }, ['2']],
    ['no words in few documents', { min_doc_freq: 3, like: 'one two three' }, ['3', '1', '0']],
    ['no words in many documents', { max_doc_freq: 1, like: 'one two three' }, ['0']],
    ['no words that the text has once', { min_term_freq: 2, like: 'one two two' }, ['3', '1', '0']],
    ['no words of what is to be unlike', { like: 'one three', unlike: 'one' }, ['0']],
    ['documents with all words', { like: 'one two three', minimum_should_match: '100%' }, ['0']],
    ['words as an analyzer cuts them', { like: 'five six', analyzer: 'keyword' }, []],
  ])('finds %s', async (_, query, ids) => {
    expect(await idsFound({ fields: ['a'], ...query })).toEqual(ids);
  });
});

test('nested objects count as documents where words are weighed', async () => {
  const mapping = {
    properties: { a: { type: 'text' }, o: { type: 'nested', properties: { z: { type: 'keyword' } } } },
  };
  const nested = [
    { a: 'one two', o: [{ z: 'x' }, { z: 'y' }, { z: 'w' }] },
    { a: 'one', o: [{ z: 'x' }, { z: 'y' }] },
    { a: 'three' },
  ].map((doc, i): TestDoc => ({ id: String(i), source: JSON.stringify(doc) }));
  const query = { more_like_this: { ...ALL, fields: ['a'], like: 'one two', boost_terms: 2 } };
  const { columns } = await runQuery(memoryContext(mapping, [nested]), { query }, { topN: 10 });
  const scores = columns[0]?.kind === 'score' ? columns[0].values : [];
  expect([...scores].map((score) => Number(score.toFixed(4)))).toEqual([2.7236, 1.0471]);
});

describe('more_like_this of documents', () => {
  const zero = { a: { one: 1, two: 1, three: 1 }, b: { one: 1, four: 1 } };

  test('finds others with the words of their fields, and themselves where it is asked to', async () => {
    const like = liked({ _id: '0' }, zero);
    expect(await found({ like })).toEqual([
      ['1', 2.5245],
      ['3', 1.2114],
      ['2', 0.6776],
    ]);
    expect(await idsFound({ like, include: true })).toContain('0');
  });

  test('weighs words by how telling they are, relative to the least telling one', async () => {
    const like = [liked({ _id: '0' }, zero), liked({ _id: '1' }, { a: { one: 1, two: 1 }, b: { four: 2, two: 1 } })];
    expect(await found({ like, include: true, boost_terms: 2 })).toEqual([
      ['1', 13.8135],
      ['0', 13.5359],
      ['3', 2.8791],
      ['4', 2.1093],
      ['2', 1.3552],
    ]);
  });

  test('counts those of the index that is searched', async () => {
    expect(await idsFound({ like: liked({ _id: '9' }, { a: { six: 1 } }, 'other') })).toEqual([]);
    expect(await idsFound({ like: liked({ _id: '9' }, { a: { six: 1 } }, 'test') })).toEqual(['2']);
  });

  test('leaves out words of documents that are to be unlike', async () => {
    const query = {
      like: liked({ doc: {} }, { a: { one: 1, six: 1 } }),
      unlike: liked({ _id: '1' }, { a: { one: 1 } }),
    };
    expect(await idsFound(query)).toEqual(['2']);
  });
});

test.each([
  [{ fields: ['n'], like: 'a' }, 'more_like_this only supports text/keyword fields: [n]'],
  [{ like: 'a' }, '[more_like_this] query cannot infer the field to analyze the free text'],
  [{ fields: ['a'], like: { _id: '1' } }, 'documents of [more_like_this] are not supported in this place'],
  [{ fields: ['a'], like: {} }, 'neither [id] nor [doc] is specified!'],
  [{ fields: ['a'], like: { _id: '1', x: 1 } }, 'unknown field [x]'],
  [{ fields: ['a'], like: [['a']] }, "Content of 'like' parameter should either be a string or an object"],
  [{ fields: ['a'] }, "more_like_this requires 'like' to be specified"],
  [{ fields: [], like: 'a' }, "more_like_this requires 'fields' to be non-empty"],
  [{ fields: ['a'], like: 'a', max_query_terms: 0 }, "requires 'maxQueryTerms' to be greater than 0"],
  [{ fields: ['a'], like: 'a', min_doc_freq: 'x' }, 'For input string: "x"'],
  [{ fields: ['a'], like: 'a', like_text: 'a' }, '[mlt] query does not support [like_text]'],
])('more_like_this %j is refused', async (query, reason) => {
  await expect(idsFound(query)).rejects.toThrow(reason);
});

test('a field that has no words is left out where that is allowed', async () => {
  expect(await idsFound({ fields: ['n', 'a'], like: 'six', fail_on_unsupported_field: false })).toEqual(['2']);
  expect(await idsFound({ fields: ['n'], like: 'six', fail_on_unsupported_field: false })).toEqual([]);
});

test.each([
  ['plain', '{"a":["<em>one</em> two <em>three</em>"]}'],
  ['unified', null],
])('the %s highlighter marks its words: %s', async (type, expected) => {
  const query = { more_like_this: { ...ALL, fields: ['a'], like: 'one three' } };
  const { request } = shardSearch({ query, highlight: { type, fields: { a: {} } } });
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const [hit] = await fetchHits(context, { ords: Uint32Array.of(0), request }, { isStopped: false }, clock);
  expect(hit?.highlight && Buffer.from(hit.highlight).toString('utf8')).toBe(expected);
});

test('a heap keeps what sorting keeps, least first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.nat({ max: 12 }), (weights, kept) => {
      const heap = new LeastFirstHeap<{ readonly weight: number }>(kept);
      for (const weight of weights) heap.offer({ weight });
      const expected = [...weights].sort((a, b) => b - a).slice(0, kept);
      expect(heap.drain().map(({ weight }) => weight)).toEqual(expected.reverse());
    }),
  );
});

test('keys stand in the order of a hash map: by their hashes, those of one bucket as they came', () => {
  // Hash codes: one 110182, bucket 7 of 16; two 115276, bucket 13; Aa and BB 2112, bucket 0.
  expect(inHashOrder(['two', 'Aa', 'one', 'BB'])).toEqual(['Aa', 'BB', 'one', 'two']);
  expect(inHashOrder(['BB', 'two', 'Aa'])).toEqual(['BB', 'Aa', 'two']);
});
