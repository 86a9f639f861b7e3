import { createInlineWorkers, createNodeRuntime, createRecordingLog, type Runtime, type Workers } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import type { ToWorker, WorkerCallName } from '../../../shards/src/calls/worker-calls.ts';
import { call, TestCluster } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

/** Counts the calls of every thread. */
function countingWorkers(inner: Workers, calls: WorkerCallName[][]): Workers {
  return {
    isInline: inner.isInline,
    spawn: (...args) => {
      const own: WorkerCallName[] = [];
      calls.push(own);
      const handle = inner.spawn(...args);
      const post = (messages: unknown, transfer?: readonly ArrayBuffer[]): void => {
        // Posted by worker-thread.ts of the same program.
        for (const message of messages as readonly ToWorker[]) if (message.kind === 'call') own.push(message.name);
        handle.post(messages, transfer);
      };
      return { ...handle, post };
    },
  };
}

test('the shards of a thread are queried by one call for each 64 of them', async () => {
  const plain = createNodeRuntime({ log: createRecordingLog() });
  const calls: WorkerCallName[][] = [];
  const workers = countingWorkers(
    createInlineWorkers(() => runtime),
    calls,
  );
  const runtime: Runtime = { ...plain, workers };
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one', { runtime });
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 70, number_of_replicas: 0 } });
  const lines = Array.from({ length: 50 }, (_, i) => [{ index: { _id: `d${i}` } }, { n: i }]).flat();
  await call(node, 'POST', '/books/_bulk?refresh=true', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  for (const own of calls) own.length = 0;
  const { body } = await call(node, 'POST', '/books/_search', {
    size: 50,
    sort: ['n'],
    aggs: { n: { sum: { field: 'n' } } },
  });
  expect(body._shards).toEqual({ total: 70, successful: 70, skipped: 0, failed: 0 });
  expect(body.hits.hits.map((hit: { readonly _id: string }) => hit._id)).toEqual(
    Array.from({ length: 50 }, (_, i) => `d${i}`),
  );
  expect(body.aggregations.n.value).toBe((49 * 50) / 2);
  const queries = calls.map((own) => own.filter((name) => name === 'query' || name === 'queryShards'));
  expect(new Set(queries.flat())).toEqual(new Set(['queryShards']));
  const shardsOfThread = Math.ceil(70 / calls.length);
  for (const own of queries) expect(own.length).toBeLessThanOrEqual(Math.ceil(shardsOfThread / 64) + 1);
});
