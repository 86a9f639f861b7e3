import { expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    name: { type: 'text', fields: { length: { type: 'token_count', analyzer: 'standard' } } },
    words: { type: 'token_count', analyzer: 'stop', enable_position_increments: false },
    gaps: { type: 'token_count', analyzer: 'stop', doc_values: false },
  },
};
const SOURCES = [
  '{"name":"Rachel Alice Williams","words":"the cat and the dog","gaps":"the cat and the dog"}',
  '{"name":["John Smith","J"],"words":5}',
  '{"name":null,"words":""}',
];

const context = () => memoryContext(MAPPING, [SOURCES.map((source, at) => ({ id: String(at), source }))]);

test.each([
  [{ term: { 'name.length': 3 } }, ['0']],
  [{ range: { 'name.length': { lt: 3 } } }, ['1']],
  [{ term: { words: 2 } }, ['0']],
  [{ term: { gaps: 5 } }, ['0']],
  [{ exists: { field: 'name.length' } }, ['0', '1']],
])('a count of words is a number: %j', async (query, ids) => {
  const searched = context();
  expect(idsOf(searched, (await runQuery(searched, { query })).ords).sort()).toEqual(ids);
});

test('fields shows the counts that have a column', async () => {
  const { request } = shardSearch({ fields: ['name.length', 'words', 'gaps'] });
  const page = { ords: Uint32Array.of(0, 1), request };
  const hits = await fetchHits(context(), page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
  expect(hits.map(({ fields }) => JSON.parse(Buffer.from(fields ?? []).toString()))).toEqual([
    { 'name.length': [3], words: [2] },
    { 'name.length': [1, 2], words: [0] },
  ]);
});

test('an analyzer must be named', () => {
  expect(() => memoryContext({ properties: { a: { type: 'token_count' } } }, [])).toThrow(
    "Analyzer must be set for field [a] but wasn't.",
  );
});
