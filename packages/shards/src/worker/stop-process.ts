/**
 * What a broken invariant inside a promise does: it is thrown where no promise can swallow it.
 */
import type { Runtime } from '@shoal/runtime';

/** Ends the process (or the simulated node) as an uncaught exception, with the failure as its reason. */
export function stopProcess(runtime: Runtime, failure: Error): void {
  runtime.log.error('invariant broken', { error: failure.message });
  runtime.sched.soon(() => {
    throw failure;
  });
}
