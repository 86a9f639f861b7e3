import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

describe('stored scripts of a cluster', () => {
  const cluster = new TestCluster();
  let nodes: readonly TestNode[];

  beforeAll(async () => {
    nodes = [await cluster.start('a'), await cluster.start('b')];
  }, 60_000);
  afterAll(() => cluster.close());

  const ask = (at: number, method: string, path: string, body?: object) =>
    call(nodes[at] as TestNode, method, path, body);

  test('put through one node run through another, until they are deleted', async () => {
    const script = { lang: 'painless', source: "doc['n'].value > params.least" };
    expect((await ask(0, 'PUT', '/_scripts/above', { script })).body).toEqual({ acknowledged: true });
    expect((await ask(1, 'GET', '/_scripts/above')).body).toMatchObject({ _id: 'above', found: true, script });
    await ask(1, 'PUT', '/lib', { mappings: { properties: { n: { type: 'long' } } } });
    for (const n of [2, 5]) await ask(n % 2, 'PUT', `/lib/_doc/${n}?refresh=true`, { n });
    const query = { script: { script: { id: 'above', params: { least: 3 } } } };
    const found = await ask(1, 'POST', '/lib/_search', { query });
    expect(found.body.hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['5']);
    expect((await ask(1, 'DELETE', '/_scripts/above')).body).toEqual({ acknowledged: true });
    expect((await ask(0, 'GET', '/_scripts/above')).status).toBe(404);
    expect((await ask(0, 'POST', '/lib/_search', { query })).status).toBe(400);
  });
});
