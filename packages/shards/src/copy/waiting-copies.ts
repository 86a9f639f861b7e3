/**
 * Other copies that wait for an answer of this one, each as long as it said.
 */
import type { ShoalError } from '@shoal/core';
import type { PackedBody } from '../calls/packed-body.ts';
import { copyClosed } from '../calls/shard-errors.ts';

interface WaitingCopy {
  readonly resolve: (response: PackedBody) => void;
  readonly reject: (error: ShoalError) => void;
  /** Monotonic clock. */
  readonly untilMs: number;
  /** Bytes of a file that came with the request. */
  readonly chunk: Uint8Array | null;
}

export class WaitingCopies {
  readonly #waiting = new Map<string, WaitingCopy>();
  #next = 1;

  /** @param begin is given the name by which the request is answered */
  add(
    { untilMs, chunk }: Pick<WaitingCopy, 'untilMs' | 'chunk'>,
    begin: (replyTo: string) => void,
  ): Promise<PackedBody> {
    const replyTo = String(this.#next++);
    return new Promise((resolve, reject) => {
      this.#waiting.set(replyTo, { resolve, reject, untilMs, chunk });
      begin(replyTo);
    });
  }

  /** null when nobody waits any more, or none came. */
  chunkOf(replyTo: string): Uint8Array | null {
    return this.#waiting.get(replyTo)?.chunk ?? null;
  }

  answer(replyTo: string, response: () => PackedBody): void {
    const waiting = this.#waiting.get(replyTo);
    if (waiting === undefined) return;
    this.#waiting.delete(replyTo);
    waiting.resolve(response());
  }

  /** Forgets those whose time is up: what the room does not answer is nobody's any more. */
  endLate(nowMs: number): void {
    for (const [replyTo, { untilMs, reject }] of this.#waiting) {
      if (nowMs < untilMs) continue;
      this.#waiting.delete(replyTo);
      reject(copyClosed());
    }
  }

  close(): void {
    for (const { reject } of this.#waiting.values()) reject(copyClosed());
    this.#waiting.clear();
  }
}
