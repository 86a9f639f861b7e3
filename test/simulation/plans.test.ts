/** Plans of lives: what the swarm draws, and how a failing plan is shrunk. */
import { expect, test } from 'vitest';
import { drawLongPlan } from './drawn-long-plan.test-support.ts';
import { drawPlan, FAULT_KINDS } from './drawn-plan.test-support.ts';
import { shrunkPlan } from './shrunk-plan.test-support.ts';

/** Twelve hours. */
const LEASE_MS = 43_200_000;
const SEEDS = Array.from({ length: 100 }, (_, at) => at + 1);

test('each class of faults is in many lives, and missing in many', () => {
  const plans = SEEDS.map(drawPlan);
  for (const kind of FAULT_KINDS) {
    const count = plans.filter(({ faults }) => faults.some(({ fault }) => fault.kind === kind)).length;
    expect(count, kind).toBeGreaterThan(15);
    expect(count, kind).toBeLessThan(60);
  }
});

test('the same seed draws the same plan, and its faults are over when it heals', () => {
  for (const seed of SEEDS) {
    const plan = drawPlan(seed);
    expect(plan).toEqual(drawPlan(seed));
    for (const { atMs, lastsMs } of plan.faults) expect(atMs + lastsMs).toBeLessThanOrEqual(plan.faultsMs + 1);
  }
});

test('long lives have faults of every class that outlast the leases of copies, and that are over when it heals', () => {
  const plans = SEEDS.map(drawLongPlan);
  for (const plan of plans) {
    expect(plan).toEqual(drawLongPlan(Number(plan.seed)));
    for (const { atMs, lastsMs } of plan.faults) expect(atMs + lastsMs).toBeLessThanOrEqual(plan.faultsMs);
  }
  const all = plans.flatMap(({ faults }) => faults);
  expect(new Set(all.map(({ fault }) => fault.kind))).toEqual(new Set(FAULT_KINDS));
  expect(all.filter(({ lastsMs, fault }) => fault.kind === 'crash' && lastsMs > LEASE_MS).length).toBeGreaterThan(0);
});

test('a failing plan is shrunk to the faults that it needs', async () => {
  const plan = SEEDS.map(drawPlan).find(({ faults }) => {
    const kinds = faults.map(({ fault }) => fault.kind);
    return faults.length > 30 && kinds.includes('crash') && kinds.includes('isolated');
  })!;
  const needed = [
    plan.faults.find(({ fault }) => fault.kind === 'crash')!,
    plan.faults.findLast(({ fault }) => fault.kind === 'isolated')!,
  ];
  let lives = 0;
  const smaller = await shrunkPlan(plan, async ({ faults }) => {
    lives += 1;
    return needed.every((one) => faults.some(({ atMs, fault }) => atMs === one.atMs && fault === one.fault));
  });
  expect(smaller.faults.map(({ fault }) => fault)).toEqual(
    needed.sort((a, b) => a.atMs - b.atMs).map(({ fault }) => fault),
  );
  expect(smaller).toMatchObject({ clients: 1, documents: 1, seed: plan.seed });
  expect(lives).toBeLessThanOrEqual(150);
});
