/**
 * Wakes the cluster manager when a copy may be assigned that waits: for its next try after a failure, or for its node to come back.
 */
import { waitsOfCopies } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import type { Cancel, Runtime } from '@shoal/runtime';

/** Pause after a reroute that was not made, ms. */
const AGAIN_MS = 1_000;

export class AllocationRetries {
  readonly #runtime: Runtime;
  readonly #retry: () => Promise<boolean>;
  /** Waits of the newest state that are over, and for which a reroute was asked for. */
  #asked: ReadonlySet<string> = new Set();
  #state: ClusterState | null = null;
  #stopTimer: Cancel | null = null;

  /** @param retry asks for a reroute; what it assigns shows in the next state. False: it was not made */
  constructor(runtime: Runtime, retry: () => Promise<boolean>) {
    this.#runtime = runtime;
    this.#retry = retry;
  }

  /** @param state the applied state while this node is the cluster manager; null when it is not */
  update(state: ClusterState | null): void {
    this.#state = state;
    this.#stopTimer?.();
    this.#stopTimer = null;
    const { clock, sched } = this.#runtime;
    const waits = state === null ? new Map<string, number>() : waitsOfCopies(state, clock.wallMs());
    this.#asked = new Set([...this.#asked].filter((key) => waits.has(key)));
    // A state that was slow to come may show a wait that is over already. A copy that found no node when it was asked for waits for other events.
    const left = [...waits].filter(([key, waitMs]) => waitMs > 0 || !this.#asked.has(key)).map(([, waitMs]) => waitMs);
    if (left.length > 0) this.#stopTimer = sched.after(Math.min(...left), () => this.#ask());
  }

  #ask(): void {
    if (this.#state === null) return;
    const over = [...waitsOfCopies(this.#state, this.#runtime.clock.wallMs())].filter(([, waitMs]) => waitMs === 0);
    this.#asked = new Set(over.map(([key]) => key));
    this.update(this.#state);
    // None: the wall clock ran slower than the timer.
    if (over.length > 0) void this.#retry().then((isMade) => isMade || this.#askAgain());
  }

  #askAgain(): void {
    this.#asked = new Set();
    this.#stopTimer?.();
    this.#stopTimer = this.#runtime.sched.after(AGAIN_MS, () => this.#ask());
  }
}
