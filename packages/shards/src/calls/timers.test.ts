import { createWorld } from '@shoal/simulation';
import { expect, test } from 'vitest';
import { Timers } from './timers.ts';

test('timers run once at their time, unless they are cancelled or their owner has ended', async () => {
  const world = createWorld({ seed: 1 });
  const timers = new Timers(world.node('n1').runtime.sched);
  const ran: string[] = [];
  timers.after(10, () => ran.push('first'));
  const cancel = timers.after(20, () => ran.push('cancelled'));
  timers.after(30, () => timers.after(10, () => ran.push('nested')));
  timers.after(500, () => ran.push('late'));
  cancel();
  await world.run(world.nowMs + 100);
  expect(ran).toEqual(['first', 'nested']);
  timers.close();
  timers.after(1, () => ran.push('after the end'));
  await world.run(world.nowMs + 1_000);
  expect(ran).toEqual(['first', 'nested']);
});
