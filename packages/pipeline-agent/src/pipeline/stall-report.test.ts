import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { expect, test } from 'vitest';
import { reportStalls } from './stall-report.ts';

test('a shutdown that waits is reported again and again, with what it waits for then, until it is over', () => {
  const log = createRecordingLog();
  const base = createNodeRuntime({ log });
  let due: (() => void) | null = null;
  const after = (_ms: number, run: () => void) => {
    due = run;
    return () => void (due = null);
  };
  const runtime = { ...base, sched: { ...base.sched, after } };
  const tick = (): void => (due as (() => void) | null)?.();
  let inFlight = 7;
  const cancel = reportStalls(runtime, () => ({
    inFlight,
    busyPlugins: ['grok'],
    stuckInputs: [],
    stuckAre: 'awaited',
  }));
  tick();
  inFlight = 3;
  tick();
  cancel();
  tick();
  expect(log.lines.map(({ message, fields }) => [message, fields.inFlight])).toEqual([
    ['shutdown waits', 7],
    ['shutdown waits', 3],
  ]);
  expect(log.lines[0]?.fields.hint).toContain('pipeline.unsafe_shutdown');
});
