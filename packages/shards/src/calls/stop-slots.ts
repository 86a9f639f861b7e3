/**
 * Bytes shared between the main thread and one worker through which a running query is told to stop.
 *
 * A message would wait behind the very query that it should stop; a byte is seen at once. Each running query owns one
 * slot; with all slots taken a query runs without (it ends by itself, only later).
 */
import type { StopSignal } from '@shoal/engine';

/** Queries of one worker that can be stopped at the same time. */
const STOP_SLOTS = 1024;
const NO_SLOT = -1;

export class StopSlots {
  readonly shared: SharedArrayBuffer = new SharedArrayBuffer(STOP_SLOTS);
  readonly #bytes = new Uint8Array(this.shared);
  readonly #free: number[] = Array.from({ length: STOP_SLOTS }, (_, slot) => STOP_SLOTS - 1 - slot);

  take(): number {
    const slot = this.#free.pop() ?? NO_SLOT;
    if (slot !== NO_SLOT) Atomics.store(this.#bytes, slot, 0);
    return slot;
  }

  stop(slot: number): void {
    if (slot !== NO_SLOT) Atomics.store(this.#bytes, slot, 1);
  }

  give(slot: number): void {
    if (slot !== NO_SLOT) this.#free.push(slot);
  }
}

/** The worker's view of one slot. */
export class StopSlotSignal implements StopSignal {
  readonly #bytes: Uint8Array;
  readonly #slot: number;

  constructor(bytes: Uint8Array, slot: number) {
    this.#bytes = bytes;
    this.#slot = slot;
  }

  get isStopped(): boolean {
    return this.#slot !== NO_SLOT && Atomics.load(this.#bytes, this.#slot) !== 0;
  }
}
