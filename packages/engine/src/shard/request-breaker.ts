/**
 * The breaker `request`: what the searches of a node hold at this moment, over all of its threads.
 *
 * Each thread counts in its own place of memory that they share, so that every reservation sees the sum of all, and the
 * main thread shows it without asking. Only large things are counted: hits to be ordered, buckets, documents read.
 */
import { circuitBreaking, renderByteSize } from '@shoal/core';

/** Of each thread: bytes held, and reservations refused. */
const NUMBERS = 2;

export interface BreakerNumbers {
  readonly limitBytes: number;
  readonly usedBytes: number;
  readonly trips: number;
}

export class RequestBreaker {
  private readonly numbers: BigInt64Array;
  private readonly seat: number;
  private readonly limitBytes: number;

  /** @param shared made by `breakerMemory`; `seat` is the thread's place in it */
  constructor(shared: SharedArrayBuffer, seat: number, limitBytes: number) {
    this.numbers = new BigInt64Array(shared);
    this.seat = seat;
    this.limitBytes = limitBytes;
  }

  read(): BreakerNumbers {
    const { numbers, limitBytes } = this;
    let usedBytes = 0;
    let trips = 0;
    for (let at = 0; at < numbers.length; at += NUMBERS) {
      usedBytes += Number(Atomics.load(numbers, at));
      trips += Number(Atomics.load(numbers, at + 1));
    }
    return { limitBytes, usedBytes, trips };
  }

  /** `label` is what the error calls it, such as `<agg>`. */
  open(label: string): BreakerAccount {
    return new BreakerAccount(this, label);
  }

  /** Changes what the thread holds. Throws `circuit_breaking_exception` when more does not fit. */
  change(bytes: number, label: string): void {
    const at = this.seat * NUMBERS;
    if (bytes > 0) {
      const wanted = this.read().usedBytes + bytes;
      if (wanted > this.limitBytes) {
        Atomics.add(this.numbers, at + 1, 1n);
        throw tooLarge(label, wanted, this.limitBytes);
      }
    }
    Atomics.add(this.numbers, at, BigInt(bytes));
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
    const whole = Math.ceil(bytes);
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

function tooLarge(label: string, wanted: number, limit: number): Error {
  return circuitBreaking(
    `[request] Data too large, data for [${label}] would be [${wanted}/${renderByteSize(wanted)}], which is larger than the limit of [${limit}/${renderByteSize(limit)}]`,
    { wanted, limit },
  );
}
