import { afterEach, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

const DOCS = 150;
const QUERY = { size: DOCS, query: { match: { text: 'fox bird word3' } } };

async function load(node: TestNode, index: string, shards: number): Promise<void> {
  await call(node, 'PUT', `/${index}`, { settings: { number_of_shards: shards } });
  const lines: string[] = [];
  for (let i = 0; i < DOCS; i++) {
    const text = `${i % 7 === 0 ? 'fox ' : ''}${i % 3 === 0 ? 'bird' : 'dog cat'} word${i % 11}`;
    lines.push(JSON.stringify({ index: { _id: `d${i}` } }), JSON.stringify({ text }));
  }
  const bulk = await call(node, 'POST', `/${index}/_bulk?refresh=true`, `${lines.join('\n')}\n`);
  expect(bulk.body.errors).toBe(false);
}

interface Hit {
  readonly _id: string;
  readonly _score: number;
}

function scoresOf(body: { readonly hits: { readonly hits: readonly Hit[] } }): Record<string, number> {
  return Object.fromEntries(body.hits.hits.map(({ _id, _score }) => [_id, _score]));
}

describe('dfs_query_then_fetch', () => {
  test('scores as one shard of all documents would, and not as each shard by itself', async () => {
    const cluster = new TestCluster();
    clusters.push(cluster);
    const node = await cluster.start('n1');
    const other = await cluster.start('n2');
    await call(node, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
    await load(node, 'whole', 1);
    await load(node, 'parts', 4);
    const whole = scoresOf((await call(node, 'POST', '/whole/_search', QUERY)).body);
    const parts = await call(other, 'POST', '/parts/_search?search_type=dfs_query_then_fetch', QUERY);
    expect(Object.keys(whole).length).toBeGreaterThan(50);
    expect(scoresOf(parts.body)).toEqual(whole);
    expect(scoresOf((await call(other, 'POST', '/parts/_search', QUERY)).body)).not.toEqual(whole);

    const header = JSON.stringify({ index: 'parts', search_type: 'dfs_query_then_fetch' });
    const several = await call(node, 'POST', '/_msearch', `${header}\n${JSON.stringify(QUERY)}\n`);
    expect(scoresOf(several.body.responses[0])).toEqual(whole);
  });
});
