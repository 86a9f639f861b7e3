/**
 * What the copies have agreed on and the log does not say yet: it goes with the next sync, or soon by itself.
 */
import type { Cancel, Scheduler } from '@shoal/runtime';
import { type HistoryState, isSameState } from '../history/history-state.ts';

/** Time after which it is said though nothing else is written. */
const SAY_AFTER_MS = 200;

export class SaidState {
  private readonly sched: Scheduler;
  /** Says it and makes it durable; its failures are somebody else's. */
  private readonly sync: () => void;
  private unsaid: HistoryState | null = null;
  /** What the files say; null: nothing. */
  private last: HistoryState | null;
  private stopTimer: Cancel | null = null;

  constructor(sched: Scheduler, last: HistoryState | null, sync: () => void) {
    this.sched = sched;
    this.last = last;
    this.sync = sync;
  }

  /** null: the log says the last one. */
  get next(): HistoryState | null {
    return this.unsaid;
  }

  note(state: HistoryState): void {
    // A start tells the log what was read of it: shards that nobody writes to cost no record and no sync.
    if (this.unsaid === null && this.last !== null && isSameState(this.last, state)) return;
    this.unsaid = state;
    this.stopTimer ??= this.sched.after(SAY_AFTER_MS, () => {
      this.stopTimer = null;
      if (this.unsaid !== null) this.sync();
    });
  }

  /** The log has it. */
  said(state: HistoryState): void {
    this.last = state;
    if (this.unsaid === state) this.unsaid = null;
  }

  stop(): void {
    this.stopTimer?.();
  }
}
