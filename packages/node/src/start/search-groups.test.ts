import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

describe('searches with names', () => {
  const cluster = new TestCluster();
  let node: TestNode;

  beforeAll(async () => {
    node = await cluster.start('a');
    for (const index of ['test1', 'test2']) await call(node, 'PUT', `/${index}`, {});
    await call(node, 'PUT', '/test1/_doc/1?refresh', { bar: 'bar' });
    await call(node, 'PUT', '/test2/_doc/1?refresh', { bar: 'bar' });
    const named = await call(node, 'POST', '/test1/_search', { stats: ['bar', 'baz'] });
    expect(named.body).toMatchObject({ hits: { total: { value: 1 } } });
    await call(node, 'POST', '/test1/_search?stats=baz', {});
    await call(node, 'POST', '/test2/_search', { size: 0 });
  }, 60_000);
  afterAll(() => cluster.close());

  const groups = async (query: string) => {
    const { body } = await call(node, 'GET', `/_stats${query}`);
    return body._all.primaries.search?.groups;
  };

  test('are counted under them beside all others', async () => {
    expect(await groups('/search?groups=*')).toMatchObject({
      bar: { query_total: 1, fetch_total: 1, query_current: 0 },
      baz: { query_total: 2, fetch_total: 2, scroll_total: 0 },
    });
    const { body } = await call(node, 'GET', '/_stats/search');
    expect(body._all.primaries.search).toMatchObject({ query_total: 3 });
  });

  test.each([
    ['', undefined],
    ['?groups=bar', ['bar']],
    ['?groups=bar,baz', ['bar', 'baz']],
    ['?groups=baz*', ['baz']],
    ['?groups=nosuch', undefined],
    ['/docs?groups=bar', undefined],
  ])('are shown where statistics%s ask for them', async (query, names) => {
    const found = await groups(query);
    expect(found === undefined ? undefined : Object.keys(found)).toEqual(names);
  });

  test('are shown of a node too', async () => {
    const { nodes } = (await call(node, 'GET', '/_nodes/stats/indices/search?groups=ba*')).body;
    const [only] = Object.values<{ indices: { search: { groups: object } } }>(nodes);
    expect(Object.keys(only?.indices.search.groups ?? {})).toEqual(['bar', 'baz']);
  });

  test.each([
    [{ stats: 'bar' }, 'Unknown key for a VALUE_STRING in [stats].'],
    [{ stats: {} }, 'Unknown key for a START_OBJECT in [stats].'],
    [{ stats: [{}] }, '[stats]'],
  ])('are refused as %j', async (body, reason) => {
    const answer = await call(node, 'POST', '/test1/_search', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.reason).toContain(reason);
  });
});
