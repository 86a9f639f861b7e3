/**
 * The official clients of two families against us: a basic round of each.
 */
import { Client as ElasticsearchClient } from '@elastic/elasticsearch';
import { Client as OpenSearchClient } from '@opensearch-project/opensearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AskedNode, NODE_KINDS } from '../support/node-kinds.test-support.ts';

const DOCUMENTS = [
  { id: '1', title: 'The quick brown fox', n: 1 },
  { id: '2', title: 'A lazy brown dog', n: 2 },
  { id: '3', title: 'quick quick red fox', n: 3 },
];

describe.each(NODE_KINDS)('against $title', ({ start }) => {
  let asked: AskedNode;
  beforeAll(async () => {
    asked = await start();
  });
  afterAll(() => asked?.end());

  describe('the official Elasticsearch client', () => {
    test('creates, loads, searches, counts, gets, deletes', async () => {
      const client = new ElasticsearchClient({ node: asked.url });
      expect((await client.info()).tagline).toBe('You Know, for Search');
      await client.indices.create({
        index: 'es',
        settings: { number_of_shards: 2 },
        mappings: { properties: { title: { type: 'text' } } },
      });
      expect(await client.indices.exists({ index: 'es' })).toBe(true);
      const bulk = await client.helpers.bulk({
        datasource: DOCUMENTS,
        refreshOnCompletion: 'es',
        onDocument: ({ id }) => ({ index: { _index: 'es', _id: id } }),
      });
      expect(bulk).toMatchObject({ total: 3, successful: 3, failed: 0 });
      const found = await client.search({ index: 'es', query: { match: { title: 'fox' } }, sort: [{ n: 'desc' }] });
      expect(found.hits.hits.map((hit) => hit._id)).toEqual(['3', '1']);
      expect((await client.count({ index: 'es' })).count).toBe(3);
      expect((await client.get({ index: 'es', id: '2' }))._source).toMatchObject({ n: 2 });
      await expect(client.get({ index: 'es', id: 'none' })).rejects.toMatchObject({ statusCode: 404 });
      expect((await client.delete({ index: 'es', id: '2', refresh: true })).result).toBe('deleted');
      expect((await client.count({ index: 'es' })).count).toBe(2);
      expect(String(await client.cat.indices({ index: 'es', v: true }))).toMatch(/^health status index/);
      expect(await client.cat.indices({ index: 'es', format: 'json' })).toMatchObject([{ index: 'es', pri: '2' }]);
      await client.indices.delete({ index: 'es' });
      await expect(client.search({ index: 'es' })).rejects.toMatchObject({ statusCode: 404 });
      await client.close();
    });
  });

  describe('the OpenSearch client', () => {
    test('creates, loads, searches, counts, gets, deletes', async () => {
      const client = new OpenSearchClient({ node: asked.url });
      await client.indices.create({ index: 'os', body: { settings: { number_of_shards: 1 } } });
      const lines = DOCUMENTS.flatMap(({ id, ...document }) => [{ index: { _index: 'os', _id: id } }, document]);
      const bulk = await client.bulk({ refresh: true, body: lines });
      expect(bulk.body.errors).toBe(false);
      const found = await client.search({ index: 'os', body: { query: { match: { title: 'brown' } } } });
      expect(found.body.hits.hits.map((hit) => hit._id).sort()).toEqual(['1', '2']);
      expect((await client.count({ index: 'os' })).body.count).toBe(3);
      expect((await client.get({ index: 'os', id: '1' })).body._source).toEqual({ title: 'The quick brown fox', n: 1 });
      expect((await client.delete({ index: 'os', id: '1' })).body.result).toBe('deleted');
      await client.indices.delete({ index: 'os' });
      await client.close();
    });
  });
});
