import { ShoalError } from '@shoal/core';
import {
  FETCH_PHASE,
  FREE_CONTEXTS,
  NODE_QUERY,
  OPEN_READER,
  RANK_QUERY,
  RANK_ROUND,
  SCROLL_PHASE,
  STATISTICS_PHASE,
  shardBatch,
} from '@shoal/protocol';
import { describe, expect, test } from 'vitest';
import { indexOf, nodeOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const SHARDS = 12;
const DOCS = 90;
/** With it even a page of few documents is beyond what shards may send at once. */
const LARGE = 20_000;

/** Documents over many shards of two nodes. */
async function spread(): Promise<TestNode> {
  const node = testNode({
    indices: [indexOf('big', { shards: SHARDS, settings: { 'index.max_result_window': '2147483647' } })],
    nodes: [nodeOf('n1'), nodeOf('n2')],
    place: (_, shard) => `n${1 + (shard % 2)}`,
  });
  const parts = Array.from({ length: DOCS }, (_, i) => [
    { index: { _id: `d${i}` } },
    { n: i % 7, i, text: i % 3 ? 'odd one' : 'even' },
  ]);
  await node.ask('POST', '/big/_bulk', lines(...parts.flat()));
  node.cluster.sent.length = 0;
  return node;
}

/** Messages by action since the last look. */
function messages(node: TestNode): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { action } of node.cluster.sent.splice(0)) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

const perNode = (...actions: readonly { readonly name: string }[]): Readonly<Record<string, number>> =>
  Object.fromEntries(actions.map(({ name }) => [name, 2]));

const fetches = shardBatch(FETCH_PHASE);

describe('all shards of a node are asked in one message', () => {
  test('for the statistics of terms, the query and the documents', async () => {
    const node = await spread();
    const body = { query: { match: { text: 'even' } }, size: 30 };
    const { json } = await node.ask('POST', '/big/_search?search_type=dfs_query_then_fetch', body);
    expect(json._shards).toMatchObject({ total: SHARDS, successful: SHARDS });
    const scores = json.hits.hits.map((hit: { readonly _score: number }) => hit._score);
    // With the statistics of all shards equal documents score alike.
    expect([scores.length, new Set(scores).size]).toEqual([30, 1]);
    const asked = messages(node);
    expect(asked).toMatchObject(perNode(shardBatch(STATISTICS_PHASE), NODE_QUERY, fetches));
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });

  test('for every round of a deep page', async () => {
    const node = await spread();
    const sort = [{ n: 'asc' }];
    const all = (await node.ask('POST', '/big/_search', { sort, size: DOCS })).json.hits.hits;
    messages(node);
    const deep = (await node.ask('POST', '/big/_search', { sort, from: 10, size: LARGE })).json.hits.hits;
    expect(deep.map((hit: { readonly _id: string }) => hit._id)).toEqual(
      all.slice(10).map((hit: { readonly _id: string }) => hit._id),
    );
    const { [shardBatch(RANK_ROUND).name]: rounds = 0, ...asked } = messages(node);
    expect(asked).toMatchObject(perNode(shardBatch(RANK_QUERY), fetches));
    expect(rounds % 2).toBe(0);
    expect(rounds).toBeLessThanOrEqual(4);
    await expect.poll(() => node.cluster.openContexts()).toBe(0);
  });

  test('to open a point in time, search in it and close it', async () => {
    const node = await spread();
    const { id } = (await node.ask('POST', '/big/_pit?keep_alive=1m')).json;
    expect(messages(node)).toEqual(perNode(shardBatch(OPEN_READER)));
    await expect.poll(() => node.cluster.openContexts()).toBe(SHARDS);
    const { hits } = (await node.ask('POST', '/_search', { pit: { id }, size: 40, sort: ['i'] })).json;
    expect(hits.hits).toHaveLength(40);
    expect(messages(node)).toEqual(perNode(NODE_QUERY, fetches));
    expect((await node.ask('DELETE', '/_pit', { id })).json.num_freed).toBe(SHARDS);
    expect(messages(node)).toEqual(perNode(FREE_CONTEXTS));
  });

  test('for the next page of a scroll, and to clear it', async () => {
    const node = await spread();
    const seen: string[] = [];
    const take = (hits: readonly { readonly _id: string }[]): number => seen.push(...hits.map(({ _id }) => _id));
    const first = (await node.ask('POST', '/big/_search?scroll=1m', { size: 40, sort: ['i'] })).json;
    take(first.hits.hits);
    messages(node);
    const body = { scroll: '1m', scroll_id: first._scroll_id };
    take((await node.ask('POST', '/_search/scroll', body)).json.hits.hits);
    expect(messages(node)).toEqual(perNode(shardBatch(SCROLL_PHASE), fetches));
    take((await node.ask('POST', '/_search/scroll', body)).json.hits.hits);
    expect(seen).toEqual(Array.from({ length: DOCS }, (_, i) => `d${i}`));
    messages(node);
    const freed = await node.ask('DELETE', '/_search/scroll', { scroll_id: first._scroll_id });
    expect(freed.json.num_freed).toBe(SHARDS);
    expect(messages(node)).toEqual(perNode(FREE_CONTEXTS));
  });
});

describe('a shard that fails in a message of many fails alone', () => {
  const gone = new ShoalError('exception', 500, 'gone');

  test('when its statistics are asked for, which only changes scores', async () => {
    const node = await spread();
    node.cluster.fail(STATISTICS_PHASE, 'big', 4, gone);
    const body = { query: { match: { text: 'even' } }, size: 30 };
    const { json } = await node.ask('POST', '/big/_search?search_type=dfs_query_then_fetch', body);
    expect(json._shards).toMatchObject({ total: SHARDS, successful: SHARDS, failed: 0 });
    expect(json.hits.hits).toHaveLength(30);
  });

  test.each([
    ['in the first round of a deep page', RANK_QUERY, { from: 10, size: LARGE }],
    ['when its documents are fetched', FETCH_PHASE, { size: DOCS }],
  ])('%s', async (_, codec, page) => {
    const node = await spread();
    node.cluster.fail(codec, 'big', 4, gone);
    const { json } = await node.ask('POST', '/big/_search', { sort: ['i'], ...page });
    expect(json._shards).toMatchObject({ total: SHARDS, successful: SHARDS - 1, failed: 1 });
    expect(json._shards.failures).toMatchObject([{ shard: 4, node: 'n1', reason: { type: 'exception' } }]);
    expect(json.hits.hits.length).toBeGreaterThan(DOCS / 2);
  });

  test('when a scroll goes on', async () => {
    const node = await spread();
    const first = (await node.ask('POST', '/big/_search?scroll=1m', { size: 40, sort: ['i'] })).json;
    node.cluster.fail(SCROLL_PHASE, 'big', 4, gone);
    const { json } = await node.ask('POST', '/_search/scroll', { scroll_id: first._scroll_id });
    expect(json._shards).toMatchObject({ total: SHARDS, failed: 1 });
  });
});
