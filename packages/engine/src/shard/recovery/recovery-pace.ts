/**
 * Pace at which the shards of a node send their files to other copies: so many bytes a second for all of them together, whichever
 * threads own them.
 *
 * Each thread says in its own slot of memory that all share how many pieces it is about to send; those that send share the limit.
 */
import { assert } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { TransferPace } from './transfer-pace.ts';

/** `indices.recovery.max_bytes_per_sec` of a cluster that does not say. */
export const RECOVERY_BYTES_PER_SECOND_DEFAULT: number = 40 * 1024 * 1024;

/** First element of the memory: the limit, in KiB a second; the counts of the threads follow. */
const LIMIT = 0;
const LIMIT_UNIT = 1024;
const LIMIT_MAX = 2 ** 31 - 1;

export class RecoveryRate {
  private readonly numbers: Int32Array;
  private readonly seat: number;

  /** @param shared made by `recoveryMemory`; `seat` is the thread's slot in it */
  constructor(shared: SharedArrayBuffer, seat: number) {
    this.numbers = new Int32Array(shared);
    assert(seat >= 0 && seat + 1 < this.numbers.length, `slot ${seat} of ${this.numbers.length - 1}`);
    this.seat = seat;
  }

  /** @param bytesPerSecond 0 or less: as fast as can be */
  setLimit(bytesPerSecond: number): void {
    Atomics.store(this.numbers, LIMIT, Math.min(Math.ceil(Math.max(bytesPerSecond, 0) / LIMIT_UNIT), LIMIT_MAX));
  }

  /** What the thread may send, in bytes; 0: as fast as can be. */
  get bytesPerSecond(): number {
    const limit = Atomics.load(this.numbers, LIMIT) * LIMIT_UNIT;
    let threads = 0;
    for (let at = LIMIT + 1; at < this.numbers.length; at++) if (Atomics.load(this.numbers, at) > 0) threads++;
    return limit / Math.max(threads, 1);
  }

  begin(): void {
    Atomics.add(this.numbers, this.seat + 1, 1);
  }

  end(): void {
    const before = Atomics.sub(this.numbers, this.seat + 1, 1);
    assert(before > 0, `a piece was sent where ${before} are`);
  }

  /** Clears the slot of a thread that ended. */
  forget(seat: number): void {
    Atomics.store(this.numbers, seat + 1, 0);
  }
}

/** Memory for so many threads, with the default limit. */
export function recoveryMemory(threads: number): SharedArrayBuffer {
  const shared = new SharedArrayBuffer((1 + threads) * Int32Array.BYTES_PER_ELEMENT);
  new RecoveryRate(shared, 0).setLimit(RECOVERY_BYTES_PER_SECOND_DEFAULT);
  return shared;
}

/** Pace of one thread. */
export class RecoveryPace {
  readonly #rate: RecoveryRate;
  readonly #pace: TransferPace;

  constructor({ clock, sched }: Pick<Runtime, 'clock' | 'sched'>, rate: RecoveryRate) {
    this.#rate = rate;
    this.#pace = new TransferPace(clock, sched, rate);
  }

  /** Resolves when a piece of so many bytes may be sent. */
  async mayBeSent(bytes: number): Promise<void> {
    this.#rate.begin();
    try {
      await this.#pace.copied(bytes);
    } finally {
      this.#rate.end();
    }
  }
}
