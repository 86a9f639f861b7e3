import { createWorld } from '@shoal/simulation';
import { describe, expect, test } from 'vitest';
import type { Shard } from '../contract/shard.ts';
import { index, openTestShard, remove, sourceOf } from './shard-fixture.test-support.ts';

const WRITERS = 3;
const IDS = 4;
const SETTINGS = { 'index.refresh_interval': '20ms', 'index.translog.flush_threshold_size': '2kb' };

/** States that may be read for each id: one when acknowledged, several while an answer is outstanding. */
type Allowed = Map<string, Set<string | null>>;

/** Writes until it dies with its process, waiting for each answer. */
async function keepWriting(
  shard: Shard,
  writer: number,
  allowed: Allowed,
  below: (n: number) => number,
): Promise<void> {
  for (let n = 0; n < 10_000; n++) {
    const id = `w${writer}-${below(IDS)}`;
    const source = below(4) === 0 ? null : `{"n":${n},"title":"word${n % 7} all of it"}`;
    allowed.set(id, new Set([...(allowed.get(id) ?? [null]), source]));
    const { results } = await shard.write([source === null ? remove(id) : index(id, source)]);
    expect(results.at(0)?.kind).toBe('done');
    allowed.set(id, new Set([source]));
  }
}

async function live(seed: number): Promise<void> {
  const world = createWorld({ seed });
  const node = world.node('data-1');
  const allowed: Allowed = new Map();
  let wasCreated = false;
  for (let life = 0; life < 6; life++) {
    const runtime = life === 0 ? node.runtime : node.restart();
    const holds = await world.settle(runtime.disk.exists('data/indices/uuid-1/0/_state/shard.st'));
    expect(holds || !wasCreated, `seed ${seed} life ${life}`).toBe(true);
    const opening = openTestShard(runtime, { bootstrap: holds ? 'existing' : 'create', settings: SETTINGS });
    const died = world.nowMs + world.random.below(life % 2 === 0 ? 60 : 400);
    opening
      .then((shard) => {
        wasCreated = true;
        check(shard, allowed, `seed ${seed} life ${life}`);
        for (let w = 0; w < WRITERS; w++) {
          void keepWriting(shard, w, allowed, (n) => world.random.below(n)).catch(fail);
        }
      })
      .catch(fail);
    await world.run(died);
    expect(failures).toEqual([]);
    node.crash();
  }
  const last = node.restart();
  if (!wasCreated) return;
  check(
    await world.settle(openTestShard(last, { bootstrap: 'existing', settings: SETTINGS })),
    allowed,
    `seed ${seed} end`,
  );
}

const failures: unknown[] = [];
const fail = (error: unknown): void => {
  failures.push(error);
};

function check(shard: Shard, allowed: Allowed, context: string): void {
  for (const [id, states] of allowed) {
    const found = sourceOf(shard, id);
    expect([...states], `${id} ${context}`).toContain(found);
    allowed.set(id, new Set([found]));
  }
}

describe('a machine that fails at any moment, with several writers', () => {
  test('keeps what was acknowledged', async () => {
    for (let seed = 1; seed <= 40; seed++) await live(seed);
  });
});
