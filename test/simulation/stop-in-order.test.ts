/** All nodes of a cluster stop in order, at times of their own, and nobody writes: every copy stays in sync, for none lacks anything. */
import type { ClusterState } from '@shoal/cluster-state';
import { seededRandom } from '@shoal/simulation';
import { expect, test } from 'vitest';
import { drawPlan } from './drawn-plan.test-support.ts';
import { type Question, WholeWorld } from './whole-world.test-support.ts';

const SEEDS = Array.from({ length: 16 }, (_, at) => at + 1);
const NETWORK = { latencyMinMs: 0.1, latencyMaxMs: 1, spikes: 0, spikeMs: 0 };
const WORK = { betweenReadingsMaxMs: 0.1, stalls: 0, stallMs: 0 };
const SHARDS = 12;
const DOCUMENTS = 12;
const WAIT_MS_MAX = 300_000;
/** All nodes have begun to stop after this. */
const APART_MS_MAX = 300;

async function done(world: WholeWorld, asked: Promise<unknown>): Promise<void> {
  let isDone = false;
  void asked.then(() => {
    isDone = true;
  });
  expect(await world.until(() => isDone, WAIT_MS_MAX)).toBe(true);
}

async function ask(world: WholeWorld, question: Question): Promise<void> {
  const asked = world.ask('n1', question, WAIT_MS_MAX).then((answer) => {
    expect(answer).toMatchObject({ kind: 'answered' });
    expect(answer).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  });
  await done(world, asked);
}

/** Ids of the copies in sync, by shard. */
function inSync(state: ClusterState | undefined): readonly (readonly string[])[] {
  return state?.metadata.indices.get('idx')?.inSyncAllocations.map((ids) => [...ids].sort()) ?? [];
}

async function stopInOrder(seed: number): Promise<void> {
  const random = seededRandom(`stop in order/${seed}`);
  const world = await WholeWorld.create({ ...drawPlan(seed), nodes: 3, network: NETWORK, work: WORK });
  for (const name of world.names) world.start(name);
  expect(await world.until(() => world.programs.size === world.names.length, WAIT_MS_MAX)).toBe(true);
  const settings = { number_of_shards: SHARDS, number_of_replicas: 2 };
  await ask(world, { method: 'PUT', target: '/idx?wait_for_active_shards=all', body: { settings } });
  for (let n = 0; n < DOCUMENTS; n++) await ask(world, { method: 'PUT', target: `/idx/_doc/${n}`, body: { n } });
  let [newest] = [...world.programs.values()].map(({ cluster }) => cluster.state());
  const before = inSync(newest);
  expect(before.map((ids) => ids.length)).toEqual(Array.from({ length: SHARDS }, () => 3));
  for (const { cluster } of world.programs.values()) {
    cluster.onApplied(({ state }) => {
      if (state.version > (newest?.version ?? 0)) newest = state;
    });
  }
  const stops = world.names.map(async (name) => {
    await world.wait(random.unit() * APART_MS_MAX);
    await world.close(name);
  });
  await done(world, Promise.all(stops));
  expect(inSync(newest)).toEqual(before);
  await world.end();
}

test.each(SEEDS)('seed %i', stopInOrder);
