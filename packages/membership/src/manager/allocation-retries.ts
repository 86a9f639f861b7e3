/**
 * Wakes the cluster manager when a copy may be assigned that waits: for its next try after a failure, or for its node to come back.
 */
import { nextRerouteMs } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import type { Cancel, Runtime } from '@shoal/runtime';

export class AllocationRetries {
  readonly #runtime: Runtime;
  readonly #retry: () => void;
  #stopTimer: Cancel | null = null;

  /** @param retry asks for a reroute; what it assigns shows in the next state */
  constructor(runtime: Runtime, retry: () => void) {
    this.#runtime = runtime;
    this.#retry = retry;
  }

  /** @param state the applied state while this node is the cluster manager; null when it is not */
  update(state: ClusterState | null): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
    const { clock, sched } = this.#runtime;
    const nowMs = clock.wallMs();
    const waitMs = state === null ? null : nextRerouteMs(state, nowMs);
    if (waitMs === null) return;
    this.#stopTimer = sched.after(waitMs, () => {
      // The wall clock may have run slower than the timer: then it is too early, and waited for again.
      if (clock.wallMs() >= nowMs + waitMs) this.#retry();
      this.update(state);
    });
  }
}
