import type { Runtime } from '@shoal/runtime';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { HealthProbe } from './health-probe.ts';

/** What the probe says of a node whose event loop is read as delayed so, one reading after the other. */
function toldOf(delaysMs: readonly number[]): readonly boolean[] {
  const told: boolean[] = [];
  let tick = (): void => {};
  const real = createNodeRuntime({ log: createSilentLog() });
  const left = [...delaysMs];
  const runtime: Runtime = {
    ...real,
    sched: {
      ...real.sched,
      after: (_, run) => {
        tick = run;
        return () => {};
      },
    },
    machine: { ...real.machine, sample: () => ({ ...real.machine.sample(), eventLoopDelayMsP99: left.shift() ?? 0 }) },
  };
  const probe = new HealthProbe(runtime, null, (healthy) => told.push(healthy));
  for (const _ of delaysMs) tick();
  probe.close();
  return told;
}

test('a node whose event loop stood once is over it, and one whose loop goes on standing is unhealthy until it turns', () => {
  expect(toldOf([10, 12_000, 10, 12_000, 10])).toEqual([]);
  expect(toldOf([10, 6_000, 6_000, 6_000, 10])).toEqual([false, true]);
});
