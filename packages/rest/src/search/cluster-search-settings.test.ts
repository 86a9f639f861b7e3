import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const indices = [indexOf('lib')];

test('a write creates the indices that the cluster allows, whatever the node was started with', async () => {
  const { ask } = testNode({
    indices,
    settings: { 'action.auto_create_index': '+logs-*' },
    nodeSettings: { 'action.auto_create_index': 'false' },
  });
  expect((await ask('PUT', '/logs-1/_doc/1', {})).status).toBe(201);
  expect((await ask('PUT', '/other/_doc/1', {})).json.error.reason).toContain("([+logs-*]) doesn't match");
});

test('no reader is kept for longer than the cluster allows', async () => {
  const { ask } = testNode({ indices, settings: { 'search.max_keep_alive': '90m' } });
  const tooLong = 'Keep alive for request (2h) is too large. It must be less than (90m).';
  for (const [method, target] of [
    ['POST', '/lib/_search?scroll=2h'],
    ['POST', '/lib/_pit?keep_alive=2h'],
  ] as const) {
    expect((await ask(method, target)).json.error.reason).toContain(tooLong);
  }
  const { id } = (await ask('POST', '/lib/_pit?keep_alive=1m')).json;
  const longer = await ask('POST', '/_search', { pit: { id, keep_alive: '2h' } });
  expect([longer.status, longer.json.error.reason]).toEqual([400, expect.stringContaining(tooLong)]);
});

test('a node that was started with a shorter time to live keeps no reader for longer', async () => {
  const { ask } = testNode({ indices, nodeSettings: { 'search.max_keep_alive': '1m' } });
  expect((await ask('POST', '/lib/_search?scroll=2m')).json.error.reason).toContain('It must be less than (1m)');
  expect((await ask('POST', '/lib/_search?scroll=1m')).status).toBe(200);
});

test('a search without a timeout has that of the cluster', async () => {
  const waits: number[] = [];
  const node = testNode({ indices, settings: { 'search.default_search_timeout': '7s' } });
  node.cluster.intercept = (_sent, options) => void waits.push(options.timeoutMs ?? 0);
  for (const body of [{}, { timeout: '9s' }, { timeout: '7s' }]) await node.ask('POST', '/lib/_search', body);
  const [usual = 0, longer = 0, same = 0] = waits;
  expect([longer - usual, same - usual]).toEqual([2_000, 0]);
});

test('a search that asks for no timeout has none, whatever the cluster says', async () => {
  const waits: number[] = [];
  const record = (node: ReturnType<typeof testNode>): ReturnType<typeof testNode> => {
    node.cluster.intercept = (_sent, options) => void waits.push(options.timeoutMs ?? 0);
    return node;
  };
  const limited = record(testNode({ indices, settings: { 'search.default_search_timeout': '7s' } }));
  const unlimited = record(testNode({ indices }));
  for (const node of [limited, unlimited]) {
    expect((await node.ask('POST', '/lib/_search', { timeout: '-1' })).status).toBe(200);
    expect((await node.ask('POST', '/lib/_search?timeout=-1', {})).status).toBe(200);
  }
  await unlimited.ask('POST', '/lib/_search', {});
  expect(new Set(waits).size).toBe(1);
  await limited.ask('POST', '/lib/_search', {});
  expect(new Set(waits).size).toBe(2);
});

test('a search of more shards than the cluster allows is refused', async () => {
  const wide = indexOf('wide', { shards: 3 });
  const node = (limit: string): ReturnType<typeof testNode> =>
    testNode({ indices: [wide], settings: { 'action.search.shard_count.limit': limit } });
  const refused = await node('2').ask('POST', '/wide/_search');
  expect([refused.status, refused.json.error.reason]).toEqual([
    400,
    expect.stringContaining('Trying to query 3 shards, which is over the limit of 2.'),
  ]);
  expect((await node('3').ask('POST', '/wide/_search')).status).toBe(200);
});
