/**
 * The breaker `request`: what the searches of a node hold at this moment, over all of its threads; and `parent`, by which no
 * more is taken when the process as a whole is near its limit, whatever holds the memory.
 *
 * Each thread counts in its own slot of memory that they share, so that every reservation sees the sum of all, and the
 * main thread shows it without asking. Only large things are counted: hits to be ordered, buckets, documents read.
 */
import { assert, circuitBreaking, renderByteSize } from '@shoal/core';
import type { BreakerNumbers } from '@shoal/shard-api';

/** Counters of a thread: bytes held, reservations refused by `request`, and those refused by `parent`. */
const NUMBERS = 3;
/** Bytes reserved between two looks at what the process really holds: a look costs more than most reservations. */
const UNSEEN_BYTES_MAX = 1024 * 1024;

/** The limit of the process. */
export interface ParentLimit {
  readonly limitBytes: number;
  /** What it holds really; null: what its breakers count is all that is known. */
  readonly residentBytes: (() => number) | null;
}

export class RequestBreaker {
  private readonly numbers: BigInt64Array;
  private readonly seat: number;
  private readonly limitBytes: number;
  private readonly parent: ParentLimit;
  /** What the process held at the last look, and what this thread took and gave since then. */
  private seenBytes = -1;
  private unseenBytes = 0;

  /** @param shared made by `breakerMemory`; `seat` is the thread's slot in it */
  constructor(shared: SharedArrayBuffer, seat: number, limitBytes: number, parent: ParentLimit) {
    this.numbers = new BigInt64Array(shared);
    assert(seat >= 0 && seat * NUMBERS < this.numbers.length, `slot ${seat} of ${this.numbers.length / NUMBERS}`);
    this.seat = seat;
    this.limitBytes = limitBytes;
    this.parent = parent;
  }

  read(): BreakerNumbers {
    return { limitBytes: this.limitBytes, usedBytes: this.sum(0), trips: this.sum(1) };
  }

  readParent(): BreakerNumbers {
    const { limitBytes, residentBytes } = this.parent;
    return { limitBytes, usedBytes: residentBytes === null ? this.sum(0) : residentBytes(), trips: this.sum(2) };
  }

  /** Sum of one counter over all threads. */
  private sum(which: number): number {
    const { numbers } = this;
    let sum = 0;
    for (let at = which; at < numbers.length; at += NUMBERS) sum += Number(Atomics.load(numbers, at));
    return sum;
  }

  /** `label` is what the error calls it, such as `<agg>`. */
  open(label: string): BreakerAccount {
    return new BreakerAccount(this, label);
  }

  /** Changes what the thread holds. Throws `circuit_breaking_exception` when more does not fit. */
  change(bytes: number, label: string): void {
    assert(Number.isSafeInteger(bytes), `a breaker changes by ${bytes} bytes`);
    const at = this.seat * NUMBERS;
    if (bytes > 0) {
      const wanted = this.sum(0) + bytes;
      if (wanted > this.limitBytes) {
        Atomics.add(this.numbers, at + 1, 1n);
        throw tooLarge('request', label, { wanted, limit: this.limitBytes });
      }
      this.checkParent(bytes, label, wanted);
    }
    this.unseenBytes += bytes;
    Atomics.add(this.numbers, at, BigInt(bytes));
  }

  /** `counted`: what all breakers would hold with it. */
  private checkParent(bytes: number, label: string, counted: number): void {
    const { limitBytes, residentBytes } = this.parent;
    const isSeen = this.seenBytes >= 0 && this.unseenBytes + bytes <= UNSEEN_BYTES_MAX;
    if (residentBytes !== null && isSeen && this.seenBytes + this.unseenBytes + bytes <= limitBytes) return;
    // What was too much at the last look may have been given back.
    this.seenBytes = residentBytes === null ? counted - bytes : residentBytes();
    this.unseenBytes = 0;
    const wanted = this.seenBytes + bytes;
    if (wanted <= limitBytes) return;
    Atomics.add(this.numbers, this.seat * NUMBERS + 2, 1n);
    const more = `, real usage: ${sizes(this.seenBytes)}, new bytes reserved: ${sizes(bytes)}, usages [request=${inSizes(counted - bytes)}]`;
    throw tooLarge('parent', label, { wanted, limit: limitBytes }, more);
  }

  /** The thread is no more, and with it all that it held. */
  forget(seat: number): void {
    Atomics.store(this.numbers, seat * NUMBERS, 0n);
  }
}

/** What one search holds. Must be closed. */
export class BreakerAccount {
  private readonly breaker: RequestBreaker;
  private readonly label: string;
  private held = 0;

  constructor(breaker: RequestBreaker, label: string) {
    this.breaker = breaker;
    this.label = label;
  }

  /** From now on it holds so much. */
  set(bytes: number): void {
    assert(bytes >= 0, `an account holds ${bytes} bytes`);
    const whole = Math.ceil(bytes);
    if (whole === this.held) return;
    this.breaker.change(whole - this.held, this.label);
    this.held = whole;
  }

  close(): void {
    this.set(0);
  }
}

export function breakerMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * NUMBERS * BigInt64Array.BYTES_PER_ELEMENT);
}

interface RefusedBytes {
  readonly wanted: number;
  readonly limit: number;
}

function tooLarge(breaker: string, label: string, refused: RefusedBytes, more = ''): Error {
  const { wanted, limit } = refused;
  return circuitBreaking(
    `[${breaker}] Data too large, data for [${label}] would be ${sizes(wanted)}, which is larger than the limit of ${sizes(limit)}${more}`,
    refused,
  );
}

function sizes(bytes: number): string {
  return `[${inSizes(bytes)}]`;
}

function inSizes(bytes: number): string {
  return `${bytes}/${renderByteSize(bytes)}`;
}
