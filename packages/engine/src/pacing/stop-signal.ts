/**
 * Request to end a long search early.
 */

/** Set by another thread or by the caller to end a long search early; checked every few milliseconds of work. */
export interface StopSignal {
  readonly isStopped: boolean;
}
