import { parseMapping } from '@shoal/schema';
import { expect, test } from 'vitest';
import { DocumentParser } from '../../document/document-parser.ts';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    c: { type: 'constant_keyword', value: 'all' },
    m: { type: 'match_only_text' },
    w: { type: 'wildcard' },
  },
};
const SOURCES = ['{"m":"the quick brown fox, brown"}', '{"c":"all","m":"brown","w":"abcdef"}'];

const context = () => memoryContext(MAPPING, [SOURCES.map((source, at) => ({ id: String(at), source }))]);

async function found(query: unknown): Promise<string[]> {
  const searched = context();
  return idsOf(searched, (await runQuery(searched, { query })).ords).sort();
}

test.each([
  [{ term: { c: 'all' } }, ['0', '1']],
  [{ term: { c: 'other' } }, []],
  [{ prefix: { c: 'a' } }, ['0', '1']],
  [{ exists: { field: 'c' } }, ['0', '1']],
])('a constant is the value of every document: %j', async (query, ids) => {
  expect(await found(query)).toEqual(ids);
});

test('a constant is shown of documents that do not name it', async () => {
  const { request } = shardSearch({ fields: ['c', 'w'], docvalue_fields: ['w'] });
  const page = { ords: Uint32Array.of(0), request };
  const [hit] = await fetchHits(context(), page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
  expect(JSON.parse(Buffer.from(hit?.fields ?? []).toString())).toEqual({ c: ['all'] });
});

test('another value is refused', () => {
  const parser = new DocumentParser(parseMapping(MAPPING));
  expect(() => parser.parse('1', Buffer.from('{"c":"other"}'))).toThrow('failed to parse field [c]');
});

test('the first value of a document becomes the constant, beside what else is declared', () => {
  const declared = { type: 'constant_keyword', meta: { unit: 'x' } };
  const parser = new DocumentParser(parseMapping({ properties: { o: { properties: { c: declared } } } }));
  const { mappingUpdate } = parser.parse('1', Buffer.from('{"o":{"c":5}}'));
  expect(mappingUpdate).toEqual({ properties: { 'o.c': { ...declared, value: '5' } } });
});

test('matches of a match_only_text all score alike, and phrases are found', async () => {
  const { maxScore } = await runQuery(context(), { query: { match: { m: 'brown brown' } } });
  expect(maxScore).toBe(2);
  expect(await found({ match_phrase: { m: 'quick brown' } })).toEqual(['0']);
});

test('a wildcard field is searched by patterns', async () => {
  expect(await found({ wildcard: { w: '*cde*' } })).toEqual(['1']);
});
