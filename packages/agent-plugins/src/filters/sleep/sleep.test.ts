import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { sleepFilter } from './sleep.ts';

const base = createNodeRuntime({ log: createSilentLog() });

test('sleep waits by the scheduler', async () => {
  const waited: number[] = [];
  const after = (ms: number, fn: () => void) => {
    waited.push(ms);
    fn();
    return () => undefined;
  };
  const sched = { ...base.sched, after };
  const filter = makeFilter(sleepFilter, { time: '0.5', every: '2' }, { runtime: { ...base, sched } });
  for (let i = 0; i < 4; i++) await filter.run(eventOf());
  expect(waited).toEqual([500, 500]);
});
