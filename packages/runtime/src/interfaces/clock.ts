/**
 * The clock of a program: monotonic for durations, wall for what users see.
 */

export interface Clock {
  /** Milliseconds since an arbitrary start; never goes back. Fractional. */
  monotonicMs(): number;
  /** Milliseconds since 1970-01-01 UTC; may jump. Integer. */
  wallMs(): number;
}
