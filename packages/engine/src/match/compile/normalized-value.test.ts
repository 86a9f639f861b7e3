import { describe, expect, test } from 'vitest';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    lower: { type: 'keyword', normalizer: 'lowercase' },
    folded: { type: 'keyword', normalizer: 'folding', split_queries_on_whitespace: true, ignore_above: 12 },
    split: { type: 'keyword', split_queries_on_whitespace: true },
  },
};
const SETTINGS = {
  'index.analysis.normalizer.folding.type': 'custom',
  'index.analysis.normalizer.folding.filter.0': 'lowercase',
  'index.analysis.normalizer.folding.filter.1': 'asciifolding',
};
const SOURCES = [
  '{"lower":"BÀR","folded":"BÀR","split":"foo"}',
  '{"lower":"bàr","folded":"Foo Bar","split":"foo bar"}',
  '{"lower":["Baz","x"],"folded":"far too long a text"}',
];

const context = () =>
  memoryContext(
    MAPPING,
    [SOURCES.map((source, at) => ({ id: String(at), source }))],
    () => false,
    PLAIN_MEMORY,
    SETTINGS,
  );

async function found(query: unknown): Promise<string[]> {
  const searched = context();
  return idsOf(searched, (await runQuery(searched, { query })).ords).sort();
}

describe('a keyword field with a normalizer', () => {
  test.each([
    [{ term: { lower: 'BàR' } }, ['0', '1']],
    [{ terms: { lower: ['bÀr', 'BAZ'] } }, ['0', '1', '2']],
    [{ range: { lower: { gte: 'BAR', lt: 'BB' } } }, ['2']],
    [{ match: { lower: 'BAZ' } }, ['2']],
    [{ match_phrase: { lower: 'BAZ' } }, ['2']],
    [{ prefix: { lower: 'BÀ' } }, ['0', '1']],
    [{ wildcard: { lower: 'B*R' } }, ['0', '1']],
    [{ regexp: { lower: 'B.Z' } }, ['2']],
    [{ fuzzy: { lower: 'BAX' } }, ['2']],
    [{ query_string: { query: 'lower:BA*' } }, ['2']],
    [{ query_string: { query: 'lower:BAZ' } }, ['2']],
    [{ simple_query_string: { query: 'BAZ', fields: ['lower'] } }, ['2']],
    [{ term: { folded: 'bar' } }, ['0']],
    [{ term: { folded: 'FOO BÀR' } }, ['1']],
    [{ exists: { field: 'folded' } }, ['0', '1']],
  ])('reads queries as it reads documents: %j', async (query, ids) => {
    expect(await found(query)).toEqual(ids);
  });

  test('shows, sorts and counts normalized values', async () => {
    const searched = context();
    const body = { sort: [{ lower: 'desc' }, '_doc'], fields: ['folded'], docvalue_fields: ['lower'] };
    const { ords } = await runQuery(searched, body);
    expect(idsOf(searched, ords)).toEqual(['2', '0', '1']);
    const page = { ords: Uint32Array.of(0), request: shardSearch(body).request };
    const [hit] = await fetchHits(searched, page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    expect(JSON.parse(Buffer.from(hit?.fields ?? []).toString())).toEqual({ folded: ['bar'], lower: ['bàr'] });
  });
});

test.each([
  [{ match: { split: 'foo baz' } }, ['0']],
  [{ match: { split: 'foo bar' } }, ['0']],
  [{ term: { split: 'foo bar' } }, ['1']],
  [{ match: { folded: 'BÀR other' } }, ['0']],
])('queries that are split find each word: %j', async (query, ids) => {
  expect(await found(query)).toEqual(ids);
});
