import { CLIENT_EXECUTE, type ClientRequest } from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { loadShardProgram } from '@shoal/shards';
import { createWorld, type SimulatedWorld } from '@shoal/simulation';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DataNode, startDataNode } from './start-node.ts';

const NAMES = ['n1', 'n2', 'n3'];
const INDEX = 'books';
const ASK_MS = 30_000;

// Loading takes real time, of which a simulated world knows nothing.
beforeAll(async () => {
  await loadShardProgram();
});

/** Three data nodes under virtual time, that can be crashed and started again. */
class SimulatedCluster {
  readonly world: SimulatedWorld;
  readonly nodes = new Map<string, DataNode>();

  constructor(seed: number) {
    this.world = createWorld({ seed, network: { spikes: 0.01 }, disk: { latencyMaxMs: 2 } });
  }

  start(name: string, runtime: Runtime = this.world.node(name).runtime): void {
    const settings = {
      'cluster.name': 'simulated',
      'node.name': name,
      'network.host': name,
      'transport.port': 9300,
      'discovery.seed_hosts': NAMES.map((host) => `${host}:9300`),
      'cluster.initial_cluster_manager_nodes': NAMES,
      'node.workers': 1,
      insecure: true,
    };
    // A crash ends the promise as well: then nobody waits for it.
    void startDataNode(runtime, settings, { httpPort: null }).then((node) => this.nodes.set(name, node));
  }

  crash(name: string, options: { readonly silent: boolean }): void {
    this.nodes.delete(name);
    this.world.node(name).crash(options);
  }

  restart(name: string): void {
    this.start(name, this.world.node(name).restart());
  }

  isGreen(): boolean {
    return NAMES.every((name) => {
      const state = this.nodes.get(name)?.cluster.state();
      const copies = state?.routing.indices.get(INDEX)?.flat() ?? [];
      return (
        state?.nodes.size === NAMES.length && copies.length > 0 && copies.every((copy) => copy.state === 'STARTED')
      );
    });
  }

  /** Never settles when the node crashes under it. */
  async ask(name: string, request: ClientRequest): Promise<{ readonly status: number; readonly body: unknown }> {
    const node = this.nodes.get(name);
    if (node === undefined) return { status: 503, body: null };
    const options = { channel: 'reg', timeoutMs: ASK_MS } as const;
    const { status, body } = await node.cluster.send(node.cluster.localNode.id, CLIENT_EXECUTE, request, options);
    return { status, body: JSON.parse(new TextDecoder().decode(body)) };
  }

  /** A node that is not connected again yet is asked again: only an answer counts. */
  async has(id: string): Promise<boolean> {
    const get: ClientRequest = { operation: 'get', index: INDEX, id, routing: null, realtime: true };
    for (let attempt = 0; attempt < 60; attempt++) {
      const { status } = await this.world.settle(this.ask('n2', get));
      if (status === 200 || status === 404) return status === 200;
      await this.world.run(this.world.nowMs + 500);
    }
    throw new Error(`no answer about ${id}\n${this.world.logLines.slice(-30).join('\n')}`);
  }

  async createIndex(): Promise<void> {
    const up = await this.world.run(() =>
      NAMES.every((name) => this.nodes.get(name)?.cluster.state().nodes.size === NAMES.length),
    );
    expect(up).toBe(true);
    const timeouts = { masterTimeoutMs: ASK_MS, timeoutMs: ASK_MS };
    await this.world.settle(
      this.nodes.get('n1')!.cluster.admin.createIndex({
        ...timeouts,
        index: INDEX,
        settings: { number_of_shards: 4 },
        mappings: {},
        aliases: {},
        waitForActiveShards: 1,
      }),
    );
  }
}

function write(id: string): ClientRequest {
  return {
    operation: 'index',
    index: INDEX,
    id,
    opType: 'index',
    routing: null,
    refresh: 'none',
    ifSeqNo: null,
    ifPrimaryTerm: null,
    timeoutMs: 5_000,
    source: new TextEncoder().encode(JSON.stringify({ id, [`field${id.length}`]: 1 })),
  };
}

/** Writes all the time from all nodes, while nodes crash and come back. */
async function stormOf(seed: number): Promise<{ acked: number; lost: string[]; hash: string }> {
  const cluster = new SimulatedCluster(seed);
  const { world } = cluster;
  for (const name of NAMES) cluster.start(name);
  await cluster.createIndex();
  const acked = new Set<string>();
  const random = world.random.fork('storm');
  let down: string | null = null;
  for (let step = 0; step < 60; step++) {
    const id = `doc${step}`;
    const from = NAMES[random.below(NAMES.length)]!;
    void cluster.ask(from, write(id)).then(
      ({ status }) => status < 300 && acked.add(id),
      // Not acknowledged: whatever became of it, nothing is owed.
      () => undefined,
    );
    await world.run(world.nowMs + random.below(400));
    if (random.below(15) === 0) {
      const alone = NAMES[random.below(NAMES.length)]!;
      world.partition(
        [alone],
        NAMES.filter((name) => name !== alone),
      );
    } else if (random.below(5) === 0) world.heal();
    if (down === null && random.below(10) === 0) {
      down = NAMES[random.below(NAMES.length)]!;
      cluster.crash(down, { silent: random.below(2) === 0 });
    } else if (down !== null && random.below(4) === 0) {
      cluster.restart(down);
      down = null;
    }
  }
  world.heal();
  if (down !== null) cluster.restart(down);
  const deadlineMs = world.nowMs + 180_000;
  await world.run(() => cluster.isGreen() || world.nowMs > deadlineMs);
  expect(cluster.isGreen(), `seed ${seed}: not green\n${world.logLines.slice(-30).join('\n')}`).toBe(true);
  const lost: string[] = [];
  for (const id of acked) {
    if (!(await cluster.has(id))) lost.push(id);
  }
  return { acked: acked.size, lost, hash: world.traceHash };
}

describe('three nodes that crash with all that was not synced, and are cut off from each other', () => {
  test.each([1, 2, 3, 4, 5, 6])('lose no acknowledged write (seed %i)', async (seed) => {
    const { acked, lost } = await stormOf(seed);
    expect(lost).toEqual([]);
    expect(acked).toBeGreaterThan(3);
  });

  test('go the same way twice from one seed', async () => {
    expect(await stormOf(7)).toEqual(await stormOf(7));
  });
});
