import { expect, test } from 'vitest';
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
