import { describe, expect, test } from 'vitest';
import { CopyWorld } from './copy-world.test-support.ts';
import { FakeCopyStore } from './fake-copy-store.test-support.ts';

const MINUTE_MS = 60_000;

async function green(world: CopyWorld, copies: number): Promise<void> {
  const isGreen = await world.time.runUntil(() => world.isGreen(copies) && world.isQuiet, 5 * MINUTE_MS);
  expect(isGreen ? 'green' : world.describe()).toBe('green');
  expect(world.broken).toEqual([]);
}

/** Writes documents and waits for their answers. */
async function writeAll(world: CopyWorld, ids: readonly string[]): Promise<void> {
  let answered = 0;
  for (const id of ids) void world.write(id).then(() => answered++);
  expect(await world.time.runUntil(() => answered === ids.length, MINUTE_MS)).toBe(true);
}

const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('the shell of a copy', () => {
  test('acknowledges a write when all copies in sync have it on disk', async () => {
    const world = new CopyWorld(1, 2);
    await green(world, 1);
    world.addReplica('n1');
    await green(world, 2);
    let successful = 0;
    void world.write('a').then((answer) => {
      successful = answer.successful;
      for (const { store } of world.nodes) {
        const ids = [...store.durable.log.values()].map((it) => (it.kind === 'index' ? it.id : it.kind));
        expect(ids).toEqual(['a']);
      }
    });
    expect(await world.time.runUntil(() => successful === 2, MINUTE_MS)).toBe(true);
  });

  test('brings a new copy files and then operations, and holds the files no longer than it needs', async () => {
    const world = new CopyWorld(2, 2);
    await green(world, 1);
    await writeAll(world, names('before', 20));
    world.addReplica('n1');
    const during = names('during', 20);
    let answered = 0;
    for (const id of during) void world.time.pass(80).then(() => world.write(id).then(() => answered++));
    await green(world, 2);
    expect(world.node('n1').store.visible).toBeGreaterThanOrEqual(20);
    expect(await world.time.runUntil(() => answered === during.length, MINUTE_MS)).toBe(true);
    await green(world, 2);
    expect(world.node('n1').store.documents.size).toBe(40);
    expect(world.node('n1').store.operations).toEqual(world.node('n0').store.operations);
    expect(world.node('n0').store.heldCommits).toBe(0);
  });

  test('hands a primary over when its target has everything, however soon that is after its start', async () => {
    const world = new CopyWorld(7, 2);
    await green(world, 1);
    world.moveTo('n1');
    // The shell looks at what is late every 5 s: nothing is late here.
    expect(await world.time.runUntil(() => world.primary?.id === 'n1', 4_000)).toBe(true);
    await green(world, 1);
    await writeAll(world, names('after', 3));
    expect(world.node('n1').store.documents.size).toBe(3);
  });

  test('takes files only when it has gone back to what is agreed: the engine is shut for them', async () => {
    const world = new CopyWorld(6, 2);
    await green(world, 1);
    world.addReplica('n1');
    await green(world, 2);
    await writeAll(world, names('agreed', 5));
    world.kill('n1');
    const { durable } = world.node('n1').store;
    const ahead = new FakeCopyStore(world.time, { ...durable, historyUuid: 'another', globalCheckpoint: 2 });
    ahead.rollbackMs = 300;
    world.node('n1').store = ahead;
    world.revive('n1');
    world.addReplica('n1');
    await green(world, 2);
    expect(world.node('n1').store.operations).toEqual(world.node('n0').store.operations);
  });

  test('goes on with the writes that waited when its copy is promoted', async () => {
    const world = new CopyWorld(3, 2);
    await green(world, 1);
    world.addReplica('n1');
    await green(world, 2);
    await writeAll(world, names('old', 5));
    world.kill('n0');
    await world.time.runUntil(() => world.node('n1').shell?.state?.phase === 'promoting', MINUTE_MS);
    await writeAll(world, names('new', 5));
    expect(world.node('n1').store.documents.size).toBe(10);
    expect(world.group.primaryTerm).toBe(2);
  });

  test('leaves a write of a primary that dies unanswered, and says so', async () => {
    const world = new CopyWorld(4, 2);
    await green(world, 1);
    const error = world.write('a').catch((reason: unknown) => reason);
    await world.time.runUntil(() => false, 0.1);
    world.kill('n0');
    await expect(error).resolves.toMatchObject({ status: 503 });
  });

  test('closes and tells when its disk fails', async () => {
    const world = new CopyWorld(5, 2);
    await green(world, 1);
    world.addReplica('n1');
    await green(world, 2);
    world.node('n1').store.isBroken = true;
    await writeAll(world, ['a']);
    expect(world.group.inSync.size).toBe(1);
    expect(world.node('n1').shell).toBe(null);
  });

  test('says once that it is over, and with the failure: who hears of a sound end opens it again as the same allocation', async () => {
    const world = new CopyWorld(5, 2);
    await green(world, 1);
    world.addReplica('n1');
    await green(world, 2);
    const { store, shell, allocationId } = world.node('n1');
    store.isBroken = true;
    await writeAll(world, ['a']);
    shell?.engineFailed(new Error('the log of the same engine'));
    expect(world.closings.map(({ copy, error }) => [copy, error === null])).toEqual([[allocationId, false]]);
    const primary = world.node('n0');
    primary.shell?.engineFailed(new Error('its files are damaged'));
    expect(world.closings.slice(1)).toMatchObject([{ copy: primary.allocationId, error: { reason: /damaged/ } }]);
  });
});

describe('copies whose nodes die and whose messages get lost', () => {
  test.each(names('', 12).map(Number))('keep what was acknowledged (seed %i)', async (seed) => {
    const world = new CopyWorld(seed + 100, 3);
    await green(world, 1);
    world.loss = 0.02;
    const acknowledged = new Set<string>();
    const { random } = world.time;
    for (let step = 0; step < 60; step++) {
      const node = random.pick(world.nodes);
      const dead = world.nodes.filter(({ isAlive }) => !isAlive).length;
      const draw = random.unit();
      if (!node.isAlive) world.revive(node.id);
      else if (draw < 0.2 && dead === 0) world.kill(node.id);
      else if (draw < 0.5) world.addReplica(node.id);
      for (let n = 0; n < 5; n++) {
        const id = `${step}.${n}`;
        world.write(id).then(
          () => acknowledged.add(id),
          // Whoever is not told may or may not find it.
          () => undefined,
        );
      }
      await world.time.runUntil(() => false, random.unit() * 300);
      expect(world.broken).toEqual([]);
    }
    world.loss = 0;
    for (const { id, isAlive } of world.nodes) if (!isAlive) world.revive(id);
    await world.time.runUntil(() => world.primary !== null, MINUTE_MS);
    for (const { id } of world.nodes) {
      await world.time.runUntil(() => world.isGreen(1) && world.isQuiet, MINUTE_MS);
      world.addReplica(id);
    }
    await green(world, 3);
    expect(acknowledged.size).toBeGreaterThan(20);
    for (const { id, store } of world.nodes) {
      const missing = [...acknowledged].filter((document) => !store.documents.has(document));
      expect([id, missing]).toEqual([id, []]);
      expect(store.operations).toEqual(world.nodes[0]?.store.operations);
    }
  });
});
