/** An alias with rollovers becomes a data stream, while somebody writes to its name and searches it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const cluster = new TestCluster();
let node: TestNode;

beforeAll(async () => {
  node = await cluster.start('a');
}, 60_000);
afterAll(() => cluster.close());

test('documents stay, and the name is written to and searched as before', async () => {
  const timed = { mappings: { properties: { '@timestamp': { type: 'date' } } } };
  const alias = { aliases: { app: { is_write_index: true } } };
  await call(node, 'PUT', '/app-000001', { ...timed, ...alias });
  const write = (n: number) => call(node, 'POST', `/app/_create/${n}?refresh`, { '@timestamp': '2024-01-01', n });
  await write(1);
  expect((await call(node, 'POST', '/app/_rollover', timed)).body.rolled_over).toBe(true);
  await write(2);
  await call(node, 'PUT', '/_index_template/app', { index_patterns: ['app'], data_stream: {} });
  const untimed = await call(node, 'POST', '/_data_stream/_migrate/nosuch');
  expect([untimed.status, untimed.body.error.reason]).toEqual([400, 'alias [nosuch] does not exist']);
  expect((await call(node, 'POST', '/_data_stream/_migrate/app')).body).toEqual({ acknowledged: true });
  const [stream] = (await call(node, 'GET', '/_data_stream/app')).body.data_streams;
  expect(stream.indices.map((index: { index_name: string }) => index.index_name)).toEqual(['app-000001', 'app-000002']);
  expect(stream).toMatchObject({ generation: 2, template: 'app' });
  expect((await call(node, 'GET', '/_alias/app')).status).toBe(404);
  expect((await write(3)).body).toMatchObject({ result: 'created', _index: 'app-000002' });
  expect((await call(node, 'POST', '/app/_rollover')).body).toMatchObject({
    old_index: 'app-000002',
    rolled_over: true,
  });
  expect((await write(4)).body._index).toMatch(/^\.ds-app-\d{4}\.\d\d\.\d\d-000003$/);
  const { hits } = (await call(node, 'GET', '/app/_search?sort=n')).body.hits;
  expect(hits.map((hit: { _source: { n: number } }) => hit._source.n)).toEqual([1, 2, 3, 4]);
});
