/**
 * Pace at which files of shards are copied, to a repository, from one, or to another node: no faster than so many bytes a second, in
 * waits between chunks. Several copies may share one.
 */
import type { Clock, Scheduler } from '@shoal/runtime';

/** Debts below this are carried on: a timer is not finer. */
const WAIT_MS_MIN = 5;

export interface TransferRate {
  /** 0: as fast as can be. Looked up before each chunk. */
  readonly bytesPerSecond: number;
}

export class TransferPace {
  private readonly clock: Clock;
  private readonly sched: Scheduler;
  private readonly rate: TransferRate;
  /** When what was copied so far may be over. */
  private freeAtMs: number;

  constructor(clock: Clock, sched: Scheduler, rate: TransferRate) {
    this.clock = clock;
    this.sched = sched;
    this.rate = rate;
    this.freeAtMs = clock.monotonicMs();
  }

  /** Resolves when more may be copied. */
  async copied(bytes: number): Promise<void> {
    const { bytesPerSecond } = this.rate;
    if (bytesPerSecond <= 0) return;
    const nowMs = this.clock.monotonicMs();
    // Time in which nothing was copied is not saved up.
    this.freeAtMs = Math.max(this.freeAtMs, nowMs) + (bytes / bytesPerSecond) * 1_000;
    const waitMs = this.freeAtMs - nowMs;
    if (waitMs < WAIT_MS_MIN) return;
    await new Promise<void>((resolve) => {
      this.sched.after(waitMs, resolve);
    });
  }
}
