/**
 * Ends what a node has open: a few of each thread at a time, so that those whose turn came are done with when time runs out, and for as
 * long as they go on ending.
 *
 * All at once would end late all together: each waits for the disk behind all others, and a limit would meet each of them half way.
 */
import type { Runtime } from '@shoal/runtime';

/** Closed at once by one thread: while some wait for the disk, it works on others. */
const OF_A_THREAD_AT_ONCE = 8;
/** Time without a single end after which a thread is stuck. */
const WITHOUT_END_MS_MAX = 10_000;
/** Time for all of them. Writes to them wait until other copies lead, for a minute unless they say otherwise. */
const ALL_MS_MAX = 45_000;

export interface CloseInTurnOptions<T> {
  readonly sched: Runtime['sched'];
  readonly open: readonly T[];
  /** The same for all that one thread has. */
  readonly threadOf: (open: T) => unknown;
  /** Resolves when it has ended, whatever came of it. */
  readonly close: (open: T) => Promise<void>;
}

/** False when they take longer; those whose turn has not come are left as they are then. */
export async function closeInTurn<T>({ sched, open, threadOf, close }: CloseInTurnOptions<T>): Promise<boolean> {
  const byThread = new Map<unknown, T[]>();
  for (const one of open) {
    const thread = threadOf(one);
    const others = byThread.get(thread);
    if (others === undefined) byThread.set(thread, [one]);
    else others.push(one);
  }
  let ended = 0;
  let isOver = false;
  /** @param waiting shared with the others that take from it */
  const turns = async (waiting: Iterable<T>): Promise<void> => {
    for (const next of waiting) {
      if (isOver) return;
      await close(next);
      ended++;
    }
  };
  const all = [...byThread.values()].flatMap((ofThread) => {
    const waiting = ofThread.values();
    return Array.from({ length: OF_A_THREAD_AT_ONCE }, () => turns(waiting));
  });
  let cancel = (): void => {};
  const late = new Promise<false>((resolve) => {
    const look = (endedBefore: number, leftMs: number): void => {
      cancel = sched.after(Math.min(WITHOUT_END_MS_MAX, leftMs), () => {
        if (ended === endedBefore || leftMs <= WITHOUT_END_MS_MAX) resolve(false);
        else look(ended, leftMs - WITHOUT_END_MS_MAX);
      });
    };
    look(0, ALL_MS_MAX);
  });
  const isDone = await Promise.race([Promise.all(all).then(() => true), late]);
  cancel();
  isOver = true;
  return isDone;
}
