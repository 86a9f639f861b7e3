/** `linear` and `rescorer` over the shards of several nodes, against scores that are summed by hand. */
import { expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../../http.test-support.ts';

const COUNT = 20;

async function line(): Promise<TestNode> {
  const node = testNode({
    indices: [indexOf('line', { shards: 3, mapping: { properties: { n: { type: 'long' } } } })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const docs = Array.from({ length: COUNT }, (_, n) => [{ index: { _id: `d${n}` } }, { n }]);
  await node.ask('POST', '/line/_bulk?refresh=true', lines(...docs.flat()));
  return node;
}

/** Documents from `from` to `to`, whose scores are factors of their numbers. */
const scored = (from: number, to: number, factor: number): object => ({
  standard: {
    query: {
      function_score: {
        query: { range: { n: { gte: from, lte: to } } },
        field_value_factor: { field: 'n', factor },
        boost_mode: 'replace',
      },
    },
  },
});

async function shown(node: TestNode, retriever: object, more: object = {}): Promise<unknown> {
  const { status, json } = await node.ask('POST', '/line/_search', { retriever, ...more });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.hits.hits.map(({ _id, _score }: { _id: string; _score: number }) => [_id, _score]);
}

test('scores are added, each with its weight', async () => {
  const node = await line();
  const retrievers = [
    { retriever: scored(1, 4, 1), weight: 2 },
    { retriever: scored(3, 6, 10), weight: 0.5 },
  ];
  const sums = [
    ['d6', 30],
    ['d4', 28],
    ['d5', 25],
    ['d3', 21],
    ['d2', 4],
    ['d1', 2],
  ];
  expect(await shown(node, { linear: { retrievers } })).toEqual(sums);
  expect(await shown(node, { linear: { retrievers } }, { from: 1, size: 2 })).toEqual(sums.slice(1, 3));
  expect(await shown(node, { linear: { retrievers, min_score: 21 } })).toEqual(sums.slice(0, 4));
  const even = { terms: { n: [2, 4, 6] } };
  expect(await shown(node, { linear: { retrievers, filter: even } })).toEqual([sums[0], sums[1], sums[4]]);
  // Two of each search are looked at, and two come out.
  const window = { retrievers, rank_window_size: 2 };
  expect(await shown(node, { linear: window }, { size: 2 })).toEqual([
    ['d6', 30],
    ['d5', 25],
  ]);
});

test('scores are normalized first', async () => {
  const node = await line();
  const minmax = { retriever: scored(1, 5, 1), normalizer: 'minmax' };
  expect(await shown(node, { linear: { retrievers: [minmax] } })).toEqual([
    ['d5', 1],
    ['d4', 0.75],
    ['d3', 0.5],
    ['d2', 0.25],
    ['d1', 0],
  ]);
  const norm = { retrievers: [{ retriever: scored(3, 4, 1) }], normalizer: 'l2_norm' };
  expect(await shown(node, { linear: norm })).toEqual([
    ['d4', expect.closeTo(0.8, 6)],
    ['d3', expect.closeTo(0.6, 6)],
  ]);
  const own = { retrievers: [{ ...minmax, weight: 3 }, { retriever: scored(5, 5, 1) }], normalizer: 'none' };
  expect(await shown(node, { linear: own }, { size: 1 })).toEqual([['d5', 8]]);
});

test('hits are rescored, as many as the window has', async () => {
  const node = await line();
  const rescore = {
    window_size: 10,
    query: { rescore_query: { term: { n: { value: 2, boost: 100 } } }, query_weight: 0.5 },
  };
  const rescorer = { retriever: scored(1, 4, 2), rescore };
  const hits = [
    ['d2', 102],
    ['d4', 4],
    ['d3', 3],
    ['d1', 1],
  ];
  expect(await shown(node, { rescorer })).toEqual(hits);
  expect(await shown(node, { rescorer: { ...rescorer, min_score: 4 } })).toEqual(hits.slice(0, 2));
  expect(await shown(node, { rescorer: { ...rescorer, filter: { range: { n: { lt: 4 } } } } })).toEqual([
    hits[0],
    hits[2],
    hits[3],
  ]);
  const inner = { linear: { retrievers: [{ retriever: { rescorer } }] } };
  expect(await shown(node, inner)).toEqual(hits);
  const { status, json } = await node.ask('POST', '/line/_search?scroll=1m', { retriever: { rescorer } });
  expect([status, JSON.stringify(json)]).toEqual([
    400,
    expect.stringContaining('cannot specify [rescorer] and [scroll]'),
  ]);
});

test('documents that are named stand above the hits of another retriever', async () => {
  const node = await line();
  const pinned = { ids: ['d9', 'd2', 'none'], retriever: scored(1, 4, 2) };
  const { json } = await node.ask('POST', '/line/_search', { retriever: { pinned } });
  const ids = json.hits.hits.map(({ _id }: { _id: string }) => _id);
  expect(ids).toEqual(['d9', 'd2', 'd4', 'd3', 'd1']);
  expect(json.hits.total.value).toBe(5);
  expect(json.hits.hits[2]._score).toBe(8);
  expect(json.hits.hits[1]._score).toBeGreaterThan(1e30);
  const filter = { range: { n: { lt: 4 } } };
  const narrowed = await node.ask('POST', '/line/_search', { retriever: { pinned: { ...pinned, filter } } });
  expect(narrowed.json.hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['d9', 'd2', 'd3', 'd1']);
});
