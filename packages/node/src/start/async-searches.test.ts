import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

describe('asynchronous searches of a cluster', () => {
  const cluster = new TestCluster();
  let nodes: readonly TestNode[];

  beforeAll(async () => {
    nodes = [await cluster.start('a'), await cluster.start('b')];
  }, 60_000);
  afterAll(() => cluster.close());

  const ask = (at: number, method: string, path: string, body?: object) =>
    call(nodes[at] as TestNode, method, path, body);

  test('are shown, watched and deleted through any node', async () => {
    await ask(0, 'PUT', '/lib', { settings: { number_of_shards: 3 } });
    for (const n of [2, 5]) await ask(n % 2, 'PUT', `/lib/_doc/${n}?refresh=true`, { n });
    const body = { size: 1, aggs: { sum: { sum: { field: 'n' } } } };
    const begun = await ask(0, 'POST', '/lib/_async_search?keep_on_completion=true', body);
    const { id } = begun.body;
    const shown = await ask(1, 'GET', `/_async_search/${id}?typed_keys=true&keep_alive=10d`);
    const response = { hits: { total: { value: 2 } }, aggregations: { 'sum#sum': { value: 7 } } };
    expect(shown).toMatchObject({ status: 200, body: { id, is_partial: false, is_running: false, response } });
    expect(shown.body.expiration_time_in_millis).toBeGreaterThan(begun.body.expiration_time_in_millis);
    expect((await ask(1, 'GET', `/_async_search/status/${id}`)).body).toEqual({
      id,
      is_partial: false,
      is_running: false,
      start_time_in_millis: begun.body.start_time_in_millis,
      expiration_time_in_millis: shown.body.expiration_time_in_millis,
      _shards: { total: 3, successful: 3, skipped: 0, failed: 0 },
      completion_status: 200,
    });
    expect((await ask(1, 'DELETE', `/_async_search/${id}`)).body).toEqual({ acknowledged: true });
    for (const at of [0, 1]) expect((await ask(at, 'GET', `/_async_search/${id}`)).status).toBe(404);
    expect((await ask(0, 'DELETE', `/_async_search/${id}`)).status).toBe(404);
  });
});
