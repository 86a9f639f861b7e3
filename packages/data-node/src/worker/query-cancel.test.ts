import { request } from 'node:http';
import { createInlineWorkers, createNodeRuntime, createRecordingLog, type Runtime, type Workers } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from '../node/node-cluster.test-support.ts';
import type { ToWorker } from './worker-calls.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

/** Workers that get a query only when the test lets it go. */
class HoldingWorkers implements Workers {
  readonly #inner: Workers;
  readonly #held: (() => void)[] = [];
  #arrived: (() => void) | null = null;
  #stopBytes: Uint8Array = new Uint8Array(0);
  #stopSlot = -1;
  isHolding = false;

  constructor(inner: Workers) {
    this.#inner = inner;
  }

  /** The byte through which the query that is held is told to stop. */
  get stopByte(): number | undefined {
    return this.#stopBytes[this.#stopSlot];
  }

  nextQuery(): Promise<void> {
    this.isHolding = true;
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  release(): void {
    this.isHolding = false;
    for (const post of this.#held.splice(0)) post();
  }

  spawn(...args: Parameters<Workers['spawn']>): ReturnType<Workers['spawn']> {
    const handle = this.#inner.spawn(...args);
    const post = (message: unknown, transfer?: readonly ArrayBuffer[]): void => {
      // Posted by worker-thread.ts of the same program.
      const sent = message as ToWorker;
      if (sent.kind === 'begin') this.#stopBytes = new Uint8Array(sent.stopBytes);
      if (sent.kind !== 'call' || sent.name !== 'query' || !this.isHolding) {
        handle.post(message, transfer);
        return;
      }
      this.#stopSlot = sent.args.stopSlot;
      this.#held.push(() => handle.post(message, transfer));
      this.#arrived?.();
    };
    return { ...handle, post };
  }
}

async function holdingNode(): Promise<{ readonly node: TestNode; readonly workers: HoldingWorkers }> {
  const plain = createNodeRuntime({ log: createRecordingLog() });
  const workers = new HoldingWorkers(createInlineWorkers(() => runtime));
  const runtime: Runtime = { ...plain, workers };
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one', { runtime });
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await call(node, 'PUT', '/books/_doc/1?refresh=true', { n: 1 });
  return { node, workers };
}

test('a client that goes away stops its query in the worker, and nothing of it stays', async () => {
  const { node, workers } = await holdingNode();
  const arrived = workers.nextQuery();
  const address = node.node.httpAddress;
  const sent = request({ host: address?.host, port: address?.port, path: '/books/_search', method: 'GET' });
  sent.on('error', () => {});
  sent.end();
  await arrived;
  expect(workers.stopByte).toBe(0);
  sent.destroy();
  await expect.poll(() => workers.stopByte).toBe(1);
  workers.release();
  const openContexts = async (): Promise<unknown> =>
    (await call(node, 'GET', '/books/_stats/search')).body._all.total.search.open_contexts;
  await expect.poll(openContexts).toBe(0);
  expect((await call(node, 'GET', '/books/_search')).body.hits.total.value).toBe(1);
});

test('a client that stays gets its answer however long it takes', async () => {
  const { node, workers } = await holdingNode();
  const arrived = workers.nextQuery();
  const answer = call(node, 'GET', '/books/_search');
  await arrived;
  expect(workers.stopByte).toBe(0);
  workers.release();
  expect((await answer).body).toMatchObject({ timed_out: false, hits: { total: { value: 1 } } });
});
