/**
 * `shoal up` as a newcomer and as a script see it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

describe('a cluster of three data nodes and a coordinator, with the sample', () => {
  let cluster: RunningCluster;
  beforeAll(async () => {
    cluster = await startUp(['--ephemeral']);
  });
  afterAll(() => cluster?.end());

  test('announces every address and pid once all nodes answer', () => {
    expect(Object.keys(cluster.pids)).toEqual(['coordinator-1', 'data-1', 'data-2', 'data-3']);
    expect(cluster.http).toHaveLength(4);
    expect(cluster.transport).toHaveLength(4);
  });

  test('is green with three primary shards on three nodes', async () => {
    const health = await call(cluster.url, 'GET', '/_cluster/health');
    expect(health.body).toMatchObject({
      status: 'green',
      number_of_nodes: 4,
      number_of_data_nodes: 3,
      active_primary_shards: 3,
    });
    const shards = await call(cluster.url, 'GET', '/_cat/shards/debian-packages?h=node&format=json');
    expect(new Set(shards.body.map((row: { node: string }) => row.node)).size).toBe(3);
  });

  test('answers the same count and the same page at every node', async () => {
    const search = { query: { match: { description: 'text editor' } }, sort: [{ 'name.keyword': 'asc' }], size: 5 };
    const answers = await Promise.all(
      cluster.http.map(async (url) => [
        (await call(url, 'GET', '/debian-packages/_count')).body.count,
        (await call(url, 'POST', '/debian-packages/_search', search)).body.hits,
      ]),
    );
    expect(answers[0]?.[0]).toBe(5306);
    expect(answers[0]?.[1].hits).toHaveLength(5);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('ends all its processes', async () => {
    await cluster.end();
    for (const pid of Object.values(cluster.pids)) expect(() => process.kill(pid, 0)).toThrow();
  });
});
