import { describe, expect, test } from 'vitest';
import type { Scheduler } from '../interfaces/scheduler.ts';
import { ThreadTurns } from './thread-turns.ts';

/** A loop whose turns are taken by hand. */
class Loop implements Scheduler {
  private queue: (() => void)[] = [];

  after(): () => void {
    throw new Error('nothing here waits for a time');
  }

  soon(fn: () => void): void {
    this.queue.push(fn);
  }

  /** What was queued before this turn; then everything that follows from it at once. */
  async turn(): Promise<void> {
    const due = this.queue;
    this.queue = [];
    for (const fn of due) fn();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }
}

test('each turn of the loop is of one piece of work, first come first served', async () => {
  const loop = new Loop();
  const turns = new ThreadTurns(loop);
  const done: string[] = [];
  const work = async (name: string, pieces: number): Promise<void> => {
    for (let i = 0; i < pieces; i++) {
      await turns.next();
      done.push(`${name}${i}`);
    }
  };
  void work('a', 3);
  void work('b', 2);
  const seen: number[] = [];
  for (let i = 0; i < 6; i++) {
    await loop.turn();
    seen.push(done.length);
  }
  expect(done).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
  expect(seen).toEqual([1, 2, 3, 4, 5, 5]);
});

describe('of several works that wait', () => {
  /** Names of the works in the order of their turns; each waits for one more at the same rank when it had one. */
  async function order(works: Readonly<Record<string, number | undefined>>, turnsTaken: number): Promise<string> {
    const loop = new Loop();
    const turns = new ThreadTurns(loop);
    const done: string[] = [];
    for (const [name, slices] of Object.entries(works)) {
      void (async () => {
        for (;;) {
          await turns.next(slices);
          done.push(name);
        }
      })();
    }
    for (let i = 0; i < turnsTaken; i++) await loop.turn();
    return done.join('');
  }

  test('the one that had fewest slices goes first', async () => {
    expect(await order({ a: 3, b: 1, c: 2 }, 3)).toBe('bbb');
  });

  test('one turn of four is that of who waited longest', async () => {
    expect(await order({ a: 3, b: 0, c: undefined }, 12)).toBe('bbbabbbcbbba');
  });

  test('those that had many slices, and those that tell none, take turns', async () => {
    expect(await order({ a: 4, b: 1_000, c: undefined }, 6)).toBe('abcabc');
  });
});
