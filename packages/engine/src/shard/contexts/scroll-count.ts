/**
 * Scrolls that are open on a node, over the shards of all its threads, and how many there may be.
 *
 * A scroll retains the segments of its reader, so the limit is the node's and not each shard's. Each thread counts in its own
 * slot of memory that all share: the sum bounds every thread, and the slot of a thread that ended is cleared.
 */
import { assert, ShoalError } from '@shoal/core';

/** `search.max_open_scroll_context` of a cluster that does not say. */
export const OPEN_SCROLLS_MAX_DEFAULT = 500;

/** First element of the memory: the limit; the counts of the threads follow. */
const LIMIT = 0;

export class ScrollCount {
  private readonly numbers: Int32Array;
  private readonly seat: number;

  /** @param shared made by `scrollMemory`; `seat` is the thread's slot in it */
  constructor(shared: SharedArrayBuffer, seat: number) {
    this.numbers = new Int32Array(shared);
    assert(seat >= 0 && seat + 1 < this.numbers.length, `slot ${seat} of ${this.numbers.length - 1}`);
    this.seat = seat;
  }

  /** Throws `too_many_scroll_contexts_exception` when no other scroll may be opened now. */
  check(): void {
    const limit = Atomics.load(this.numbers, LIMIT);
    if (this.sum() >= limit) throw tooManyScrolls(limit);
  }

  /** Counts a scroll that is opened; throws as `check` does. */
  add(): void {
    Atomics.add(this.numbers, this.seat + 1, 1);
    const limit = Atomics.load(this.numbers, LIMIT);
    // Added first: two threads that look at the same moment must not both take the last one.
    if (this.sum() <= limit) return;
    this.remove();
    throw tooManyScrolls(limit);
  }

  remove(): void {
    const before = Atomics.sub(this.numbers, this.seat + 1, 1);
    assert(before > 0, `a scroll ends where ${before} are open`);
  }

  setLimit(limit: number): void {
    assert(limit >= 0, `${limit} scrolls at most`);
    Atomics.store(this.numbers, LIMIT, Math.min(limit, 2 ** 31 - 1));
  }

  /** Clears the slot of a thread that ended, and with it all scrolls that it held. */
  forget(seat: number): void {
    Atomics.store(this.numbers, seat + 1, 0);
  }

  private sum(): number {
    let sum = 0;
    for (let at = LIMIT + 1; at < this.numbers.length; at++) sum += Atomics.load(this.numbers, at);
    return sum;
  }
}

/** Memory for the counts of so many threads, with the default limit. */
export function scrollMemory(threads: number): SharedArrayBuffer {
  const shared = new SharedArrayBuffer((1 + threads) * Int32Array.BYTES_PER_ELEMENT);
  new Int32Array(shared)[LIMIT] = OPEN_SCROLLS_MAX_DEFAULT;
  return shared;
}

function tooManyScrolls(limit: number): ShoalError {
  return new ShoalError(
    'too_many_scroll_contexts_exception',
    429,
    `Trying to create too many scroll contexts. Must be less than or equal to: [${limit}]. This limit can be set by changing the [search.max_open_scroll_context] setting.`,
  );
}
