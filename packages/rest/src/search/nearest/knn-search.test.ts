/** `_knn_search` against the search that it stands for. */
import { describe, expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../../http.test-support.ts';

const MAPPING = {
  properties: {
    v: { type: 'dense_vector', dims: 2, index: true, similarity: 'l2_norm' },
    tag: { type: 'keyword' },
  },
};

async function line(): Promise<TestNode> {
  const node = testNode({
    indices: [indexOf('line', { shards: 3, mapping: MAPPING })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const docs = Array.from({ length: 20 }, (_, n) => [
    { index: { _id: `d${n}` } },
    { v: [n, 0], tag: n % 2 ? 'odd' : 'even' },
  ]);
  await node.ask('POST', '/line/_bulk?refresh=true', lines(...docs.flat()));
  return node;
}

const knn = { field: 'v', query_vector: [10.2, 0], k: 3, num_candidates: 10 };

describe('the nearest documents of a vector', () => {
  test('are as many as are asked for, with what is asked of each', async () => {
    const body = { knn, filter: { term: { tag: 'odd' } }, _source: false, docvalue_fields: ['tag'] };
    const { status, json } = await (await line()).ask('POST', '/line/_knn_search', body);
    expect(status).toBe(200);
    expect(json.hits.total).toEqual({ value: 3, relation: 'eq' });
    expect(json.hits.hits).toMatchObject([
      { _id: 'd11', _score: expect.closeTo(1 / (1 + 0.8 ** 2), 6), fields: { tag: ['odd'] } },
      { _id: 'd9' },
      { _id: 'd13' },
    ]);
    expect(json.hits.hits[0]).not.toHaveProperty('_source');
  });

  test('are more than a page where so many are asked for', async () => {
    const node = await line();
    const { json } = await node.ask('GET', '/line/_knn_search', { knn: { ...knn, k: 15, num_candidates: 15 } });
    expect(json.hits.hits).toHaveLength(15);
  });

  test.each([
    [{}, 'Required one of fields [knn]'],
    [{ knn: { field: 'v', query_vector: [1, 2] } }, 'Required [k, num_candidates]'],
    [{ knn: { ...knn, boost: 2 } }, '[knn] unknown field [boost]'],
    [{ knn, query: { match_all: {} } }, '[knn-search] unknown field [query]'],
    [{ knn: { ...knn, k: 11 } }, '[num_candidates] cannot be less than [k]'],
  ])('%j is refused', async (body, reason) => {
    const { status, json } = await (await line()).ask('POST', '/line/_knn_search', body);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(reason)]);
  });
});
