/**
 * A search that keeps every shard busy for a while: the nodes answer what needs no shard all the same, and each other.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startUp(['--ephemeral']);
});
afterAll(() => cluster?.end());

/** Each clause walks the whole dictionary of a field: seconds in all, where a light answer takes milliseconds. */
const HEAVY_CLAUSES = 250;
const LIGHT_ROUNDS = 3;

test('a heavy search delays neither a light request nor what nodes ask each other', async () => {
  const clauses = Array.from({ length: HEAVY_CLAUSES }, (_, i) => ({
    fuzzy: { description: { value: `abcdef${i}gh`, fuzziness: 2, prefix_length: 0 } },
  }));
  let isRunning = true;
  const heavy = call(cluster.url, 'POST', '/debian-packages/_search', {
    query: { bool: { should: clauses } },
    size: 0,
  });
  const ended = heavy.finally(() => {
    isRunning = false;
  });

  for (let round = 0; round < LIGHT_ROUNDS; round++) {
    for (const url of cluster.http) {
      expect((await call(url, 'GET', '/')).status).toBe(200);
      // Three of the four nodes ask the cluster manager for it, over the port that heartbeats take.
      expect((await call(url, 'GET', '/_cluster/health')).body.number_of_nodes).toBe(4);
    }
  }
  expect(isRunning).toBe(true);
  const { status, body } = await ended;
  expect([status, body._shards]).toEqual([200, { total: 3, successful: 3, skipped: 0, failed: 0 }]);
});
