/**
 * Report of a shutdown that waits: every few seconds the log names what it waits for.
 */
import type { Cancel, Runtime } from '@shoal/runtime';

const REPORT_INTERVAL_MS = 5_000;

export interface Stall {
  /** Events that are not finished. */
  readonly inFlight: number;
  readonly busyPlugins: readonly string[];
  readonly stuckInputs: readonly string[];
}

/** Reports until the returned function is called; `read` is asked for each report. */
export function reportStalls(runtime: Runtime, read: () => Stall): Cancel {
  let cancel: Cancel = () => {};
  const arm = (): void => {
    cancel = runtime.sched.after(REPORT_INTERVAL_MS, () => {
      runtime.log.warn('shutdown waits', { ...read() });
      arm();
    });
  };
  arm();
  return () => cancel();
}
