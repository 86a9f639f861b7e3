/**
 * Room that a merge needs on the disk before it begins: the files of the new segment, beside those of its inputs, which stay until
 * a commit without them.
 *
 * A merge that finds none, or runs out of it, gives back what it took and waits: the last of a disk is for writes.
 */
import { assert } from '@shoal/core';
import type { Cancel, Clock, Scheduler } from '@shoal/runtime';

/** Between two looks for room. */
const PAUSE_MS = 1_000;
/** After a merge ran out of room though there seemed to be enough, as under a quota. */
const FAILED_PAUSE_MS = 30_000;

export interface DiskRoomOptions {
  readonly sched: Scheduler;
  readonly clock: Clock;
  /** Bytes that are free on the disk of the shard. */
  readonly freeBytes: () => Promise<number>;
}

export class DiskRoom {
  /** A merge is put off until there is room. */
  isWaiting = false;
  private readonly options: DiskRoomOptions;
  /** No merge begins before. */
  private notBeforeMs = Number.NEGATIVE_INFINITY;
  private wakeUp: () => void = () => {};

  constructor(options: DiskRoomOptions) {
    this.options = options;
  }

  /** Whether a merge that writes so many bytes may begin. */
  async has(bytes: number): Promise<boolean> {
    assert(bytes > 0, `a merge that writes ${bytes} bytes`);
    const { clock, freeBytes } = this.options;
    const isThere = clock.monotonicMs() >= this.notBeforeMs && (await freeBytes()) >= bytes;
    this.isWaiting = !isThere;
    return isThere;
  }

  /** A merge ran out of room. */
  ranOut(): void {
    this.isWaiting = true;
    this.notBeforeMs = this.options.clock.monotonicMs() + FAILED_PAUSE_MS;
  }

  /** Resolves after a while, or when `wake` is called. */
  pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel: Cancel = this.options.sched.after(PAUSE_MS, () => this.wakeUp());
      this.wakeUp = () => {
        cancel();
        resolve();
      };
    });
  }

  wake(): void {
    this.wakeUp();
  }
}
