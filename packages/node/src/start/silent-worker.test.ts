import { CLIENT_EXECUTE, type ClientRequest } from '@shoal/protocol';
import type { Runtime, WorkerHandle, Workers } from '@shoal/runtime';
import { loadShardProgram } from '@shoal/shards';
import { createWorld, type SimulatedNode, type SimulatedWorld } from '@shoal/simulation';
import { beforeAll, expect, test } from 'vitest';
import { type DataNode, startDataNode } from './start-node.ts';

// Loading takes real time, of which a simulated world knows nothing.
beforeAll(async () => {
  await loadShardProgram();
});

const INDEX = 'books';
const ASK_MS = 3_600_000;

/** One thread that can be stuck in one piece of work, and that ends only when the test lets it. */
class StickyThread {
  readonly #inner: WorkerHandle;
  readonly #held: (() => void)[] = [];
  readonly #ends: (() => void)[] = [];
  #isStuck = false;

  constructor(inner: WorkerHandle) {
    this.#inner = inner;
  }

  /** True from when the node asked for the end of the thread. */
  get isEnding(): boolean {
    return this.#ends.length > 0;
  }

  stick(): void {
    this.#isStuck = true;
  }

  /** The piece of work is done: what came meanwhile is taken in. */
  goOn(): void {
    this.#isStuck = false;
    for (const post of this.#held.splice(0)) post();
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  handle(): WorkerHandle {
    const inner = this.#inner;
    return {
      ...inner,
      post: (message, moved) => {
        if (this.#isStuck) this.#held.push(() => inner.post(message, moved));
        else inner.post(message, moved);
      },
      terminate: async () => {
        if (this.#isStuck) await new Promise<void>((resolve) => this.#ends.push(resolve));
        await inner.terminate();
      },
    };
  }
}

/** A data node of one thread under virtual time, with an index of two shards and one document. */
class StickyNode {
  readonly world: SimulatedWorld;
  readonly machine: SimulatedNode;
  readonly threads: StickyThread[] = [];
  #node: DataNode | null = null;

  constructor() {
    this.world = createWorld({ seed: 1, disk: { latencyMaxMs: 1 } });
    this.machine = this.world.node('n1');
  }

  async start(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const plain = this.machine.runtime;
    const workers: Workers = {
      isInline: true,
      spawn: (...args) => {
        const thread = new StickyThread(plain.workers.spawn(...args));
        this.threads.push(thread);
        return thread.handle();
      },
    };
    const runtime: Runtime = { ...plain, workers };
    const given = {
      'node.name': 'n1',
      'network.host': 'n1',
      'transport.port': 9300,
      'discovery.type': 'single-node',
      'node.workers': 1,
      insecure: true,
      ...settings,
    };
    this.#node = await this.world.settle(startDataNode(runtime, given, { httpPort: null }));
    await this.world.run(() => this.node.cluster.state().clusterManagerId !== null);
    await this.world.settle(
      this.node.cluster.admin.createIndex({
        masterTimeoutMs: ASK_MS,
        timeoutMs: ASK_MS,
        index: INDEX,
        settings: { number_of_shards: 2, number_of_replicas: 0 },
        mappings: {},
        aliases: {},
        waitForActiveShards: 1,
      }),
    );
    expect((await this.world.settle(this.ask(WRITE))).status).toBe(201);
  }

  get node(): DataNode {
    if (this.#node === null) throw new Error('the node has not started');
    return this.#node;
  }

  get thread(): StickyThread {
    return this.threads[0]!;
  }

  get startedCopies(): number {
    const copies = this.node.cluster.state().routing.indices.get(INDEX)?.flat() ?? [];
    return copies.filter((copy) => copy.state === 'STARTED').length;
  }

  get primaryTerms(): readonly number[] {
    return this.node.cluster.state().metadata.indices.get(INDEX)?.primaryTerms ?? [];
  }

  runFor(ms: number): Promise<boolean> {
    return this.world.run(this.world.nowMs + ms);
  }

  async ask(request: ClientRequest): Promise<{ readonly status: number; readonly body: string }> {
    const { cluster } = this.node;
    const options = { channel: 'reg', timeoutMs: ASK_MS } as const;
    const { status, body } = await cluster.send(cluster.localNode.id, CLIENT_EXECUTE, request, options);
    return { status, body: new TextDecoder().decode(body) };
  }

  logged(text: string): readonly string[] {
    return this.world.logLines.filter((line) => line.includes(text));
  }
}

const WRITE: ClientRequest = {
  operation: 'index',
  index: INDEX,
  id: 'a',
  opType: 'index',
  routing: null,
  refresh: 'none',
  ifSeqNo: null,
  ifPrimaryTerm: null,
  timeoutMs: ASK_MS,
  source: new TextEncoder().encode('{"n":1}'),
};
const GET: ClientRequest = { operation: 'get', index: INDEX, id: 'a', routing: null, realtime: true };

test('a worker that is silent for too long is replaced: its shards fail, and open again when the thread has ended', async () => {
  const node = new StickyNode();
  await node.start();
  node.thread.stick();
  await node.runFor(115_000);
  expect([node.startedCopies, node.thread.isEnding]).toEqual([2, false]);
  const inFlight = node.ask(GET);
  await node.runFor(15_000);

  expect(node.thread.isEnding).toBe(true);
  expect(node.logged('shard worker is silent')).toHaveLength(1);
  const failures = node.logged('error shard failed');
  expect(failures).toHaveLength(2);
  for (const line of failures) expect(line).toContain('[node.worker.silent_limit]');
  const answer = await node.world.settle(inFlight);
  expect(answer).toMatchObject({ status: 503, body: expect.stringContaining('was silent for longer than') });

  // Two threads on one folder would destroy it: nothing is opened while the old one may run.
  await node.runFor(600_000);
  expect([node.startedCopies, node.threads.length]).toEqual([0, 1]);
  node.thread.end();
  await node.runFor(60_000);
  expect([node.startedCopies, node.threads.length]).toEqual([2, 2]);
  expect(node.primaryTerms).toEqual([2, 2]);
  expect((await node.world.settle(node.ask(GET))).status).toBe(200);
});

test('a shard that was being closed by the silent worker is not opened before that has ended', async () => {
  const node = new StickyNode();
  await node.start();
  node.thread.stick();
  const timeouts = { masterTimeoutMs: ASK_MS, timeoutMs: ASK_MS };
  await node.world.settle(node.node.cluster.admin.deleteIndices({ ...timeouts, indices: [INDEX] }));
  const folders = async (): Promise<number> =>
    (await node.world.settle(node.machine.runtime.disk.list('indices'))).length;
  await node.runFor(600_000);
  expect(node.thread.isEnding).toBe(true);
  expect(await folders()).toBe(1);
  node.thread.end();
  await node.runFor(60_000);
  expect(await folders()).toBe(0);
});

test('a worker that answers late but within the limit keeps its shards', async () => {
  const node = new StickyNode();
  await node.start();
  for (let round = 0; round < 3; round++) {
    node.thread.stick();
    await node.runFor(90_000);
    const late = node.ask(GET);
    await node.runFor(20_000);
    node.thread.goOn();
    expect((await node.world.settle(late)).status).toBe(200);
  }
  expect([node.startedCopies, node.threads.length, node.thread.isEnding]).toEqual([2, 1, false]);
  expect(node.primaryTerms).toEqual([1, 1]);
});

test('time in which the whole process was suspended is no silence', async () => {
  const node = new StickyNode();
  await node.start();
  node.thread.stick();
  await node.runFor(20_000);
  node.machine.pause(3_600_000);
  await node.runFor(3_600_000 + 20_000);
  node.thread.goOn();
  await node.runFor(600_000);
  expect([node.startedCopies, node.threads.length, node.thread.isEnding]).toEqual([2, 1, false]);
  expect(node.logged('shard worker is silent')).toEqual([]);
});

test('a limit of -1 waits without end, and one of the setting is kept', async () => {
  const patient = new StickyNode();
  await patient.start({ 'node.worker.silent_limit': -1 });
  patient.thread.stick();
  await patient.runFor(3_600_000);
  expect(patient.startedCopies).toBe(2);

  const strict = new StickyNode();
  await strict.start({ 'node.worker.silent_limit': '4s' });
  strict.thread.stick();
  await strict.runFor(6_000);
  expect(strict.thread.isEnding).toBe(true);
});
