import { CancelSource } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pauses } from './pauses.ts';
import { Throttle } from './throttle.ts';

/** Time that a test moves on. */
class ManualTime {
  now = 0;
  #timers: { readonly at: number; readonly fn: () => void }[] = [];

  get timers(): Pick<Runtime, 'clock' | 'sched'> {
    const after = (ms: number, fn: () => void) => {
      const timer = { at: this.now + ms, fn };
      this.#timers.push(timer);
      return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
    };
    return {
      clock: { monotonicMs: () => this.now, wallMs: () => this.now },
      sched: { after, soon: (fn) => void after(0, fn) },
    };
  }

  async pass(ms: number): Promise<void> {
    this.now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { fn } of due) fn();
    await Promise.resolve();
    await Promise.resolve();
  }
}

function throttleOf(requestsPerSecond: number) {
  const time = new ManualTime();
  const cancel = new CancelSource();
  const pauses = new Pauses(time.timers, cancel.flag);
  return { time, cancel, pauses, throttle: new Throttle(time.timers.clock, pauses, requestsPerSecond) };
}

describe('a throttled batch', () => {
  test('waits until its documents fit the pace, the time that they took included', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (documents, perSecond, tookMs) => {
          const { time, throttle } = throttleOf(perSecond);
          time.now = tookMs;
          const spentMs = tookMs + throttle.waitMs(documents, 0);
          expect(spentMs).toBeGreaterThanOrEqual(Math.max(tookMs, (documents * 1_000) / perSecond) - 1e-6);
          expect(spentMs).toBeLessThanOrEqual(Math.max(tookMs, (documents * 1_000) / perSecond) + 1);
        },
      ),
    );
  });

  test('waits not at all without a limit', () => {
    expect(throttleOf(Number.POSITIVE_INFINITY).throttle.waitMs(1_000_000, 0)).toBe(0);
  });
});

describe('a wait', () => {
  test('ends when its time is up, and is counted', async () => {
    const { time, pauses, throttle } = throttleOf(1);
    let isOver = false;
    const waiting = throttle.wait(1_000).then(() => void (isOver = true));
    await time.pass(999);
    expect([isOver, pauses.leftMs]).toEqual([false, 1]);
    await time.pass(1);
    await waiting;
    expect([isOver, throttle.waitedMs, pauses.leftMs]).toEqual([true, 1_000, 0]);
  });

  test('is shortened at once by a faster pace, and never made longer', async () => {
    const { time, pauses, throttle } = throttleOf(2);
    const waiting = throttle.wait(1_000);
    throttle.rethrottle(1);
    expect(pauses.leftMs).toBe(1_000);
    throttle.rethrottle(10);
    expect(pauses.leftMs).toBe(100);
    throttle.rethrottle(Number.POSITIVE_INFINITY);
    await time.pass(0);
    await waiting;
  });

  test('ends at once when the work is cancelled', async () => {
    const { cancel, throttle } = throttleOf(1);
    const waiting = throttle.wait(1_000_000);
    cancel.cancel('by user request');
    await waiting;
    await throttle.wait(1_000_000);
  });
});
