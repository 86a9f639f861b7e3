/**
 * Report of a shutdown that waits: every few seconds the log names what it waits for.
 */
import type { Cancel, Runtime } from '@shoal/runtime';
import type { fateOfStuck } from './end-rules.ts';

const REPORT_INTERVAL_MS = 5_000;

export interface Stall {
  /** Events that are not finished. */
  readonly inFlight: number;
  readonly busyPlugins: readonly string[];
  readonly stuckInputs: readonly string[];
  /** What becomes of events that do not move: waited for, lost, or left to whoever reads the queue next. */
  readonly stuckAre: ReturnType<typeof fateOfStuck>;
}

const HINTS: Readonly<Record<Stall['stuckAre'], string>> = {
  awaited: 'the process waits until they are done; pipeline.unsafe_shutdown: true would end it and lose them',
  lost: 'pipeline.unsafe_shutdown is set: what does not move is lost',
  left: 'what does not move is left to the next pipeline or start',
};

/** Reports until the returned function is called; `read` is asked for each report. */
export function reportStalls(runtime: Runtime, read: () => Stall): Cancel {
  let cancel: Cancel = () => {};
  const arm = (): void => {
    cancel = runtime.sched.after(REPORT_INTERVAL_MS, () => {
      const { stuckAre, ...stall } = read();
      runtime.log.warn('shutdown waits', { ...stall, hint: HINTS[stuckAre] });
      arm();
    });
  };
  arm();
  return () => cancel();
}
