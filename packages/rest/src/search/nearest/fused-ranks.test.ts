/** `rrf` of a search over the shards of several nodes, against ranks that are fused by hand. */
import { describe, expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../../http.test-support.ts';

const MAPPING = {
  properties: {
    v: { type: 'dense_vector', dims: 2, index: true, similarity: 'l2_norm' },
    n: { type: 'long' },
    tag: { type: 'keyword' },
    body: { type: 'text' },
  },
};
const COUNT = 40;

interface Answer {
  readonly hits: {
    readonly total: { readonly value: number };
    readonly max_score: number | null;
    readonly hits: readonly { readonly _id: string; readonly _score: number; readonly highlight?: unknown }[];
  };
  readonly aggregations?: { readonly tags: { readonly buckets: readonly { key: string; doc_count: number }[] } };
}

async function line(): Promise<TestNode> {
  const node = testNode({
    indices: [indexOf('line', { shards: 4, mapping: MAPPING })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const docs = Array.from({ length: COUNT }, (_, n) => [
    { index: { _id: `d${n}` } },
    { v: [n, 0], n, tag: n % 2 ? 'odd' : 'even', body: n % 3 === 0 ? 'three' : 'other' },
  ]);
  await node.ask('POST', '/line/_bulk?refresh=true', lines(...docs.flat()));
  return node;
}

async function search(node: TestNode, body: object): Promise<Answer> {
  const { status, json } = await node.ask('POST', '/line/_search', body);
  expect(status, JSON.stringify(json)).toBe(200);
  return json as Answer;
}

/** The documents below `limit`, the highest number first. */
const below = (limit: number, filter?: object): object => {
  const members = { query: { range: { n: { lt: limit } } }, sort: [{ n: 'desc' }] };
  return { standard: filter === undefined ? members : { ...members, filter } };
};
const near = (x: number, k: number): object => ({ knn: { field: 'v', query_vector: [x, 0], k, num_candidates: 20 } });
const worth = (...places: readonly number[]): unknown =>
  expect.closeTo(
    places.reduce((sum, place) => sum + 1 / (60 + place), 0),
    6,
  );
const shown = ({ hits }: Answer): unknown => hits.hits.map(({ _id, _score }) => [_id, _score]);

describe('fused ranks', () => {
  test('are the sums of what the places in each search are worth', async () => {
    const node = await line();
    const answer = await search(node, {
      retriever: { rrf: { retrievers: [below(20), near(18, 3)], rank_window_size: 3 } },
      size: 3,
      aggs: { tags: { terms: { field: 'tag' } } },
    });
    // By number 19, 18, 17; by distance 18, then 17 and 19, which are equally near.
    expect(answer.hits.hits[0]).toMatchObject({ _id: 'd18', _score: worth(2, 1) });
    expect(answer.hits.hits.map(({ _id }) => _id).toSorted()).toEqual(['d17', 'd18', 'd19']);
    expect(answer.hits.max_score).toEqual(worth(2, 1));
    expect(answer.hits.total.value).toBe(20);
    expect(answer.aggregations?.tags.buckets).toEqual([
      { key: 'even', doc_count: 10 },
      { key: 'odd', doc_count: 10 },
    ]);
  });

  test('put of equal scores the better place in the first search first, page by page', async () => {
    const node = await line();
    const retriever = { rrf: { retrievers: [below(5), below(11, { range: { n: { gte: 6 } } })], rank_window_size: 5 } };
    const whole = await search(node, { retriever, size: 5 });
    expect(shown(whole)).toEqual([
      ['d4', worth(1)],
      ['d10', worth(1)],
      ['d3', worth(2)],
      ['d9', worth(2)],
      ['d2', worth(3)],
    ]);
    const second = await search(node, { retriever, size: 2, from: 3 });
    expect(shown(second)).toEqual([
      ['d9', worth(2)],
      ['d2', worth(3)],
    ]);
    expect(second.hits.max_score).toEqual(worth(1));
    expect((await search(node, { retriever, size: 2, from: 10 })).hits.hits).toEqual([]);
    expect((await search(node, { retriever, size: 0 })).hits).toMatchObject({ hits: [], total: { value: 10 } });
  });

  test('are narrowed by a filter of all, weighed, and cut by a least score', async () => {
    const node = await line();
    const filter = { term: { tag: 'even' } };
    const weighted = [
      { retriever: below(20), weight: 3 },
      { retriever: near(30, 2), weight: 0.5 },
    ];
    const rrf = { retrievers: weighted, filter, rank_constant: 1, rank_window_size: 10 };
    const answer = await search(node, { retriever: { rrf } });
    expect(shown(answer)).toEqual([
      ['d18', 1.5],
      ['d16', 1],
      ['d14', 0.75],
      ['d12', expect.closeTo(0.6)],
      ['d10', 0.5],
      ['d8', expect.closeTo(3 / 7)],
      ['d6', expect.closeTo(3 / 8)],
      ['d4', expect.closeTo(1 / 3)],
      ['d2', expect.closeTo(0.3)],
      ['d0', expect.closeTo(3 / 11)],
    ]);
    const cut = await search(node, { retriever: { rrf: { ...rrf, min_score: 0.7 } } });
    expect(cut.hits).toMatchObject({ total: { value: 3 }, max_score: 1.5 });
  });

  test('stand in one another, and beside queries that mark words', async () => {
    const node = await line();
    const byText = {
      standard: { query: { bool: { must: [{ match: { body: 'three' } }], filter: [{ term: { n: 9 } }] } } },
    };
    const retriever = { rrf: { retrievers: [byText, { rrf: { retrievers: [below(2), near(9, 1)] } }] } };
    const answer = await search(node, { retriever, highlight: { fields: { body: {} } } });
    expect(answer.hits.hits[0]).toMatchObject({ _id: 'd9', highlight: { body: ['<em>three</em>'] } });
    expect(answer.hits.total.value).toBe(3);
  });

  test('are asked for as before retrievers, too', async () => {
    const node = await line();
    const { knn } = near(18, 3) as { knn: object };
    const query = { term: { n: 18 } };
    const answer = await search(node, { query, knn, rank: { rrf: { window_size: 5 } }, size: 1 });
    expect(shown(answer)).toEqual([['d18', worth(1, 1)]]);
  });

  test.each([
    [{ retriever: { rrf: { retrievers: [below(1)], rank_window_size: 5 } } }, '[rank_window_size: 5] be greater than'],
    [{ retriever: { rrf: {} } }, 'Required [retrievers]'],
    [{ retriever: { rrf: { retrievers: [], rank_constant: 0 } } }, '[rank_constant] must be greater or equal to [1]'],
    [{ retriever: { rrf: { retrievers: [], fields: ['a'] } } }, '[rrf] unknown field [fields]'],
    [{ retriever: { rrf: { retrievers: [] } }, sort: ['n'] }, 'cannot specify [retriever] and [sort]'],
    [{ retriever: { rrf: { retrievers: [{ retriever: below(1), weight: -1 }] } } }, '[weight] must be non-negative'],
    [{ query: { match_all: {} }, rank: { rrf: {} } }, '[rank] requires a minimum of [2] result sets'],
  ])('%j is refused', async (body, reason) => {
    const { status, json } = await (await line()).ask('POST', '/line/_search', body);
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(reason);
  });

  test('have no scroll', async () => {
    const body = { retriever: { rrf: { retrievers: [below(3)] } } };
    const { status, json } = await (await line()).ask('POST', '/line/_search?scroll=1m', body);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('cannot specify [rrf] and [scroll]')]);
  });
});
