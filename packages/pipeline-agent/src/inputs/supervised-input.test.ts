import { createEvent } from '@shoal/agent-event';
import type { EventSink, Input } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { SupervisedInput } from './supervised-input.ts';

/** An input whose instances can be reached, and a clock that goes on by hand. */
function supervised(behaviour: {
  refusesStart?: () => boolean;
  finished?: () => Promise<void>;
  push?: () => Promise<void>;
}) {
  const log = createRecordingLog();
  const base = createNodeRuntime({ log });
  const timers: { ms: number; run: () => void }[] = [];
  const after = (ms: number, run: () => void) => {
    const timer = { ms, run };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
  };
  const instances: { sink: EventSink | null; stops: number }[] = [];
  const make = (): Input => {
    const instance: { sink: EventSink | null; stops: number } = { sink: null, stops: 0 };
    instances.push(instance);
    return {
      finished: behaviour.finished?.() ?? null,
      start: async (sink) => {
        instance.sink = sink;
        if (behaviour.refusesStart?.() === true) throw new Error('port taken');
      },
      stop: async () => void instance.stops++,
    };
  };
  const push = behaviour.push ?? (async () => {});
  const input = new SupervisedInput({
    runtime: { ...base, sched: { ...base.sched, after } },
    log,
    make,
    sink: { push, pushLines: push },
    failed: () => {},
  });
  /** Ends the pause that goes on. Answers how long it was. */
  const elapse = async (): Promise<number> => {
    const timer = timers.shift() ?? expect.unreachable();
    timer.run();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return timer.ms;
  };
  return { input, instances, elapse, timers, log };
}

describe('an input that fails', () => {
  test('is stopped and started again, by another instance, after pauses that grow to a minute', async () => {
    const { input, instances, elapse } = supervised({});
    await input.start();
    expect(input.trouble).toBe(null);
    const pauses: number[] = [];
    for (let n = 0; n < 8; n++) {
      instances[n]?.sink?.failed?.(new Error('disk full'));
      expect([input.trouble, input.isDown]).toEqual(['disk full', true]);
      pauses.push(await elapse());
      expect(instances.map(({ stops }) => stops)).toEqual([...Array(n + 1).fill(1), 0]);
      expect(input.isDown).toBe(false);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000));
  });
  test('counts as well once it has run for as long as the pause was', async () => {
    const { input, instances, elapse } = supervised({});
    await input.start();
    instances[0]?.sink?.failed?.(new Error('x'));
    await elapse();
    expect(input.trouble).toBe('x');
    expect(await elapse()).toBe(1000);
    expect(input.trouble).toBe(null);
    instances[1]?.sink?.failed?.(new Error('y'));
    expect(await elapse()).toBe(1000);
  });
  test('is one whose push is refused, and what an earlier instance does then no longer counts', async () => {
    let isRefusing = true;
    const push = async (): Promise<void> => {
      if (isRefusing) throw new Error('the queue cannot be written');
    };
    const { input, instances, elapse, timers } = supervised({ push });
    await input.start();
    await expect(instances[0]?.sink?.push([createEvent()])).rejects.toThrow('cannot be written');
    instances[0]?.sink?.failed?.(new Error('again'));
    expect(timers).toHaveLength(1);
    isRefusing = false;
    await elapse();
    instances[0]?.sink?.failed?.(new Error('late'));
    expect([instances.length, input.isDown]).toEqual([2, false]);
  });
  test('is one that ends with an error, and one that cannot be started again', async () => {
    let failures = 0;
    const finished = async (): Promise<void> => {
      if (failures++ === 0) throw new Error('ended');
      await new Promise(() => {});
    };
    let starts = 0;
    const { input, elapse, instances } = supervised({ finished, refusesStart: () => ++starts === 2 });
    await input.start();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    expect(input.trouble).toBe('ended');
    await elapse();
    expect([input.trouble, input.isDown]).toEqual(['port taken', true]);
    expect(await elapse()).toBe(2000);
    expect([instances.length, input.isDown]).toEqual([3, false]);
  });
  test('is not started again once it is stopped', async () => {
    const { input, instances, timers } = supervised({});
    await input.start();
    instances[0]?.sink?.failed?.(new Error('x'));
    await input.stop();
    expect([timers.length, instances.length, instances[0]?.stops]).toEqual([0, 1, 1]);
  });
  test('refuses the start of its pipeline when it is the first', async () => {
    const { input } = supervised({ refusesStart: () => true });
    await expect(input.start()).rejects.toThrow('port taken');
  });
});

test('an input with difficulties says so while it goes on', async () => {
  const { input, instances } = supervised({});
  await input.start();
  instances[0]?.sink?.troubled?.('no space for positions');
  expect([input.trouble, input.isDown]).toEqual(['no space for positions', false]);
  instances[0]?.sink?.troubled?.(null);
  expect(input.trouble).toBe(null);
});
