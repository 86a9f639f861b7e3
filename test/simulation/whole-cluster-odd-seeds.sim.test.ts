/**
 * Whole clusters under faults: the odd seeds. Both halves are files of their own, so that they run at the same time.
 * `SEED=n` replays one seed, `SHOAL_SIM_SEEDS=n` sets how many run in both halves together.
 */
import { expect, test } from 'vitest';
import { seedsToRun, settleUnderSeed } from '../../packages/simulation/src/simulation-seeds.ts';
import { liveCluster, WHOLE_CLUSTER_SEEDS } from './cluster-life.test-support.ts';
import { drawPlan } from './drawn-plan.test-support.ts';

const SEEDS = seedsToRun(WHOLE_CLUSTER_SEEDS).filter((seed) => seed % 2 === 1);

test.skipIf(SEEDS.length === 0)(
  'whatever machines, disks and networks do, what a cluster has acknowledged it has in the end (odd seeds)',
  async () => {
    let acknowledged = 0;
    for (const seed of SEEDS)
      acknowledged += (await settleUnderSeed(seed, () => liveCluster(drawPlan(seed)))).acknowledged;
    expect(acknowledged / SEEDS.length).toBeGreaterThan(10);
  },
  1_200_000,
);
