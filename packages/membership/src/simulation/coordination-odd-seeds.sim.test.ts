/**
 * Whole coordination under faults: the odd seeds. Both halves are files of their own, so that they run at the same time.
 * `SEED=n` replays one seed, `SHOAL_SIM_SEEDS=n` sets how many run in both halves together.
 */
import { expect, test } from 'vitest';
import { seedsToRun, settleUnderSeed } from '../../../simulation/src/simulation-seeds.ts';
import { COORDINATION_SEEDS, runCoordinationSeed } from './coordination-nemesis.test-support.ts';

const SEEDS = seedsToRun(COORDINATION_SEEDS).filter((seed) => seed % 2 === 1);

test.skipIf(SEEDS.length === 0)(
  'a cluster keeps every invariant under faults, and comes together when they end (odd seeds)',
  async () => {
    for (const seed of SEEDS) {
      const { writesCommitted } = await settleUnderSeed(seed, () => runCoordinationSeed(seed));
      expect(writesCommitted).toBeGreaterThan(0);
    }
  },
  1_200_000,
);
