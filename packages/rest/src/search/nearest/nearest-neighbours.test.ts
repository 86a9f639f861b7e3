/** `knn` of a search over the shards of several nodes: the nearest documents of all, as hits beside those of a query. */
import { describe, expect, test } from 'vitest';
import { aliasOf, indexOf, nodeOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../../http.test-support.ts';

const MAPPING = {
  properties: {
    v: { type: 'dense_vector', dims: 2, index: true, similarity: 'l2_norm' },
    w: { type: 'dense_vector', dims: 2, index: true, similarity: 'l2_norm' },
    off: { type: 'dense_vector', dims: 2, index: false },
    n: { type: 'long' },
    tag: { type: 'keyword' },
  },
};

interface Hit {
  readonly _id: string;
  readonly _index: string;
  readonly _score: number;
  readonly matched_queries?: readonly string[];
}
interface Answer {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly Hit[] };
  readonly _shards: { readonly failed: number };
  readonly aggregations?: unknown;
}

/** Sixty documents on a line, in six shards of two nodes. */
async function line(): Promise<TestNode> {
  const node = testNode({
    indices: [
      indexOf('line', {
        shards: 6,
        mapping: MAPPING,
        aliases: [aliasOf('odds', { filter: { term: { tag: 'odd' } } })],
      }),
      indexOf('other', { mapping: { properties: { v: { type: 'keyword' } } } }),
    ],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const docs = Array.from({ length: 60 }, (_, n) => [
    { index: { _id: `d${n}` } },
    { v: [n, 0], w: [60 - n, 0], n, tag: n % 2 ? 'odd' : 'even' },
  ]);
  await node.ask('POST', '/line/_bulk', lines(...docs.flat()));
  return node;
}

const near = (x: number, more: object = {}) => ({ field: 'v', query_vector: [x, 0], k: 3, ...more });
const score = (distance: number) => expect.closeTo(1 / (1 + distance ** 2), 6);

async function search(node: TestNode, body: object, path = '/line/_search'): Promise<Answer> {
  const { status, json: answer } = await node.ask('POST', path, body);
  expect(status, JSON.stringify(answer)).toBe(200);
  return answer as Answer;
}

const shown = ({ hits }: Answer) => hits.hits.map(({ _id, _score }) => [_id, _score]);

describe('nearest documents of a search', () => {
  test('are the best of all shards, and no more than are asked for', async () => {
    const node = await line();
    const answer = await search(node, { knn: near(10.2, { num_candidates: 20 }) });
    expect(shown(answer)).toEqual([
      ['d10', score(0.2)],
      ['d11', score(0.8)],
      ['d9', score(1.2)],
    ]);
    expect(answer.hits.total).toEqual({ value: 3, relation: 'eq' });
    const all = await search(node, { knn: { field: 'v', query_vector: [0, 0], num_candidates: 50 }, size: 20 });
    expect(all.hits.hits.map(({ _id }) => _id)).toEqual(Array.from({ length: 20 }, (_, n) => `d${n}`));
  });

  test('are hits beside the matches of the query, with the sum of both scores where they are both', async () => {
    const node = await line();
    const query = { constant_score: { filter: { terms: { n: [10, 40] } }, boost: 5 } };
    const answer = await search(node, { query, knn: near(10.2, { boost: 2, _name: 'near' }) });
    expect(answer.hits.hits.map(({ _id, _score, matched_queries: names }) => [_id, _score, names])).toEqual([
      ['d10', expect.closeTo(5 + 2 / 1.04, 5), ['near']],
      ['d40', 5, undefined],
      ['d11', expect.closeTo(2 / 1.64, 5), ['near']],
      ['d9', expect.closeTo(2 / 2.44, 5), ['near']],
    ]);
  });

  test('of several vectors are hits together, of which aggregations are made', async () => {
    const node = await line();
    const body = {
      knn: [near(10), { ...near(10), field: 'w' }],
      aggs: { tags: { terms: { field: 'tag' } } },
      post_filter: { term: { tag: 'even' } },
      sort: [{ n: 'asc' }],
    };
    const answer = await search(node, body);
    expect(answer.hits.hits.map(({ _id }) => _id)).toEqual(['d10', 'd50']);
    expect(answer.aggregations).toMatchObject({ tags: { buckets: [{ key: 'odd', doc_count: 4 }, { doc_count: 2 }] } });
  });

  test('match their filter and that of the alias before the nearest are counted', async () => {
    const node = await line();
    const knn = near(0, { filter: [{ range: { n: { gte: 20 } } }] });
    const answer = await search(node, { knn }, '/odds/_search');
    expect(answer.hits.hits.map(({ _id }) => _id)).toEqual(['d21', 'd23', 'd25']);
  });

  test('are told page by page, and in a point in time', async () => {
    const node = await line();
    const page = await search(node, { knn: near(0, { k: 5 }), from: 2, size: 2 });
    expect(page.hits.hits.map(({ _id }) => _id)).toEqual(['d2', 'd3']);
    const { json: opened } = await node.ask('POST', '/line/_pit?keep_alive=1m');
    await node.ask('PUT', '/line/_doc/new', { v: [0, 0] });
    const { id } = opened as { id: string };
    const found = await search(node, { knn: near(0), pit: { id } }, '/_search');
    expect(found.hits.hits.map(({ _id }) => _id)).toEqual(['d0', 'd1', 'd2']);
  });

  test('leave a shard counted as failed that cannot look for them', async () => {
    const node = await line();
    await node.ask('PUT', '/other/_doc/1', { v: 'x' });
    const answer = await search(node, { knn: near(5.1) }, '/line,other/_search');
    expect(answer.hits.hits.map(({ _id }) => _id)).toEqual(['d5', 'd6', 'd4']);
    expect(answer._shards.failed).toBe(1);
  });

  test.each([
    [near(1, { k: 0 }), '[k] must be greater than 0'],
    [near(1, { num_candidates: 2 }), '[num_candidates] cannot be less than [k]'],
    [near(1, { num_candidates: 10_001 }), '[num_candidates] cannot exceed [10000]'],
    [near(1, { query_vector: undefined }), 'either [query_vector_builder] or [query_vector] must be provided'],
    [near(1, { field: undefined }), 'Required [field]'],
    [near(1, { inner_hits: {} }), '[inner_hits] of [knn] is not supported by this server'],
    [near(1, { query_vector_builder: {} }), '[query_vector_builder] of [knn] is not supported by this server'],
    [near(1, { foo: 1 }), '[knn] unknown field [foo]'],
    [{ ...near(1), field: 'off' }, 'its mapping must have [index] set to [true]'],
  ])('of %j are refused', async (knn, reason) => {
    const node = await line();
    const { status, text } = await node.ask('POST', '/line/_search', { knn });
    expect(status).toBe(400);
    expect(text).toContain(reason);
  });
});
