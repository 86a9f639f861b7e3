import { describe, expect, test } from 'vitest';
import { cronSchedule, everySchedule, hashSchedule, runScheduled } from './schedule.ts';

const NOON = Date.UTC(2026, 0, 2, 12, 0, 30);
const next = (hash: Readonly<Record<string, string>>, runs = 0): number | null =>
  hashSchedule(new Map(Object.entries(hash))).next(NOON, runs);

describe('the next run of a schedule', () => {
  test('every: at once, then after each interval', () => {
    expect([next({ every: '5m' }), next({ every: '5m' }, 1)]).toEqual([NOON, NOON + 300_000]);
  });

  test('in and at: once', () => {
    expect([next({ in: '10s' }), next({ in: '10s' }, 1)]).toEqual([NOON + 10_000, null]);
    expect([next({ at: '2030-01-01T00:00:00Z' }), next({ at: '2030-01-01T00:00:00Z' }, 1)]).toEqual([
      Date.UTC(2030, 0, 1),
      null,
    ]);
  });

  test('cron: by the clock, in the time zone behind it', () => {
    expect(next({ cron: '15 * * * * UTC' })).toBe(Date.UTC(2026, 0, 2, 12, 15));
    expect(cronSchedule('0 14 * * * Europe/Oslo').next(NOON, 0)).toBe(Date.UTC(2026, 0, 2, 13));
  });

  test.each([{}, { every: '1s', in: '1s' }, { every: 'soon' }, { at: 'soon' }, { cron: 'soon' }, { daily: '1' }])(
    '%j is refused',
    (hash) => {
      expect(() => next(hash as Readonly<Record<string, string>>)).toThrow('schedule');
    },
  );
});

describe('a schedule that runs', () => {
  /** A clock that the pauses move. */
  function world() {
    const state = { nowMs: 0, isStopped: false, pauses: [] as number[] };
    const clock = { wallMs: () => state.nowMs, monotonicMs: () => state.nowMs };
    const control = {
      get isStopped() {
        return state.isStopped;
      },
      pause: async (ms: number) => {
        state.pauses.push(ms);
        state.nowMs += ms;
      },
    };
    return { state, clock, control };
  }

  test('delays a run that would overlap, and ends when it is stopped', async () => {
    const { state, clock, control } = world();
    const starts: number[] = [];
    await runScheduled(everySchedule(1_000), clock, control, async () => {
      starts.push(state.nowMs);
      if (starts.length === 1) state.nowMs += 2_500;
      if (starts.length === 3) state.isStopped = true;
    });
    expect(starts).toEqual([0, 3_500, 4_500]);
  });

  test('waits for a far run in parts that timers can hold', async () => {
    const { state, clock, control } = world();
    const far = 50 * 86_400_000;
    await runScheduled({ next: (_, runs) => (runs === 0 ? far : null) }, clock, control, async () => {
      expect(state.nowMs).toBe(far);
    });
    expect(state.pauses).toHaveLength(3);
    expect(Math.max(...state.pauses)).toBeLessThan(2 ** 31);
  });
});
