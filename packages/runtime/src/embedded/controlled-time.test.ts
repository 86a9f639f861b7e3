import { describe, expect, test } from 'vitest';
import { ControlledTime } from './controlled-time.ts';

const DAY_MS = 86_400_000;

describe('time that is moved on', () => {
  test('moves both clocks, by at least as much', async () => {
    const { clock, ...time } = view(new ControlledTime());
    const [wall, monotonic] = [clock.wallMs(), clock.monotonicMs()];
    await time.advance(DAY_MS);
    expect(clock.wallMs() - wall).toBeGreaterThanOrEqual(DAY_MS - 1);
    expect(clock.monotonicMs() - monotonic).toBeGreaterThanOrEqual(DAY_MS);
  });

  test('runs timers in the order of their times, each at its own', async () => {
    const time = new ControlledTime();
    const startMs = time.clock.monotonicMs();
    const ran: [string, number][] = [];
    const at = (name: string, ms: number): void =>
      void time.sched.after(ms, () => {
        ran.push([name, Math.floor((time.clock.monotonicMs() - startMs) / 1_000)]);
        if (name === 'first') at('from the first', 3_000);
      });
    at('last', 40 * DAY_MS);
    at('second', 5_000);
    at('first', 1_000);
    at('beyond', 50 * DAY_MS);
    await time.advance(40 * DAY_MS + 1);
    expect(ran).toEqual([
      ['first', 1],
      ['from the first', 4],
      ['second', 5],
      ['last', (40 * DAY_MS) / 1_000],
    ]);
  });

  test('waits for what a timer began, before the next one', async () => {
    const time = new ControlledTime();
    const seen: string[] = [];
    time.sched.after(10, () => time.sched.soon(() => time.sched.soon(() => seen.push('work'))));
    time.sched.after(11, () => seen.push('timer'));
    await time.advance(1_000);
    expect(seen).toEqual(['work', 'timer']);
  });

  test('runs what begins again each second a bounded number of times, and all that is due by the end', async () => {
    const time = new ControlledTime();
    let turns = 0;
    let late = 0;
    const again = (): void => {
      turns++;
      if (turns === 550) time.sched.after(DAY_MS, () => late++);
      time.sched.after(1_000, again);
    };
    again();
    await time.advance(3 * 365 * DAY_MS);
    expect(turns).toBeLessThan(700);
    expect(late).toBe(1);
  });

  test('never runs a timer that was cancelled', async () => {
    const time = new ControlledTime();
    let runs = 0;
    const cancel = time.sched.after(10, () => runs++);
    time.sched.after(5, cancel);
    await time.advance(1_000);
    expect(runs).toBe(0);
  });

  test('set back, the wall clock moves alone', async () => {
    const time = new ControlledTime();
    const monotonic = time.clock.monotonicMs();
    await time.setWall(0);
    expect(time.clock.wallMs()).toBeLessThan(60_000);
    expect(time.clock.monotonicMs()).toBeGreaterThanOrEqual(monotonic);
  });
});

function view(time: ControlledTime) {
  return { clock: time.clock, advance: (ms: number) => time.advance(ms) };
}
