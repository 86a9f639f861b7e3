/**
 * What the copies have agreed on and the log does not say yet: it goes with the next sync, or soon by itself.
 */
import type { Cancel, Scheduler } from '@shoal/runtime';
import type { HistoryState } from '../history/history-state.ts';

/** Time after which it is said though nothing else is written. */
const SAY_AFTER_MS = 200;

export class SaidState {
  private readonly sched: Scheduler;
  /** Says it and makes it durable; its failures are somebody else's. */
  private readonly sync: () => void;
  private unsaid: HistoryState | null = null;
  private stopTimer: Cancel | null = null;

  constructor(sched: Scheduler, sync: () => void) {
    this.sched = sched;
    this.sync = sync;
  }

  /** null: the log says the last one. */
  get next(): HistoryState | null {
    return this.unsaid;
  }

  note(state: HistoryState): void {
    this.unsaid = state;
    this.stopTimer ??= this.sched.after(SAY_AFTER_MS, () => {
      this.stopTimer = null;
      if (this.unsaid !== null) this.sync();
    });
  }

  /** The log has it. */
  said(state: HistoryState): void {
    if (this.unsaid === state) this.unsaid = null;
  }

  stop(): void {
    this.stopTimer?.();
  }
}
