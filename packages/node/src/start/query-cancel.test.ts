import { request } from 'node:http';
import { createInlineWorkers, createNodeRuntime, createRecordingLog, type Runtime, type Workers } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import type { ToWorker, WorkerCallName } from '../../../shards/src/calls/worker-calls.ts';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

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

  get isInline(): boolean {
    return this.#inner.isInline;
  }

  spawn(...args: Parameters<Workers['spawn']>): ReturnType<Workers['spawn']> {
    const handle = this.#inner.spawn(...args);
    let stopBytes: Uint8Array = new Uint8Array(0);
    const post = (messages: unknown, transfer?: readonly ArrayBuffer[]): void => {
      // Posted by worker-thread.ts of the same program.
      const sent = messages as readonly ToWorker[];
      for (const message of sent) if (message.kind === 'begin') stopBytes = new Uint8Array(message.stopBytes);
      const query = sent.find((message) => message.kind === 'call' && isQuery(message.name));
      if (query?.kind !== 'call' || !('stopSlot' in query.args) || !this.isHolding) {
        handle.post(messages, transfer);
        return;
      }
      this.#stopBytes = stopBytes;
      this.#stopSlot = query.args.stopSlot;
      this.#held.push(() => handle.post(messages, transfer));
      this.#arrived?.();
    };
    return { ...handle, post };
  }
}

function isQuery(name: WorkerCallName): boolean {
  return name === 'query' || name === 'queryShards';
}

async function holdingNode(shards = 1): Promise<{ readonly node: TestNode; readonly workers: HoldingWorkers }> {
  const plain = createNodeRuntime({ log: createRecordingLog() });
  const workers = new HoldingWorkers(createInlineWorkers(() => runtime));
  const runtime: Runtime = { ...plain, workers };
  const cluster = new TestCluster();
  clusters.push(cluster);
  const node = await cluster.start('one', { runtime });
  await call(node, 'PUT', '/books', { settings: { number_of_shards: shards, number_of_replicas: 0 } });
  await call(node, 'PUT', '/books/_doc/1?refresh=true', { n: 1 });
  return { node, workers };
}

test.each([1, 3])(
  'a client that goes away stops its query of %i shards in the worker, and nothing of it stays',
  async (shards) => {
    const { node, workers } = await holdingNode(shards);
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
  },
);

test('a client that stays gets its answer however long it takes', async () => {
  const { node, workers } = await holdingNode();
  const arrived = workers.nextQuery();
  const answer = call(node, 'GET', '/books/_search');
  await arrived;
  expect(workers.stopByte).toBe(0);
  workers.release();
  expect((await answer).body).toMatchObject({ timed_out: false, hits: { total: { value: 1 } } });
});

interface RunningSearch {
  readonly node: TestNode;
  readonly workers: HoldingWorkers;
  /** The task of the request, and that of its phase on the shard. */
  readonly tasks: readonly { readonly id: string; readonly action: string }[];
  readonly answer: Promise<Awaited<ReturnType<typeof call>>>;
}

async function runningSearch(): Promise<RunningSearch> {
  const { node, workers } = await holdingNode();
  const arrived = workers.nextQuery();
  const answer = call(node, 'POST', '/books/_search', { query: { match_all: {} } });
  await arrived;
  const { body } = await call(node, 'GET', '/_tasks?actions=indices:data/read/*&detailed&group_by=none');
  const tasks = body.tasks.map((task: { node: string; id: number; action: string }) => ({
    id: `${task.node}:${task.id}`,
    action: task.action,
  }));
  expect(body.tasks[0].description).toBe(
    'indices[books], search_type[QUERY_THEN_FETCH], source[{"query":{"match_all":{}}}]',
  );
  expect(body.tasks[1]).toMatchObject({ description: 'shardId[[books][0]]', parent_task_id: tasks[0]?.id });
  return { node, workers, tasks, answer };
}

test('a search is listed while it runs, with what it caused on its shard', async () => {
  const { node, workers, tasks, answer } = await runningSearch();
  expect(tasks.map(({ action }) => action)).toEqual([
    'indices:data/read/search',
    'indices:data/read/search[phase/query]',
  ]);
  const { body } = await call(node, 'GET', `/_tasks/${tasks[0]?.id}`);
  expect(body).toMatchObject({ completed: false, task: { cancellable: true, cancelled: false } });
  const waiting = call(node, 'GET', `/_tasks/${tasks[0]?.id}?wait_for_completion=true`);
  const waits = async (): Promise<{ node: string; id: number }[]> =>
    (await call(node, 'GET', '/_tasks?actions=cluster:monitor/task/get&group_by=none')).body.tasks;
  // Its question to the shard's node is under way: two of them with the one of this list.
  const asked = async (): Promise<number> =>
    (await call(node, 'GET', '/_tasks?actions=cluster:monitor/tasks/lists[n]&group_by=none')).body.tasks.length;
  await expect.poll(asked).toBe(2);
  const [waitingTask] = await waits();
  const { body: refused } = await call(node, 'POST', `/_tasks/${waitingTask?.node}:${waitingTask?.id}/_cancel`);
  expect(refused.node_failures[0].caused_by.reason).toBe(
    `task [${waitingTask?.node}:${waitingTask?.id}] doesn't support cancellation`,
  );
  workers.release();
  expect((await answer).body.hits.total.value).toBe(1);
  expect((await waiting).body).toMatchObject({ completed: true, task: { action: 'indices:data/read/search' } });
  expect((await call(node, 'GET', `/_tasks/${tasks[0]?.id}`)).status).toBe(404);
});

test('a cancelled search stops in the worker at once, and its client is told', async () => {
  const { node, workers, tasks, answer } = await runningSearch();
  const cancelled = await call(node, 'POST', `/_tasks/${tasks[0]?.id}/_cancel`);
  // Before anything else is heard of the worker.
  expect(workers.stopByte).toBe(1);
  const [ofNode] = Object.values<{ readonly tasks: Readonly<Record<string, unknown>> }>(cancelled.body.nodes);
  const [shown] = Object.values(ofNode?.tasks ?? {});
  expect(shown).toMatchObject({ action: 'indices:data/read/search', cancellable: true, cancelled: true });
  expect((await answer).body.error.root_cause[0]).toMatchObject({ type: 'task_cancelled_exception' });
  workers.release();
  const openContexts = async (): Promise<unknown> =>
    (await call(node, 'GET', '/books/_stats/search')).body._all.total.search.open_contexts;
  await expect.poll(openContexts).toBe(0);
});

test('a phase that is cancelled alone fails its shard', async () => {
  const { node, workers, answer } = await runningSearch();
  await call(node, 'POST', '/_tasks/_cancel?actions=*search[phase/query]');
  expect(workers.stopByte).toBe(1);
  workers.release();
  const { body } = await answer;
  expect(body.error.failed_shards[0].reason.type).toBe('task_cancelled_exception');
});

test('what cannot be cancelled is not', async () => {
  const { node, workers, answer } = await runningSearch();
  expect((await call(node, 'POST', '/_tasks/_cancel?actions=cluster:*')).body).toEqual({ nodes: {} });
  workers.release();
  expect((await answer).status).toBe(200);
});
