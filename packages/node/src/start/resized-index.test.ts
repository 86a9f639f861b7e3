import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const DOCUMENTS = 40;

describe('indices made of another one, on two nodes', () => {
  const cluster = new TestCluster();
  let node: TestNode;

  beforeAll(async () => {
    node = await cluster.start('a');
    await cluster.start('b');
    await call(node, 'PUT', '/src', {
      settings: { number_of_shards: 4 },
      mappings: { properties: { n: { type: 'long' }, parts: { type: 'nested' } } },
    });
    const lines = Array.from({ length: DOCUMENTS }, (_, i) => [
      { index: { _id: String(i), ...(i % 3 === 0 ? { routing: `r${i}` } : {}) } },
      { n: i, parts: [{ p: i }, { p: -i }] },
    ]).flat();
    await call(node, 'POST', '/src/_bulk?refresh', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    await call(node, 'PUT', '/src/_doc/1', { n: 1, again: true });
    await call(node, 'DELETE', '/src/_doc/2');
    await call(node, 'PUT', '/src/_block/write');
  }, 60_000);
  afterAll(() => cluster.close());

  test.each([
    ['_shrink', 1],
    ['_shrink', 2],
    ['_split', 8],
    ['_clone', 4],
  ])('%s to %i shards has every document where it is looked for', async (verb, shards) => {
    const target = `${verb.slice(1)}-${shards}`;
    const made = await call(node, 'POST', `/src/${verb}/${target}?wait_for_active_shards=all`, {
      settings: { 'index.number_of_shards': shards, 'index.number_of_replicas': 0, 'index.blocks.write': null },
      aliases: { [`of-${target}`]: {} },
    });
    expect(made.body).toEqual({ acknowledged: true, shards_acknowledged: true, index: target });
    await call(node, 'GET', `/_cluster/health/${target}?wait_for_status=green`);
    expect((await call(node, 'GET', `/of-${target}/_count`)).body).toMatchObject({
      count: DOCUMENTS - 1,
      _shards: { total: shards, successful: shards },
    });
    const get = async (path: string): Promise<unknown> => (await call(node, 'GET', `/${target}/_doc/${path}`)).body;
    for (let i = 3; i < DOCUMENTS; i++) {
      expect(await get(i % 3 === 0 ? `${i}?routing=r${i}` : String(i))).toMatchObject({
        found: true,
        _source: { n: i },
      });
    }
    expect(await get('1')).toMatchObject({ _version: 2, _source: { again: true } });
    expect(await get('2')).toMatchObject({ found: false });
    const nested = { nested: { path: 'parts', query: { term: { 'parts.p': -7 } } } };
    expect((await call(node, 'POST', `/${target}/_search`, { query: nested })).body.hits.hits).toMatchObject([
      { _id: '7' },
    ]);
    const recovery = (await call(node, 'GET', `/${target}/_recovery`)).body[target].shards;
    expect(recovery.map((entry: { type: string; stage: string }) => [entry.type, entry.stage])).toEqual(
      Array.from({ length: shards }, () => ['LOCAL_SHARDS', 'DONE']),
    );
  });

  test('can be written to, closed and opened like any other', async () => {
    await call(node, 'POST', '/src/_clone/alive', { settings: { 'index.blocks.write': false } });
    await call(node, 'GET', '/_cluster/health/alive?wait_for_status=green');
    expect((await call(node, 'PUT', '/alive/_doc/1?refresh', { n: 1 })).body).toMatchObject({ _version: 3 });
    await call(node, 'POST', '/alive/_close');
    await call(node, 'POST', '/alive/_open');
    await call(node, 'DELETE', '/src');
    expect((await call(node, 'GET', '/alive/_count')).body.count).toBe(DOCUMENTS - 1);
  });
});
