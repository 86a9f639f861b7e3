/**
 * Pace of a copy between a shard and a repository: no faster than so many bytes a second, in waits between chunks.
 */
import type { Clock, Scheduler } from '@shoal/runtime';

/** Debts below this are carried on: a timer is not finer. */
const WAIT_MS_MIN = 5;

export class TransferPace {
  private readonly clock: Clock;
  private readonly sched: Scheduler;
  private readonly bytesPerSecond: number;
  /** When what was copied so far may be over. */
  private freeAtMs: number;

  /** @param bytesPerSecond 0: as fast as can be */
  constructor(clock: Clock, sched: Scheduler, bytesPerSecond: number) {
    this.clock = clock;
    this.sched = sched;
    this.bytesPerSecond = bytesPerSecond;
    this.freeAtMs = clock.monotonicMs();
  }

  /** Resolves when more may be copied. */
  async copied(bytes: number): Promise<void> {
    if (this.bytesPerSecond <= 0) return;
    const nowMs = this.clock.monotonicMs();
    // Time in which nothing was copied is not saved up.
    this.freeAtMs = Math.max(this.freeAtMs, nowMs) + (bytes / this.bytesPerSecond) * 1_000;
    const waitMs = this.freeAtMs - nowMs;
    if (waitMs < WAIT_MS_MIN) return;
    await new Promise<void>((resolve) => {
      this.sched.after(waitMs, resolve);
    });
  }
}
