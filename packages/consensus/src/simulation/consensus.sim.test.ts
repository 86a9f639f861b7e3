/**
 * The consensus steps under random schedules: loss, repetition, reordering, crashes, elections and reconfigurations at any
 * time. `SEED=n` replays one seed, `SHOAL_SIM_SEEDS=n` sets how many run.
 */
import { describe, expect, test } from 'vitest';
import { seedsToRun, underSeed } from '../../../simulation/src/simulation-seeds.ts';
import { ALL_RULES } from '../steps/consensus-rules.ts';
import { fuzzConsensus } from './consensus-fuzz.test-support.ts';

describe('the consensus', () => {
  test.each([
    ['uniform', 12_000],
    ['swarm', 4_000],
  ] as const)(
    'keeps every invariant under %s schedules',
    (kind, count) => {
      let commits = 0;
      const seeds = seedsToRun(count);
      for (const seed of seeds) commits += underSeed(seed, () => fuzzConsensus(seed, kind, ALL_RULES));
      // One seed alone may be all bad luck.
      if (seeds.length > 1) expect(commits).toBeGreaterThan(0);
    },
    600_000,
  );
});
