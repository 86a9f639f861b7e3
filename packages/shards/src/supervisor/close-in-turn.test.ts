import { describe, expect, test } from 'vitest';
import { VirtualTime } from '../copy/virtual-time.test-support.ts';
import { closeInTurn } from './close-in-turn.ts';

const numbers = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, at) => from + at);

class Closing {
  readonly time = new VirtualTime(1);
  readonly ended: number[] = [];
  readonly begun: number[] = [];
  most = 0;
  answer: boolean | null = null;

  /** @param tookMs of each; null: it never ends */
  constructor(groups: readonly (readonly number[])[], tookMs: (open: number) => number | null) {
    const close = (open: number): Promise<void> => {
      this.begun.push(open);
      this.most = Math.max(this.most, this.begun.length - this.ended.length);
      return new Promise((resolve) => {
        const ms = tookMs(open);
        if (ms === null) return;
        this.time.sched.after(ms, () => {
          this.ended.push(open);
          resolve();
        });
      });
    };
    const open = groups.flat();
    const threadOf = (one: number): number => groups.findIndex((group) => group.includes(one));
    void closeInTurn({ sched: this.time.sched, open, threadOf, close }).then((answer) => {
      this.answer = answer;
    });
  }

  async end(): Promise<void> {
    expect(await this.time.runUntil(() => this.answer !== null, 1_000_000)).toBe(true);
  }
}

describe('what a node that ends has open', () => {
  test('ends whole when each of it ends, though all of it takes longer than a stuck thread may', async () => {
    const closing = new Closing([numbers(0, 100), numbers(100, 60)], () => 3_000);
    await closing.end();
    expect(closing.answer).toBe(true);
    expect(closing.ended.toSorted((a, b) => a - b)).toEqual(numbers(0, 160));
    expect(closing.most).toBe(16);
    expect(closing.time.nowMs).toBeGreaterThan(10_000);
  });

  test('ends for all threads but the one that is stuck', async () => {
    const closing = new Closing([numbers(0, 20), numbers(100, 20)], (open) => (open < 100 ? null : 10));
    await closing.end();
    expect(closing.answer).toBe(false);
    expect(closing.ended.toSorted((a, b) => a - b)).toEqual(numbers(100, 20));
    expect(closing.time.nowMs).toBe(20_000);
  });

  test('is left alone after 45 seconds, done with as far as it came', async () => {
    const closing = new Closing([numbers(0, 1_000)], () => 5_000);
    await closing.end();
    expect(closing.answer).toBe(false);
    expect(closing.time.nowMs).toBe(45_000);
    const begun = closing.begun.length;
    expect(begun).toBeGreaterThan(64);
    await closing.time.runUntil(() => closing.ended.length === begun, 10_000);
    expect(closing.begun.length).toBe(begun);
  });

  test('is nothing: no wait', async () => {
    const closing = new Closing([[], []], () => 1);
    await closing.end();
    expect([closing.answer, closing.time.nowMs]).toEqual([true, 0]);
  });
});
