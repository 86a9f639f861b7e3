/**
 * Real timers. `soon` lets sockets breathe (it waits for the next turn of the event loop, not for the microtask queue),
 * and yet every call queued by it runs before any timer of this scheduler, as the interface promises.
 */
import type { Cancel, Scheduler } from '../interfaces/scheduler.ts';

/** Longest wait that the platform's timers know; a longer one is cut to it (24 days). */
const TIMER_MS_MAX = 2 ** 31 - 1;

export function createNodeScheduler(): Scheduler {
  let queue: (() => void)[] = [];
  let isArmed = false;

  function runQueue(): void {
    isArmed = false;
    const batch = queue;
    queue = [];
    let done = 0;
    try {
      for (const fn of batch) {
        done++;
        fn();
      }
    } finally {
      // One that throws must not swallow those behind it: they run in the next turn, before newer ones.
      if (done < batch.length) {
        queue = [...batch.slice(done), ...queue];
        arm();
      }
    }
  }

  function arm(): void {
    if (isArmed) return;
    isArmed = true;
    setImmediate(() => {
      if (isArmed) runQueue();
    });
  }

  return {
    after(ms: number, fn: () => void): Cancel {
      const timer = setTimeout(
        () => {
          try {
            if (isArmed) runQueue();
          } finally {
            fn();
          }
        },
        Math.min(Math.max(ms, 0), TIMER_MS_MAX),
      );
      return () => clearTimeout(timer);
    },
    soon(fn: () => void): void {
      queue.push(fn);
      arm();
    },
  };
}
