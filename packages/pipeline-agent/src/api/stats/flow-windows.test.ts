import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FlowSample, FlowWindows } from './flow-windows.ts';

const EVENTS = 0;
const WORK = 1;
const DAY_MS = 86_400_000;

function sample(atMs: number, events: number, work = 0): FlowSample {
  return { atMs, values: Float64Array.of(events, work) };
}

const perSecond = { of: EVENTS, per: null, scale: 1_000 };
const workByEvent = { of: WORK, per: EVENTS, scale: 1 };

/** Two events a second, sampled every five seconds. */
function steady(untilMs: number): FlowWindows {
  const windows = new FlowWindows(sample(0, 0));
  for (let atMs = 5_000; atMs <= untilMs; atMs += 5_000) windows.add(sample(atMs, atMs / 500));
  return windows;
}

describe('rates', () => {
  test('are there at once, for now and for the whole life', () => {
    const windows = new FlowWindows(sample(0, 0));
    expect(windows.basesOf(sample(2_000, 5)).metric(perSecond)).toEqual({ current: 2.5, lifetime: 2.5 });
  });

  test('of longer windows come when the windows are full', () => {
    const names = (untilMs: number) => Object.keys(steady(untilMs).basesOf(sample(untilMs, 0)).metric(perSecond));
    expect(names(60_000)).toEqual(['current', 'last_1_minute', 'lifetime']);
    expect(names(3_600_000)).toEqual([
      'current',
      'last_1_minute',
      'last_5_minutes',
      'last_15_minutes',
      'last_1_hour',
      'lifetime',
    ]);
    expect(names(DAY_MS)).toContain('last_24_hours');
  });

  test('have four significant digits', () => {
    const windows = new FlowWindows(sample(0, 0));
    expect(windows.basesOf(sample(3_000, 1)).metric(perSecond).lifetime).toBe(0.3333);
  });

  test('without time or events are text, and left out when nothing happened', () => {
    const windows = new FlowWindows(sample(0, 0, 0));
    expect(windows.basesOf(sample(1_000, 0, 7)).metric(workByEvent).lifetime).toBe('Infinity');
    expect(windows.basesOf(sample(1_000, 0, 0)).metric(workByEvent)).toEqual({});
  });

  test('forget what is before their window', () => {
    const windows = steady(120_000);
    // All at once within the last ten seconds.
    const now = sample(130_000, 240 + 1_000);
    expect(windows.basesOf(now).metric(perSecond)).toMatchObject({ current: 100, last_1_minute: 18.33 });
  });

  test('of a steady flow are the same in all windows, whenever it was sampled', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 200 }), (steps) => {
        const windows = new FlowWindows(sample(0, 0));
        let atMs = 0;
        for (const step of steps) {
          atMs += step;
          windows.add(sample(atMs, atMs * 3));
        }
        const metric = windows.basesOf(sample(atMs + 1, (atMs + 1) * 3)).metric(perSecond);
        expect(new Set(Object.values(metric))).toEqual(new Set([3_000]));
      }),
    );
  });
});
