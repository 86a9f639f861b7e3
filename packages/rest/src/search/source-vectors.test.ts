import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const mapping = {
  properties: {
    title: { type: 'text', store: true },
    own: { type: 'dense_vector', dims: 2 },
    parts: { type: 'nested', properties: { v: { type: 'dense_vector', dims: 2 }, n: { type: 'long' } } },
  },
};
const DOCUMENT = { title: 'a', own: [1, 2], parts: [{ v: [3, 4], n: 1 }] };
const BARE = { title: 'a', parts: [{ n: 1 }] };

async function lib() {
  const { ask } = testNode({ indices: [indexOf('lib', { mapping })] });
  await ask('PUT', '/lib/_doc/1?refresh=true', DOCUMENT);
  return ask;
}

test('the source of a hit has its vectors unless exclude_vectors leaves them out', async () => {
  const ask = await lib();
  const source = async (body: object) => (await ask('POST', '/lib/_search', body)).json.hits.hits[0]._source;
  expect(await source({})).toEqual(DOCUMENT);
  expect(await source({ _source: { exclude_vectors: false } })).toEqual(DOCUMENT);
  expect(await source({ _source: { exclude_vectors: true } })).toEqual(BARE);
  expect(await source({ _source: { exclude_vectors: true, includes: ['own', 'title'] } })).toEqual({ title: 'a' });
  expect(await source({ _source: { exclude_vectors: true, excludes: ['title'] } })).toEqual({ parts: [{ n: 1 }] });
  expect(await source({ _source: { exclude_vectors: true }, stored_fields: ['title', '_source'] })).toEqual(BARE);
  const nested = { path: 'parts', query: { match_all: {} }, inner_hits: { _source: { exclude_vectors: true } } };
  const { json } = await ask('POST', '/lib/_search', { query: { nested } });
  expect(json.hits.hits[0].inner_hits.parts.hits.hits[0]._source).toEqual({ n: 1 });
});

test('so does the parameter _source_exclude_vectors', async () => {
  const ask = await lib();
  const found = async (path: string) => (await ask('GET', path)).json;
  expect((await found('/lib/_search?_source_exclude_vectors=true')).hits.hits[0]._source).toEqual(BARE);
  expect((await found('/lib/_doc/1?_source_exclude_vectors=true'))._source).toEqual(BARE);
  expect((await found('/lib/_doc/1?_source_exclude_vectors=false'))._source).toEqual(DOCUMENT);
  expect(await found('/lib/_source/1?_source_exclude_vectors=true')).toEqual(BARE);
});
