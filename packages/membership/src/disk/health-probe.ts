/**
 * Health of this node, which must be good to lead or to follow: its data path must take a write and an fsync, and its
 * event loop must turn.
 *
 * An unhealthy node refuses votes and checks, so that a dead disk or a frozen process does not lead for long.
 */
import { type Cancel, DiskError, type Runtime } from '@shoal/runtime';

const INTERVAL_MS = 5_000;
/** A probe that takes longer counts as failed. With the interval before it and the check behind it: out within 30 s. */
const PROBE_MS_MAX = 20_000;
const EVENT_LOOP_DELAY_MS_MAX = 5_000;
/** Readings in a row above that limit: a process that was paused once is over it when it takes the first. */
const DELAYED_TICKS_MIN = 2;
const PROBE_BYTES = new Uint8Array([1]);

export class HealthProbe {
  readonly #runtime: Runtime;
  /** null: no data path. */
  readonly #folder: string | null;
  readonly #onChange: (healthy: boolean, reason: string) => void;
  readonly #hasReserve: () => boolean;
  #stopTimer: Cancel;
  #isWriting = false;
  #isHealthy = true;
  #diskFailure: string | null = null;
  #delayMs = 0;
  #delayedTicks = 0;

  /** @param hasReserve whether a cluster state would find room on a full disk */
  constructor(
    runtime: Runtime,
    folder: string | null,
    onChange: (healthy: boolean, reason: string) => void,
    hasReserve: () => boolean = () => false,
  ) {
    this.#hasReserve = hasReserve;
    this.#runtime = runtime;
    this.#folder = folder;
    this.#onChange = onChange;
    this.#stopTimer = runtime.sched.after(INTERVAL_MS, () => this.#tick());
  }

  close(): void {
    this.#stopTimer();
  }

  #tick(): void {
    this.#stopTimer = this.#runtime.sched.after(INTERVAL_MS, () => this.#tick());
    if (!this.#isWriting && this.#folder !== null) void this.#writeProbe(this.#folder);
    this.#delayMs = this.#runtime.machine.sample().eventLoopDelayMsP99;
    this.#delayedTicks = this.#delayMs > EVENT_LOOP_DELAY_MS_MAX ? this.#delayedTicks + 1 : 0;
    this.#report();
  }

  async #writeProbe(folder: string): Promise<void> {
    this.#isWriting = true;
    const stopTimer = this.#runtime.sched.after(PROBE_MS_MAX, () => {
      this.#diskFailure = `no fsync within ${PROBE_MS_MAX}ms`;
      this.#report();
    });
    try {
      const file = await this.#runtime.disk.open(`${folder}/.health`, 'create');
      try {
        await file.write(PROBE_BYTES, 0);
        await file.sync();
      } finally {
        await file.close();
      }
      this.#diskFailure = null;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#diskFailure = error.kind === 'full' && this.#hasReserve() ? null : error.message;
    } finally {
      stopTimer();
      this.#isWriting = false;
    }
    this.#report();
  }

  #report(): void {
    const isDelayed = this.#delayedTicks >= DELAYED_TICKS_MIN;
    const delay = isDelayed ? `event loop delayed by ${Math.round(this.#delayMs)}ms (99th percentile)` : null;
    const reason = this.#diskFailure ?? delay;
    const isHealthy = reason === null;
    if (isHealthy === this.#isHealthy) return;
    this.#isHealthy = isHealthy;
    this.#runtime.log.warn(isHealthy ? 'node is healthy again' : 'node is unhealthy', { reason: reason ?? '' });
    this.#onChange(isHealthy, reason ?? 'healthy');
  }
}
