/**
 * What happens by itself after days, under the clock of a test.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { ShoalCluster } from '../cluster/shoal-cluster.ts';
import type { ShoalNode } from './shoal-node.ts';
import { startShoal } from './start-shoal.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape.
type Json = any;
type Asked = Pick<ShoalNode | ShoalCluster, 'fetch' | 'clock' | 'close'>;

const started: Asked[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((asked) => asked.close()));
});

const KINDS: readonly (readonly [string, () => Promise<Asked>])[] = [
  ['a node', () => startShoal()],
  ['a cluster', () => startShoal({ nodes: 3 })],
];

const DAY_MS = 86_400_000;

describe.each(KINDS)('by the clock of %s', (_kind, start) => {
  async function begin(): Promise<(method: string, path: string, body?: object) => Promise<Json>> {
    asked = await start();
    started.push(asked);
    return async (method, path, body) =>
      (
        await asked.fetch(path, { method, ...(body === undefined ? {} : { body: body as Record<string, unknown> }) })
      ).json();
  }
  let asked: Asked;
  const pass = (days: number): Promise<void> => asked.clock.set(asked.clock.now() + days * DAY_MS);

  test('an index rolls over at its age, and its policy deletes it later', async () => {
    const ask = await begin();
    const phases = {
      hot: { actions: { rollover: { max_age: '7d' } } },
      delete: { min_age: '30d', actions: { delete: {} } },
    };
    await ask('PUT', '/_ilm/policy/logs', { policy: { phases } });
    const settings = { 'index.lifecycle.name': 'logs', 'index.lifecycle.rollover_alias': 'logs' };
    await ask('PUT', '/_index_template/logs', { index_patterns: ['logs-*'], template: { settings } });
    await ask('PUT', '/logs-000001', { aliases: { logs: { is_write_index: true } } });
    await ask('PUT', '/logs/_doc/1', { n: 1 });
    const names = async (): Promise<readonly string[]> => Object.keys(await ask('GET', '/logs-*')).sort();
    await pass(6);
    expect(await names()).toEqual(['logs-000001']);
    await pass(2);
    expect(await names()).toEqual(['logs-000001', 'logs-000002']);
    await ask('PUT', '/logs/_doc/2', { n: 2 });
    expect(await ask('GET', '/logs-000002/_count')).toMatchObject({ count: 1 });
    await pass(31);
    expect(await names()).not.toContain('logs-000001');
  });

  test('a rollover that is asked for knows how old the index is', async () => {
    const ask = await begin();
    await ask('PUT', '/logs-000001', { aliases: { logs: { is_write_index: true } } });
    const rollOver = () => ask('POST', '/logs/_rollover', { conditions: { max_age: '2d' } });
    expect(await rollOver()).toMatchObject({ rolled_over: false, conditions: { '[max_age: 2d]': false } });
    await pass(3);
    expect(await rollOver()).toMatchObject({ rolled_over: true, new_index: 'logs-000002' });
  });

  test('a data stream keeps its documents for as long as its lifecycle says', async () => {
    const ask = await begin();
    const template = { lifecycle: { data_retention: '7d' } };
    await ask('PUT', '/_index_template/logs', { index_patterns: ['logs-*'], data_stream: {}, template });
    await ask('POST', '/logs-a/_doc', { '@timestamp': '2024-01-01', n: 1 });
    const backing = async (): Promise<readonly string[]> =>
      (await ask('GET', '/_data_stream/logs-a')).data_streams[0].indices.map((index: Json) => index.index_name);
    const first = await backing();
    await pass(2);
    expect(await backing()).toHaveLength(2);
    await pass(30);
    expect(await backing()).not.toContain(first[0]);
  });

  test('the answer of an asynchronous search is kept so long, and no longer', async () => {
    const ask = await begin();
    await ask('PUT', '/books/_doc/1', { n: 1 });
    const { id } = await ask('POST', '/books/_async_search?keep_on_completion=true&keep_alive=2d', {});
    await pass(1);
    expect(await ask('GET', `/_async_search/${id}`)).toMatchObject({ is_running: false });
    await pass(30);
    expect(await ask('GET', `/_async_search/${id}`)).toMatchObject({ error: { type: 'resource_not_found_exception' } });
  });

  test('`now` of a search goes on with the days', async () => {
    const ask = await begin();
    await ask('PUT', '/events/_doc/1', { at: new Date(asked.clock.now()).toISOString() });
    const count = async (gte: string): Promise<number> =>
      (await ask('POST', '/events/_count', { query: { range: { at: { gte } } } })).count;
    await pass(30);
    expect([await count('now-29d'), await count('now-31d')]).toEqual([0, 1]);
    await asked.clock.set('2030-01-01');
    expect([await count('2029-12-31||-1d'), await count('now-7y')]).toEqual([0, 1]);
  });
});
