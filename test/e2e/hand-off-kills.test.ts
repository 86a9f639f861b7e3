/**
 * A primary on the move has closed its permits and waits for the cluster manager, which is paused: then a process dies. Whichever it is,
 * nothing that a client was told is lost, and the cluster becomes whole again.
 */
import { afterEach, expect, test } from 'vitest';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { call } from '../support/shoal-process.test-support.ts';

let nodes: NodeProcesses;
afterEach(() => nodes?.destroy());

const NAMES = ['a', 'b', 'c', 'd'] as const;
const WRITERS = 4;
const SOME = 40;
/** Bytes of files a second of a recovery, and documents that take several seconds of it. */
const RECOVERY_RATE = '250kb';
const DOCUMENTS = 400;

/** Node of each part in the move. */
interface Parts {
  readonly source: string;
  readonly replica: string;
  readonly target: string;
  readonly manager: string;
}

/** Text that does not compress. */
function words(n: number): string {
  const word = (k: number): string => (Math.imul(n * 300 + k + 1, 0x9e37_79b1) >>> 0).toString(36);
  return Array.from({ length: 300 }, (_, k) => word(k)).join(' ');
}

/** Clients that go on until they are told to end, and the ids that they were told to be written. */
class Writers {
  readonly acked = new Set<string>();
  readonly #running: Promise<unknown>;
  #isEnding = false;
  #goals: readonly { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(through: string) {
    this.#running = Promise.all(Array.from({ length: WRITERS }, (_, writer) => this.#write(through, writer)));
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  /** Resolves when so many more writes are acknowledged. */
  more(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#goals = [...this.#goals, { count: this.acked.size + count, resolve }];
    });
  }

  async #write(through: string, writer: number): Promise<void> {
    for (let round = 0; !this.#isEnding; round++) {
      const id = `${writer}-${round}`;
      const answer = await call(nodes.url(through), 'PUT', `/moved/_doc/${id}`, { round }).catch(() => null);
      if (answer !== null && answer.status < 300) this.acked.add(id);
      const reached = this.#goals.filter(({ count }) => count <= this.acked.size);
      this.#goals = this.#goals.filter((goal) => !reached.includes(goal));
      for (const { resolve } of reached) resolve();
    }
  }
}

/** Four nodes: a primary, its replica, one that the primary is to move to, and the cluster manager, which has no copy. */
async function startParts(): Promise<Parts> {
  nodes = await NodeProcesses.plan([...NAMES]);
  nodes.startAll();
  await nodes.waitForGreen('a');
  const [manager] = (await call(nodes.url('a'), 'GET', '/_cat/master?format=json')).body as { readonly node: string }[];
  const others = NAMES.filter((name) => name !== manager?.node);
  const settings = {
    number_of_replicas: 1,
    // One search looks at all of them.
    'index.max_result_window': 1_000_000,
    'index.routing.allocation.include._name': others.join(','),
    'index.unassigned.node_left.delayed_timeout': 0,
  };
  await call(nodes.url('a'), 'PUT', '/moved', { settings });
  await nodes.waitForGreen('a');
  const copies = await copiesOf('a');
  const source = copies.find(({ prirep }) => prirep === 'p')?.node ?? '';
  const replica = copies.find(({ prirep }) => prirep === 'r')?.node ?? '';
  const target = others.find((name) => name !== source && name !== replica) ?? '';
  return { source, replica, target, manager: manager?.node ?? '' };
}

interface Copy {
  readonly prirep: 'p' | 'r';
  readonly state: string;
  readonly node: string;
}

async function copiesOf(through: string): Promise<readonly Copy[]> {
  return (await call(nodes.url(through), 'GET', '/_cat/shards/moved?format=json&h=prirep,state,node')).body;
}

interface Recoveries {
  readonly moved: {
    readonly shards: readonly { readonly target: { readonly name: string }; readonly stage: string }[];
  };
}

function stageAt(target: string, { moved }: Recoveries): string | undefined {
  return moved.shards.find((shard) => shard.target.name === target)?.stage;
}

/** The target has everything, and the primary hands over to it as soon as the cluster manager goes on. */
async function openHandOff({ source, target, manager }: Parts, through: string): Promise<void> {
  const lines = Array.from({ length: DOCUMENTS }, (_, n) => `{"index":{"_id":"old-${n}"}}\n{"text":"${words(n)}"}\n`);
  await call(nodes.url(through), 'POST', '/moved/_bulk', lines.join(''));
  await call(nodes.url(through), 'POST', '/moved/_flush');
  const persistent = { 'indices.recovery.max_bytes_per_sec': RECOVERY_RATE };
  await call(nodes.url(through), 'PUT', '/_cluster/settings', { persistent });
  const commands = [{ move: { index: 'moved', shard: 0, from_node: source, to_node: target } }];
  const moved = await call(nodes.url(through), 'POST', '/_cluster/reroute?metric=none', { commands });
  expect(moved.status).toBe(200);
  // Asks the nodes that have copies, of which the cluster manager is none.
  const recovery = '/moved/_recovery';
  await nodes.waitFor(target, recovery, ({ body }) => stageAt(target, body) === 'INDEX');
  nodes.pause(manager);
  await nodes.waitFor(target, recovery, ({ body }) => stageAt(target, body) === 'DONE');
  const moving = (await copiesOf(target)).filter(({ state }) => state === 'RELOCATING');
  expect(moving).toHaveLength(1);
}

/** Both copies have everything that was acknowledged, and the same. */
async function expectAll(through: string, ids: ReadonlySet<string>): Promise<void> {
  await call(nodes.url(through), 'POST', '/moved/_refresh');
  const found: string[][] = [];
  for (const { node } of await copiesOf(through)) {
    const preference = encodeURIComponent(`_only_nodes:${node}`);
    const query = `/moved/_search?size=1000000&_source=false&preference=${preference}`;
    const { body } = await call(nodes.url(through), 'GET', query);
    expect(body._shards).toMatchObject({ total: 1, successful: 1 });
    found.push(body.hits.hits.map((hit: { readonly _id: string }) => hit._id).sort());
  }
  expect(found).toHaveLength(2);
  expect(found[1]).toEqual(found[0]);
  const there = new Set(found[0]);
  expect([...ids].filter((id) => !there.has(id))).toEqual([]);
}

test.each(['source', 'target', 'manager'] as const)(
  'the %s of a hand-off is killed in the middle of it',
  async (part) => {
    const parts = await startParts();
    const victim = parts[part];
    const asked = parts.replica;
    const writers = new Writers(asked);
    await writers.more(SOME);
    await openHandOff(parts, asked);
    await nodes.kill(victim);
    if (part !== 'manager') nodes.goOn(parts.manager);
    await writers.more(SOME);
    nodes.start(victim);
    await nodes.waitForGreen(asked);
    await writers.more(SOME);
    await writers.end();
    await nodes.waitForGreen(asked);
    await expectAll(asked, writers.acked);
  },
  240_000,
);
