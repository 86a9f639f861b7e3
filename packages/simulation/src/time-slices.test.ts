import type { Steps } from '@shoal/core';
import { TimeSlices } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { createWorld } from './simulated-world.ts';

/** Work of that many steps; notes how many slices had begun before each. */
function* steps(count: number, slice: () => number, seen: number[]): Steps<number> {
  for (let i = 0; i < count; i++) {
    seen.push(slice());
    yield;
  }
  return count;
}

test('long work of the product is cut into slices in a simulation, and other events run between them', async () => {
  const world = createWorld({ seed: 1, work: { betweenReadingsMaxMs: 1 } });
  const { sched, clock } = world.node('a').runtime;
  const slices = new TimeSlices(sched, clock);
  let heartbeats = 0;
  const beat = (): void => {
    heartbeats += 1;
    sched.after(1, beat);
  };
  sched.after(1, beat);
  const seen: number[] = [];
  expect(
    await world.settle(
      slices.run(
        steps(200, () => heartbeats, seen),
        null,
      ),
    ),
  ).toBe(200);
  // 200 steps of half a millisecond on average in slices of five: a timer of one millisecond runs between many of them.
  expect(new Set(seen).size).toBeGreaterThan(5);
});
