/** `significant_text`: words of the source, compared with the postings of the field. */
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';
import { DuplicateSpotter } from './duplicate-spotter.ts';

const MAPPING = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    folded: { type: 'text', analyzer: 'english' },
    dark: { type: 'text', index: false },
  },
};
const SHARDS = [
  [
    { k: 'a', t: 'red car red', folded: 'running dogs', sub: { x: 'red wine' } },
    { k: 'a', t: ['blue car', 'old'] },
    { k: 'b', t: 'blue bird' },
    { k: 'b', t: 'green bird' },
  ],
  [{ k: 'a', t: 'red car', folded: 'runs' }, { k: 'b' }, { k: 'b', t: 'blue car' }],
];

async function words(options: object, docs: readonly (readonly object[])[] = SHARDS): Promise<readonly unknown[]> {
  const text = { significant_text: { field: 't', min_doc_count: 1, ...options } };
  const aggs = { f: { filter: { term: { k: 'a' } }, aggs: { w: text } } };
  const { f } = await answerOf(MAPPING, docs, aggs);
  return bucketsIn(f?.w).map(({ key, doc_count, bg_count }) => [key, doc_count, bg_count]);
}

test('each word of a document counts once, the most significant first', async () => {
  expect(await words({})).toEqual([
    ['red', 2, 2],
    ['car', 3, 4],
    ['old', 1, 1],
    ['blue', 1, 2],
  ]);
});

test('the bucket and the background are counted in documents', async () => {
  const aggs = { f: { filter: { term: { k: 'a' } }, aggs: { w: { significant_text: { field: 't' } } } } };
  const { f } = await answerOf(MAPPING, SHARDS, aggs);
  expect(f?.w).toMatchObject({ doc_count: 3, bg_count: 7 });
});

test('words are those of the analyzer of the field, read from the paths that are named', async () => {
  expect(await words({ field: 'folded' })).toEqual([
    ['run', 2, 2],
    ['dog', 1, 1],
  ]);
  expect(await words({ source_fields: ['sub.x', 't'], include: 'w.*|red' })).toEqual([
    ['red', 2, 2],
    ['wine', 1, 0],
  ]);
  expect(await words({ source_fields: 'sub.x', exclude: ['red'] })).toEqual([['wine', 1, 0]]);
});

test('a background of some documents is counted by the postings in them', async () => {
  expect(await words({ background_filter: { terms: { k: ['a', 'b'] } }, percentage: {} })).toEqual([
    ['old', 1, 1],
    ['red', 2, 2],
    ['car', 3, 4],
    ['blue', 1, 2],
  ]);
  expect(await words({ background_filter: { match: { t: 'red' } }, include: 'car', percentage: {} })).toEqual([
    ['car', 3, 2],
  ]);
});

describe('filter_duplicate_text', () => {
  const quote = 'one two three four five six seven';
  const shard = [
    [
      { k: 'a', t: `${quote} red` },
      { k: 'a', t: `blue ${quote}` },
      { k: 'b', t: 'other' },
    ],
  ];

  test('leaves passages out that a document before had', async () => {
    const counted = await words({ filter_duplicate_text: true, size: 20 }, shard);
    expect(counted).toEqual([
      ['blue', 1, 1],
      ['red', 1, 1],
    ]);
    expect(await words({ size: 20 }, shard)).toContainEqual(['four', 2, 2]);
  });

  test('knows passages of six words, wherever they stand', () => {
    const spotter = new DuplicateSpotter();
    const tokens = quote.split(' ');
    expect(spotter.newTokens(tokens)).toEqual(tokens);
    expect(spotter.newTokens(['x', ...tokens.slice(1), 'y'])).toEqual(['x', 'y']);
    expect(spotter.newTokens(tokens.slice(0, 5))).toEqual(tokens.slice(0, 5));
    expect(spotter.newTokens([])).toEqual([]);
    expect(spotter.memoryBytes).toBeGreaterThan(0);
  });
});

test.each([
  [{ field: 'n' }, 'Field [n] has no analyzer, but SignificantText requires an analyzed field'],
  [{ field: 'dark' }, 'Field [dark] has no analyzer'],
  [{ field: 't', execution_hint: 'map' }, '[significant_text] unknown field [execution_hint]'],
  [{ field: 't', missing: 'x' }, '[significant_text] unknown field [missing]'],
  [{ field: 't', size: 0 }, '[significant_text] failed to parse field [size]'],
  [{}, 'Required [field]'],
])('%j is refused', async (options, reason) => {
  await expect(answerOf(MAPPING, SHARDS, { w: { significant_text: options } })).rejects.toThrow(reason);
});

test('aggregations inside are refused, and a field that nobody has is no error', async () => {
  const aggs = { m: { max: { field: 'n' } } };
  const inner = answerOf(MAPPING, SHARDS, { w: { significant_text: { field: 't' }, aggs } });
  await expect(inner).rejects.toMatchObject({ type: 'aggregation_initialization_exception', status: 500 });
  expect(await words({ field: 'nope' })).toEqual([]);
});
