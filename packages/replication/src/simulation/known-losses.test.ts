/**
 * How Elasticsearch lost writes in the past, each as a story that is told here again and ends well. Named after what happened.
 */
import { describe, expect, test } from 'vitest';
import { ALL_RULES, type ReplicationRules } from '../rules/replication-rules.ts';
import { CALM, type ShardFaults } from './shard-faults.test-support.ts';
import { ShardWorld, type SimNode } from './shard-world.test-support.ts';
import type { SimulatedCopy } from './simulated-copy.test-support.ts';

const MANAGER = 'manager';

/** Three copies on a network that does what it should, without clients. */
function calmShard(faults: Partial<ShardFaults> = {}, rules: ReplicationRules = ALL_RULES): ShardWorld {
  const times = { latencyMs: () => 1, engineMs: () => 0.1, syncMs: () => 1, thinkMs: () => 5 };
  const world = new ShardWorld({
    seed: 'calm',
    nodes: 3,
    copies: 3,
    documents: 3,
    faults: { ...CALM, ...times, ...faults },
    rules,
  });
  world.fill();
  return world;
}

function nodeOf(world: ShardWorld, copy: SimulatedCopy): SimNode {
  return world.nodes.find(({ id }) => id === copy.node)!;
}

function primaryOf(world: ShardWorld): SimulatedCopy {
  const { primary } = world.manager.group;
  return world.nodes.flatMap(({ copy }) => copy ?? []).find(({ allocationId }) => allocationId === primary)!;
}

/** Cuts a node from everybody, in both directions. */
function isolate(world: ShardWorld, node: SimNode): void {
  for (const other of [MANAGER, ...world.nodes.map(({ id }) => id)]) {
    world.network.cut(node.id, other);
    world.network.cut(other, node.id);
  }
}

/** Writes a value through a copy. @returns the outcomes that come, in order */
function write(world: ShardWorld, copy: SimulatedCopy, id: string, value: string | null): string[] {
  const outcomes: string[] = [];
  world.clients.writeThrough(copy, { id, value }, (outcome) => outcomes.push(outcome.kind));
  return outcomes;
}

const after = (world: ShardWorld, ms: number): void => world.runUntil(world.events.nowMs + ms);

describe('an isolated primary acknowledged writes that its replicas never had', () => {
  test('it acknowledges nothing, its successor does, and its own write is nowhere in the end', () => {
    const world = calmShard();
    const old = primaryOf(world);
    isolate(world, nodeOf(world, old));
    const lost = write(world, old, 'k', 'from the isolated one');
    after(world, 10_000);
    expect(lost).toEqual([]);
    expect(world.manager.group.primaryTerm).toBe(2);
    const kept = write(world, primaryOf(world), 'k', 'from its successor');
    after(world, 5_000);
    expect(kept).toEqual(['acknowledged']);
    world.finish();
    expect(lost).toEqual(['unknown']);
    for (const { copy } of world.nodes) expect(copy?.store.documents.get('k')?.value).toBe('from its successor');
  });
});

describe('a stale copy was promoted after all good ones had left', () => {
  test('the shard stays red until a copy in sync is back, and then has everything', () => {
    const world = calmShard();
    const stale = world.nodes.find((node) => node !== nodeOf(world, primaryOf(world)))!;
    world.crash(stale);
    const written = write(world, primaryOf(world), 'k', 'missed by the stale one');
    after(world, 10_000);
    expect(written).toEqual(['acknowledged']);
    const good = world.nodes.filter((node) => node !== stale);
    for (const node of good) world.crash(node);
    world.restart(stale);
    after(world, 20_000);
    expect(world.manager.group.primary).toBe(null);
    world.restart(good[0]!);
    after(world, 20_000);
    expect(primaryOf(world).store.documents.get('k')?.value).toBe('missed by the stale one');
  });
});

describe('a node that stops in order, whose copy closes before the node leaves', () => {
  test('stays in sync while a new primary sends its history, for it lacks nothing', () => {
    const world = calmShard({ resendMaxMs: 60_000, detectMs: 100 });
    const old = nodeOf(world, primaryOf(world));
    // The first of the others, by allocation id, leads next.
    const [, stopping] = world.nodes.filter((node) => node !== old);
    const id = stopping!.copy!.allocationId;
    world.closeCopy(stopping!);
    world.crash(old);
    after(world, 2_000);
    expect(world.manager.group).toMatchObject({ primaryTerm: 2 });
    expect(world.manager.group.inSync).toContain(id);
    world.crash(stopping!);
    after(world, 100_000);
    expect(world.manager.group.copies.has(id)).toBe(false);
    expect(world.manager.group.inSync).toContain(id);
  });

  test('is marked stale for a write that it lacks, before the write is acknowledged', () => {
    const world = calmShard();
    const [stopping] = world.nodes.filter((node) => node !== nodeOf(world, primaryOf(world)));
    const id = stopping!.copy!.allocationId;
    world.closeCopy(stopping!);
    const written = write(world, primaryOf(world), 'k', 'missed by the one that stops');
    while (written.length === 0) {
      expect(world.events.nowMs).toBeLessThan(10_000);
      after(world, 1);
    }
    expect(written).toEqual(['acknowledged']);
    expect(world.manager.group.inSync).not.toContain(id);
  });
});

describe('a fresh index could not be allocated after a crash', () => {
  test('one copy of a new shard is enough, whichever comes back first', () => {
    const world = calmShard();
    for (const node of world.nodes) world.crash(node);
    after(world, 5_000);
    world.restart(world.nodes[2]!);
    after(world, 5_000);
    expect(world.manager.group.primary).toBe(world.nodes[2]!.copy?.allocationId);
    expect(primaryOf(world).state.phase).toBe('primary');
  });
});

describe('replicas differed after the failure of their primary', () => {
  test('what only one of them got is on both, or on neither', () => {
    const world = calmShard();
    const old = primaryOf(world);
    const [first, second] = world.nodes.filter((node) => node !== nodeOf(world, old));
    world.network.cut(old.node, second!.id);
    write(world, old, 'k', 'reached one replica');
    after(world, 20);
    expect(first!.copy?.store.documents.get('k')?.value).toBe('reached one replica');
    expect(second!.copy?.store.documents.get('k')).toBe(undefined);
    world.crash(nodeOf(world, old));
    after(world, 5_000);
    expect(second!.copy?.store.documents.get('k')).toEqual(first!.copy?.store.documents.get('k'));
    world.finish();
  });
});

describe('acknowledged writes were dropped when a new primary failed in the middle of its resync', () => {
  /** Writes that all copies have, and of which none knows that they are agreed; then the resync of the next primary is cut off. */
  function cutOffResync(rules: ReplicationRules): ShardWorld {
    // Parts of the history are read more slowly than they arrive.
    const world = calmShard({ operationsPerRequest: 1, engineMs: () => 5 }, rules);
    const old = primaryOf(world);
    const outcomes = ['a', 'b', 'c', 'd'].map((id) => write(world, old, id, `acknowledged ${id}`));
    const until = (isThere: () => boolean): void => {
      while (!isThere()) {
        expect(world.events.nowMs).toBeLessThan(60_000);
        after(world, 0.1);
      }
    };
    until(() => outcomes.every((outcome) => outcome.length > 0));
    expect(outcomes).toEqual(outcomes.map(() => ['acknowledged']));
    world.crash(nodeOf(world, old));
    const others = world.nodes.flatMap(({ copy }) => copy ?? []);
    const { group } = world.manager;
    // The first part has come: the copy that does not lead goes back to what it knows to be agreed.
    const isFollowing = ({ allocationId, state }: SimulatedCopy): boolean =>
      allocationId !== world.manager.group.primary && state.term > group.primaryTerm;
    until(() => others.some(isFollowing));
    expect(others.find(isFollowing)?.state.globalCheckpoint).toBe(-1);
    world.crash(nodeOf(world, others.find((copy) => !isFollowing(copy))!));
    after(world, 10_000);
    return world;
  }

  test('the copy that leads then has them all: it kept what it could not confirm', () => {
    const world = cutOffResync(ALL_RULES);
    expect(world.manager.group.primaryTerm).toBe(3);
    for (const id of ['a', 'b', 'c', 'd'])
      expect(primaryOf(world).store.documents.get(id)?.value).toBe(`acknowledged ${id}`);
    world.finish();
  });

  test('without that rule the same failures lose them', () => {
    expect(() => cutOffResync({ ...ALL_RULES, unconfirmedKept: false })).toThrow(/was acknowledged; primary/);
  });
});

describe('writes were lost, or seen and lost, because a version named two of them', () => {
  test('two writes of one version differ in their term', () => {
    const world = calmShard();
    const old = primaryOf(world);
    isolate(world, nodeOf(world, old));
    write(world, old, 'k', 'version 1 of term 1');
    after(world, 10_000);
    const kept = write(world, primaryOf(world), 'k', 'version 1 of term 2');
    after(world, 5_000);
    expect(kept).toEqual(['acknowledged']);
    const [mine, theirs] = [old.store.documents.get('k')!, primaryOf(world).store.documents.get('k')!];
    expect([mine.version, theirs.version, mine.seqNo, theirs.seqNo]).toEqual([1, 1, 0, 0]);
    expect([mine.term, theirs.term]).toEqual([1, 2]);
    world.finish();
  });

  test('a confirmed read shows nothing that an isolated primary alone has', () => {
    const world = calmShard();
    const old = primaryOf(world);
    isolate(world, nodeOf(world, old));
    write(world, old, 'k', 'on one copy alone');
    const outcomes: string[] = [];
    world.clients.readThrough(old, 'k', (outcome) => outcomes.push(outcome.kind));
    after(world, 10_000);
    expect(outcomes).toEqual(['unknown']);
    world.finish();
  });
});

describe('a delete and the document created again came in another order', () => {
  test('copies end with the newest, also where the tombstone is gone', () => {
    let count = 0;
    // Every other message takes long: operations overtake one another all the time.
    const world = calmShard({ latencyMs: () => (count++ % 2 === 0 ? 1 : 40), tombstoneGc: 1, duplicate: 0.5 });
    const primary = primaryOf(world);
    for (let round = 0; round < 20; round++) {
      write(world, primary, 'k', `round ${round}`);
      write(world, primary, 'k', null);
      if (round === 19) write(world, primary, 'k', 'the last');
      after(world, 7);
    }
    after(world, 5_000);
    for (const { copy } of world.nodes) {
      expect(copy?.store.documents.get('k')).toMatchObject({ value: 'the last', seqNo: 40 });
    }
    world.finish();
  });
});
