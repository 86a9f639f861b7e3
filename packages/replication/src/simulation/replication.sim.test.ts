/**
 * Copies of a shard under faults. `SEED=n` replays one seed, `SHOAL_SIM_SEEDS=n` sets how many run.
 */
import { expect, test } from 'vitest';
import { seedsToRun, underSeed } from '../../../simulation/src/simulation-seeds.ts';
import { ALL_RULES } from '../rules/replication-rules.ts';
import { liveShard } from './shard-life.test-support.ts';

test.each([
  ['swarm', 1_200],
  ['failover', 1_200],
  ['forced', 300],
  ['alone', 300],
  ['moves', 800],
  ['planned', 200],
] as const)(
  'no acknowledged write is lost, and the copies are the same in the end: %s',
  (kind, count) => {
    let [acknowledged, terms, moved] = [0, 0, 0];
    const seeds = seedsToRun(count);
    for (const seed of seeds) {
      const life = underSeed(seed, () => liveShard(kind, seed, ALL_RULES));
      acknowledged += life.acknowledged;
      terms += life.terms;
      moved += life.moved;
    }
    if (seeds.length > 1) {
      expect(acknowledged / seeds.length).toBeGreaterThan(5);
      expect(terms / seeds.length).toBeGreaterThan(1.5);
      if (kind === 'moves' || kind === 'planned') expect(moved / seeds.length).toBeGreaterThan(1);
    }
  },
  600_000,
);
