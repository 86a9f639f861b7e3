/**
 * One replica under chaos, on hosts of their own: whatever becomes of the node of one copy, writes go on, and what was acknowledged by
 * whichever node is on both copies afterwards.
 */
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ChaosCluster, type NodeOptions } from './chaos-cluster.test-support.ts';
import { findPower } from './hosts.test-support.ts';

const power = await findPower();
if (power.kind === 'none') process.stderr.write(`chaos tests of replicas are SKIPPED: ${power.reason}\n`);

const NODES = 3;
const WRITERS = 4;
const WHOLE_WITHIN_MS = 120_000;
/** Three checks of 2 s, and an election after them; many times that on a machine that has other work. */
const RESUMED_WITHIN_MS = 60_000;
/** Longer than all checks of a node take. */
const PAUSE_MS = 12_000;
/** Before a writer whose write was refused writes the next one. */
const RETRY_MS = 50;
const IDS_A_GET = 500;
/** Writes that are answered before something happens, and after it. */
const SOME = 40;
const HEALTH = '/_cluster/health?timeout=1s&master_timeout=1s';
const QUICK_CHECKS = ['follower', 'leader'].map((who) => `cluster.fault_detection.${who}_check.timeout=2s`);
const SMALL_DISK = '5m';
const PADDING = 'x'.repeat(32 * 1024);

interface Copy {
  readonly prirep: 'p' | 'r';
  readonly state: string;
  /** `n1`; null without a node. */
  readonly node: string | null;
}

describe.skipIf(power.kind === 'none')('one replica', () => {
  let cluster: ChaosCluster;
  const writing: Writers[] = [];
  afterEach(async () => {
    // Not waited for: where a test failed halfway, a node may answer no more.
    for (const writers of writing.splice(0)) void writers.stop();
    await cluster?.destroy();
  });
  afterAll(() => {
    if (power.kind !== 'none') power.release();
  });

  async function startNodes(optionsOf: (host: number) => NodeOptions = () => ({})): Promise<void> {
    if (power.kind === 'none') throw new Error('skipped');
    cluster = new ChaosCluster(power, NODES);
    for (const host of cluster.numbers) cluster.start(host, { settings: QUICK_CHECKS, ...optionsOf(host) });
    await healed(1);
  }

  /** All nodes are there, and all copies. */
  async function healed(asked: number): Promise<void> {
    const isHealed = ({ status, body }: { status: number; body: { status?: string; number_of_nodes?: number } }) =>
      status === 200 && body.status === 'green' && body.number_of_nodes === NODES;
    await cluster.waitFor(asked, HEALTH, isHealed, WHOLE_WITHIN_MS);
  }

  async function copies(asked: number): Promise<readonly Copy[]> {
    return (await cluster.call(asked, 'GET', '/_cat/shards/acked?format=json&h=prirep,state,node')).body;
  }

  const hostOf = ({ node }: Copy): number => Number(node?.slice(1) ?? 0);

  /** An index of one shard; the host of its primary, and another one to ask. */
  async function createIndex(): Promise<{ readonly primary: number; readonly asked: number }> {
    // A copy whose node left is made anew at once.
    const settings = { 'index.unassigned.node_left.delayed_timeout': 0 };
    expect((await cluster.call(1, 'PUT', '/acked?wait_for_active_shards=all', { settings })).status).toBe(200);
    const rows = await copies(1);
    const primary = hostOf(rows.find(({ prirep }) => prirep === 'p') ?? expect.fail('no primary'));
    return { primary, asked: cluster.numbers.find((host) => host !== primary) ?? 0 };
  }

  function write(asked: number, padding = ''): Writers {
    const writers = new Writers(cluster, asked, padding);
    writing.push(writers);
    return writers;
  }

  /** Both copies have the same, and in it everything that was acknowledged. */
  async function expectAll(asked: number, ...writers: readonly Writers[]): Promise<void> {
    for (const each of writers) await each.stop();
    const acked = writers.flatMap((each) => each.acked);
    await cluster.call(asked, 'POST', '/acked/_refresh');
    const rows = await copies(asked);
    expect(rows.map(({ prirep, state }) => `${prirep} ${state}`)).toEqual(['p STARTED', 'r STARTED']);
    const counts: number[] = [];
    for (const { node } of rows) {
      const preference = encodeURIComponent(`_shards:0|_only_nodes:${node}`);
      const { body } = await cluster.call(asked, 'GET', `/acked/_count?preference=${preference}`);
      expect(body._shards).toMatchObject({ total: 1, successful: 1 });
      counts.push(body.count);
      for (let at = 0; at < acked.length; at += IDS_A_GET) {
        const ids = acked.slice(at, at + IDS_A_GET);
        const found = await cluster.call(asked, 'POST', `/acked/_search?preference=${preference}&size=${IDS_A_GET}`, {
          query: { ids: { values: ids } },
          _source: false,
        });
        const have = new Set(found.body.hits.hits.map((hit: { _id: string }) => hit._id));
        expect(ids.filter((id) => !have.has(id))).toEqual([]);
      }
    }
    expect(counts[1]).toBe(counts[0]);
    // Writes that were not answered may be there too.
    expect(counts[0]).toBeGreaterThanOrEqual(acked.length);
  }

  test('with 9300 blocked at the primary, silently: the other copy leads, and what either side acknowledged is kept', async () => {
    await startNodes();
    const { primary, asked } = await createIndex();
    const outside = write(asked);
    const inside = write(primary);
    await Promise.all([outside.answered(SOME), inside.answered(SOME)]);
    cluster.hosts.block(primary, 9300);
    // In flight are writes that the primary had already.
    await outside.resumed();
    const cutOff = inside.acked.length;
    await outside.answered(SOME);
    expect(inside.acked.length).toBe(cutOff);
    cluster.hosts.unblock(primary);
    await healed(asked);
    await inside.answered(SOME);
    await expectAll(primary, outside, inside);
  });

  test('with the node of the primary killed: writes go on, and it takes its part again', async () => {
    await startNodes();
    const { primary, asked } = await createIndex();
    const writers = write(asked);
    await writers.answered(SOME);
    const victim = cluster.process(primary);
    const closed = once(victim, 'close');
    victim.kill('SIGKILL');
    await closed;
    await writers.resumed();
    await writers.answered(SOME);
    cluster.start(primary, { settings: QUICK_CHECKS });
    await healed(asked);
    await expectAll(primary, writers);
  });

  test('with the node of the primary paused for longer than it is waited for: it never acknowledges what it leads no more', async () => {
    await startNodes();
    const { primary, asked } = await createIndex();
    const outside = write(asked);
    const inside = write(primary);
    await Promise.all([outside.answered(SOME), inside.answered(SOME)]);
    cluster.process(primary).kill('SIGSTOP');
    await Promise.all([outside.resumed(), new Promise((resolve) => setTimeout(resolve, PAUSE_MS))]);
    await outside.answered(SOME);
    cluster.process(primary).kill('SIGCONT');
    await healed(asked);
    await inside.answered(SOME);
    await expectAll(primary, outside, inside);
  });

  test('with a full disk under the replica: writes go on without it, and it is made again where there is room', async () => {
    const small = 3;
    await startNodes((host) => (host === small ? { diskSize: SMALL_DISK } : {}));
    const on = (names: string) => ({ 'index.routing.allocation.include._name': names });
    const alone = { ...on('n1'), number_of_replicas: 0 };
    expect((await cluster.call(1, 'PUT', '/acked', { settings: alone })).status).toBe(200);
    await cluster.call(1, 'PUT', '/acked/_settings', { ...on(`n1,n${small}`), number_of_replicas: 1 });
    await healed(1);
    const writers = write(2, PADDING);
    const isAlone = ({ body }: { body: { status?: string } }): boolean => body.status === 'yellow';
    await cluster.waitFor(1, HEALTH, isAlone, RESUMED_WITHIN_MS);
    await writers.resumed();
    await writers.answered(SOME);
    await writers.stop();
    expect(writers.refused).toEqual([]);
    await cluster.call(1, 'PUT', '/acked/_settings', on('n1,n2'));
    await healed(2);
    await expectAll(2, writers);
  });
});

/** Writes documents one after the other through one node until it is told to stop, and keeps the ids that were acknowledged. */
class Writers {
  readonly acked: string[] = [];
  /** Reasons of writes that were answered otherwise. */
  readonly refused: string[] = [];
  readonly #cluster: ChaosCluster;
  readonly #asked: number;
  readonly #padding: string;
  readonly #running: Promise<unknown>;
  #isStopping = false;
  #goals: readonly { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(cluster: ChaosCluster, asked: number, padding: string) {
    this.#cluster = cluster;
    this.#asked = asked;
    this.#padding = padding;
    this.#running = Promise.all(Array.from({ length: WRITERS }, (_, writer) => this.#write(`${asked}-${writer}`)));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  /** Resolves when so many more writes were acknowledged. */
  answered(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#goals = [...this.#goals, { count: this.acked.length + count, resolve }];
    });
  }

  /** Resolves when a write was acknowledged that began from here on; fails where that takes too long. */
  async resumed(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error(`writes do not go on: ${this.refused.slice(-3).join('\n')}`));
      timer = setTimeout(fail, RESUMED_WITHIN_MS);
    });
    // One write of each writer may be on its way, acknowledged by the copies as they were.
    await Promise.race([this.answered(WRITERS + 1), late]).finally(() => clearTimeout(timer));
  }

  async #write(prefix: string): Promise<void> {
    for (let n = 0; !this.#isStopping; n++) {
      const id = `${prefix}-${n}`;
      const body = { n, padding: this.#padding };
      const answer = await this.#cluster
        .call(this.#asked, 'PUT', `/acked/_doc/${id}?timeout=5s`, body)
        .catch(() => null);
      if (answer !== null && answer.status < 300) this.#acknowledged(id);
      else {
        this.refused.push(JSON.stringify(answer?.body ?? null));
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  #acknowledged(id: string): void {
    this.acked.push(id);
    const reached = this.#goals.filter(({ count }) => count <= this.acked.length);
    this.#goals = this.#goals.filter((goal) => !reached.includes(goal));
    for (const { resolve } of reached) resolve();
  }
}
