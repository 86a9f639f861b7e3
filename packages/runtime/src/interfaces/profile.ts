/**
 * Samples of what one thread does, with their call stacks.
 */

export interface ProfileOptions {
  readonly durationMs: number;
  readonly sampleIntervalMs: number;
}

export interface ThreadProfile {
  readonly frames: readonly ProfileFrame[];
  readonly samples: readonly ProfileSample[];
}

export interface ProfileFrame {
  /** `(idle)`, `(program)` and `(garbage collector)` are the engine's own. */
  readonly name: string;
  readonly url: string;
  /** Line in the source, from 1; 0 where there is none. */
  readonly line: number;
  /** Index of the caller; -1 at the bottom. */
  readonly parent: number;
}

export interface ProfileSample {
  /** Time of the sample by the monotonic clock of the thread's own runtime. */
  readonly atMs: number;
  /** Index of the frame on top. */
  readonly frame: number;
}
