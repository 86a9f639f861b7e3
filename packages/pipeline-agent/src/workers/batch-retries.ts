/**
 * Batches of workers that ended: they go out again, and a batch over which several workers ended is given up.
 */
import type { QueuedBatch } from '@shoal/agent-queue';
import { assert } from '@shoal/core';

/** Times that a batch is tried in workers that end over it. */
const BATCH_ATTEMPTS_MAX = 3;

export class BatchRetries {
  /** Batches that go out again, before anything new. */
  #returned: QueuedBatch[] = [];
  /** Batches given up whose events are not accounted for yet. */
  readonly #lost = new Set<QueuedBatch>();
  /** Workers that ended over a batch, by its id. */
  readonly #attempts = new Map<number, number>();

  get eventCount(): number {
    let count = 0;
    for (const batch of this.#returned) count += batch.count;
    for (const batch of this.#lost) count += batch.count;
    return count;
  }

  get hasReturned(): boolean {
    return this.#returned.length > 0;
  }

  /** A batch that no worker could take: it goes out first of those to come. */
  giveBack(batch: QueuedBatch): void {
    this.#returned.push(batch);
  }

  next(): QueuedBatch | undefined {
    return this.#returned.shift();
  }

  /** The worker that had `batch` ended. Answers how many have ended over it, when it is to be given up; null otherwise. */
  returned(batch: QueuedBatch, isBlamed: boolean): number | null {
    assert(!this.#lost.has(batch), `batch ${batch.id} comes back although it was given up`);
    const attempts = (this.#attempts.get(batch.id) ?? 0) + (isBlamed ? 1 : 0);
    if (attempts >= BATCH_ATTEMPTS_MAX) {
      this.#attempts.delete(batch.id);
      this.#lost.add(batch);
      return attempts;
    }
    this.#attempts.set(batch.id, attempts);
    this.#returned.push(batch);
    return null;
  }

  /** The events of a batch that was given up are accounted for. */
  settled(batch: QueuedBatch): void {
    assert(this.#lost.delete(batch), `batch ${batch.id} was not given up`);
  }

  done(batch: QueuedBatch): void {
    this.#attempts.delete(batch.id);
  }

  /** Forgets what would go out again, and answers it: it is not finished. */
  drop(): readonly QueuedBatch[] {
    const returned = this.#returned;
    this.#returned = [];
    return returned;
  }
}
