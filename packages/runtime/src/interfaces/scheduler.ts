/**
 * Timers, and work that waits for the end of the current turn.
 */

/** Stops a scheduled call. Calling it after the call ran, or twice, does nothing. */
export type Cancel = () => void;

export interface Scheduler {
  after(ms: number, fn: () => void): Cancel;
  /** Runs `fn` after the current turn, before any timer. */
  soon(fn: () => void): void;
}
