import { createInlineWorkers, createNodeRuntime, createRecordingLog, type Runtime, type Workers } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster } from './node-cluster.test-support.ts';

const clusters: TestCluster[] = [];

afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.close()));
});

/** Workers whose threads can be made to end as if they had crashed. */
class MortalWorkers implements Workers {
  readonly #inner: Workers;
  readonly #crash: (() => Promise<void>)[] = [];
  /** From now on no thread takes in what it is sent, as in an endless piece of work. */
  isStuck = false;

  constructor(inner: Workers) {
    this.#inner = inner;
  }

  get spawned(): number {
    return this.#crash.length;
  }

  async crash(position: number): Promise<void> {
    await this.#crash[position]?.();
  }

  get isInline(): boolean {
    return this.#inner.isInline;
  }

  spawn(...args: Parameters<Workers['spawn']>): ReturnType<Workers['spawn']> {
    const handle = this.#inner.spawn(...args);
    const handlers: ((reason: string) => void)[] = [];
    const post: typeof handle.post = (message, moved) => {
      if (!this.isStuck) handle.post(message, moved);
    };
    this.#crash.push(async () => {
      await handle.terminate();
      for (const handler of handlers) handler('out of memory');
    });
    return { ...handle, post, onExit: (handler) => void handlers.push(handler) };
  }
}

async function nodeWithMortalWorkers() {
  const plain = createNodeRuntime({ log: createRecordingLog() });
  const workers = new MortalWorkers(createInlineWorkers(() => runtime));
  const sched: Runtime['sched'] = {
    soon: (fn) => plain.sched.soon(fn),
    // Whoever waits for a stuck thread waits no longer than a turn.
    after: (ms, fn) => plain.sched.after(workers.isStuck ? 0 : ms, fn),
  };
  const runtime: Runtime = { ...plain, sched, workers };
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one', { runtime, settings: { 'node.workers': 2 } });
  await call(node, 'GET', '/_cluster/health?wait_for_status=green');
  return { node, workers };
}

test('workers start with the first shard, each for its part of the shards', async () => {
  const { node, workers } = await nodeWithMortalWorkers();
  expect(workers.spawned).toBe(0);
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 5 } });
  expect(workers.spawned).toBe(2);
});

test('a worker that ends takes nothing with it: its shards are opened again from disk', async () => {
  const { node, workers } = await nodeWithMortalWorkers();
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 4, number_of_replicas: 0 } });
  const lines = Array.from({ length: 40 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`);
  expect((await call(node, 'POST', '/books/_bulk', lines.join(''))).body.errors).toBe(false);
  await workers.crash(0);
  // The cluster manager, this very node, sees the copies fail and gives them out again under a higher term.
  await expect
    .poll(
      () =>
        node.node.cluster
          .state()
          .metadata.indices.get('books')
          ?.primaryTerms.filter((term) => term > 1).length,
    )
    .toBe(2);
  const health = await call(node, 'GET', '/_cluster/health?wait_for_status=green&timeout=20s');
  expect(health.body).toMatchObject({ status: 'green', timed_out: false });
  expect(workers.spawned).toBe(3);
  await call(node, 'POST', '/books/_refresh');
  expect((await call(node, 'GET', '/books/_count')).body.count).toBe(40);
  expect((await call(node, 'PUT', '/books/_doc/new', { n: 41 })).status).toBe(201);
});

test('a node whose threads are stuck ends all the same', async () => {
  const { node, workers } = await nodeWithMortalWorkers();
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 2 } });
  workers.isStuck = true;
  await node.node.close();
});
