/** Indices that are closed, opened and blocked while clients write: what was refused is not done, and copies that come back are no failures. */
import { afterEach, expect, test } from 'vitest';
import { aimedPlan, FIRST_SHARD } from './aimed-plan.test-support.ts';
import { closedIndices, isWhole } from './copies.test-support.ts';
import { type Answer, type Question, WholeWorld } from './whole-world.test-support.ts';

const WAIT_MS_MAX = 300_000;
const WRITES = 40;
const INDEX = 'i0';

let world: WholeWorld;
afterEach(() => world.end());

/** A cluster with one index of one shard. */
async function clusterWith(replicas: number): Promise<void> {
  world = await WholeWorld.create(aimedPlan(1, { replicas, stroke: () => [] }));
  for (const name of world.names) world.start(name);
  expect(await world.until(() => isWhole(world), WAIT_MS_MAX)).toBe(true);
  const settings = { number_of_shards: 1, number_of_replicas: replicas };
  await settled(ask('PUT', `/${INDEX}?wait_for_active_shards=all`, { settings }));
}

const settled = <T>(work: Promise<T>): Promise<T> => world.world.settle(work);

/** @param node that is asked; left out: any that is up */
function ask(method: string, target: string, body?: Question['body'], node?: string): Promise<Answer> {
  const [up = ''] = world.programs.keys();
  return world.ask(node ?? up, { method, target, body }, WAIT_MS_MAX);
}

const statusOf = (answer: Answer): number => (answer.kind === 'answered' ? answer.status : 0);

test('writes while replicas come back count copies as the routing table has them, and none as failed', async () => {
  await clusterWith(2);
  await settled(ask('PUT', `/${INDEX}/_doc/0`, { n: 0 }));
  expect(await settled(ask('POST', `/${INDEX}/_close`))).toMatchObject({ status: 200, body: { acknowledged: true } });
  expect(closedIndices(world)).toEqual([INDEX]);
  for (const [method, target, body] of [
    ['PUT', `/${INDEX}/_doc/1`, { n: 1 }],
    ['DELETE', `/${INDEX}/_doc/0`, undefined],
    ['POST', `/${INDEX}/_update/0`, { doc: { n: 2 } }],
  ] as const) {
    const refused = { status: 400, body: { error: { type: 'index_closed_exception' } } };
    expect(await settled(ask(method, target, body)), `${method} ${target}`).toMatchObject(refused);
  }
  expect(await settled(ask('POST', `/${INDEX}/_open?wait_for_active_shards=0`))).toMatchObject({ status: 200 });
  const seen = new Set<number>();
  for (let n = 0; n < WRITES; n++) {
    for (const [method, target, body] of [
      ['PUT', `/${INDEX}/_doc/${n}`, { n }],
      ['POST', `/${INDEX}/_update/${n}`, { doc: { n: -1 - n } }],
      ['DELETE', `/${INDEX}/_doc/${n}`, undefined],
    ] as const) {
      const answer = await settled(ask(method, target, body));
      expect(answer).toMatchObject({ kind: 'answered', body: { _shards: { total: 3, failed: 0 } } });
      if (answer.kind === 'answered') seen.add((answer.body._shards as { successful: number }).successful);
    }
  }
  // The first writes find the primary alone, the last find all.
  expect([Math.min(...seen), Math.max(...seen)]).toEqual([1, 3]);
}, 240_000);

test('no write is acknowledged once an index is closed, and what is refused is not there when it is opened', async () => {
  await clusterWith(1);
  let closedAtMs = Number.POSITIVE_INFINITY;
  const late: string[] = [];
  const statuses = new Map<string, number>();
  const writes = Array.from({ length: WRITES }, async (_, n) => {
    await world.wait(n);
    const id = String(n);
    const answer = await ask('PUT', `/${INDEX}/_doc/${id}`, { n }, world.names[n % world.names.length]);
    statuses.set(id, statusOf(answer));
    if (statusOf(answer) === 201 && world.nowMs > closedAtMs) late.push(id);
  });
  await settled(world.wait(WRITES / 2));
  const closing = ask('POST', `/${INDEX}/_close`).then((answer) => {
    closedAtMs = world.nowMs;
    return answer;
  });
  expect(await settled(closing)).toMatchObject({ status: 200, body: { acknowledged: true } });
  await settled(Promise.all(writes));
  expect(late).toEqual([]);
  expect(new Set(statuses.values())).toContain(201);
  await settled(ask('POST', `/${INDEX}/_open`));
  for (const [id, status] of statuses) {
    const found = statusOf(await settled(ask('GET', `/${INDEX}/_doc/${id}`))) === 200;
    if (status < 500) expect(found, `${id} was answered ${status}`).toBe(status === 201);
  }
}, 240_000);

test('a write that waits for its primary is refused by a block that came meanwhile', async () => {
  await clusterWith(0);
  const [holder = ''] = world.nodesOf({ ...FIRST_SHARD, copy: 'primary' });
  world.crash(holder, false);
  const isGone = (): boolean => world.nodesOf({ ...FIRST_SHARD, copy: 'primary' }).length === 0;
  expect(await world.until(isGone, WAIT_MS_MAX)).toBe(true);
  const waiting = ask('PUT', `/${INDEX}/_doc/1`, { n: 1 });
  await settled(world.wait(1_000));
  expect(await settled(ask('PUT', `/${INDEX}/_block/write`))).toMatchObject({ body: { acknowledged: true } });
  world.start(holder);
  expect(await settled(waiting)).toMatchObject({ status: 403, body: { error: { type: 'cluster_block_exception' } } });
}, 240_000);
