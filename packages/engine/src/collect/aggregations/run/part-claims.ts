/**
 * Which part is collected next, over all threads of a search: each takes the first that nobody has.
 *
 * Claims only ascend, so that the parts of one thread do too. A claim is never given back: what a thread did not hand over is collected
 * again by the thread that answers.
 */
import { assert } from '@shoal/core';
import type { StopSignal } from '../../../pacing/stop-signal.ts';

const NEXT = 0;
const STOPPED = 1;
const NUMBERS = 2;

export class PartClaims implements StopSignal {
  readonly shared: SharedArrayBuffer;
  private readonly numbers: Int32Array;
  private readonly count: number;

  /** @param shared memory of the claims of another thread; left out: they begin here */
  constructor(
    count: number,
    shared: SharedArrayBuffer = new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.shared = shared;
    this.numbers = new Int32Array(shared);
    this.count = count;
    assert(this.numbers.length === NUMBERS, `claims of ${this.numbers.length} numbers`);
  }

  /** Position of a part that is the caller's from now on; -1: none is left. */
  claim(): number {
    if (this.isStopped) return -1;
    const at = Atomics.add(this.numbers, NEXT, 1);
    return at < this.count ? at : -1;
  }

  get hasLeft(): boolean {
    return !this.isStopped && Atomics.load(this.numbers, NEXT) < this.count;
  }

  /** Nobody waits for guests any more: their searches end at their next look. */
  stop(): void {
    Atomics.store(this.numbers, STOPPED, 1);
  }

  get isStopped(): boolean {
    return Atomics.load(this.numbers, STOPPED) !== 0;
  }
}
