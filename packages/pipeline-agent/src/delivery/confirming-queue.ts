/**
 * A queue that knows up to which event everything is done with: delivered by the outputs, dropped, dead-lettered or given up.
 * Inputs wait for that before they tell their sources, where the pipeline says `delivery.acknowledge: outputs`.
 *
 * Events leave a queue in the order in which they came, so that their number is all there is to remember: what was accepted
 * as the n-th is done with when all batches up to the n-th event are acknowledged. A batch is acknowledged behind its outputs,
 * and what filters made of its events went through with it.
 */
import type { LineBlock, LogEvent } from '@shoal/agent-event';
import type { EventChunk, EventQueue, QueuedBatch, QueueSizes } from '@shoal/agent-queue';
import { assert, ShoalError } from '@shoal/core';

interface OpenBatch {
  readonly id: number;
  /** Number of the last event of it, counted over all that was ever taken. */
  readonly end: number;
  isDone: boolean;
}

interface Waiter {
  readonly end: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class ConfirmingQueue implements EventQueue {
  readonly carriedOverCount: number;
  readonly #queue: EventQueue;
  /** In the order in which they were taken; those at the front are not done. */
  readonly #open: OpenBatch[] = [];
  #takenCount = 0;
  #doneCount = 0;
  /** By growing number: each asks for all that came before it. */
  #waiting: Waiter[] = [];
  #isGivenUp = false;

  constructor(queue: EventQueue) {
    this.#queue = queue;
    this.carriedOverCount = queue.carriedOverCount;
  }

  /** Resolves when everything accepted so far is done with; rejects when the pipeline does not wait for that any more. */
  confirmed(): Promise<void> {
    const end = this.carriedOverCount + this.sizes().acceptedCount;
    if (end <= this.#settledCount) return Promise.resolve();
    if (this.#isGivenUp) return Promise.reject(unconfirmed());
    return new Promise((resolve, reject) => void this.#waiting.push({ end, resolve, reject }));
  }

  /** Nobody waits for what is not done yet, now and later. */
  giveUpConfirming(): void {
    this.#isGivenUp = true;
    for (const { reject } of this.#waiting.splice(0)) reject(unconfirmed());
  }

  async take(countMax: number): Promise<QueuedBatch | null> {
    const batch = await this.#queue.take(countMax);
    if (batch === null) return null;
    this.#takenCount += batch.count;
    this.#open.push({ id: batch.id, end: this.#takenCount, isDone: false });
    return batch;
  }

  acknowledge(batch: QueuedBatch): void {
    this.#queue.acknowledge(batch);
    const open = this.#open.find(({ id }) => id === batch.id);
    assert(open !== undefined && !open.isDone, `batch ${batch.id} is acknowledged twice or was never taken`);
    open.isDone = true;
    while (this.#open[0]?.isDone === true) this.#doneCount = this.#open.shift()?.end ?? this.#doneCount;
    while (this.#waiting[0] !== undefined && this.#waiting[0].end <= this.#settledCount)
      this.#waiting.shift()?.resolve();
  }

  /** What damage of the queue has cost is not taken any more; nobody waits for it. */
  get #settledCount(): number {
    return this.#doneCount + this.#queue.sizes().lostUnreadCount;
  }

  push(events: readonly LogEvent[]): Promise<void> {
    return this.#queue.push(events);
  }

  pushLines(block: LineBlock): Promise<number> {
    return this.#queue.pushLines(block);
  }

  pushChunks(chunks: readonly EventChunk[]): Promise<void> {
    return this.#queue.pushChunks(chunks);
  }

  onReadable(handler: () => void): void {
    this.#queue.onReadable(handler);
  }

  onFailed(handler: (error: Error) => void): void {
    this.#queue.onFailed(handler);
  }

  sizes(): QueueSizes {
    return this.#queue.sizes();
  }

  refusePushes(): void {
    this.#queue.refusePushes();
  }

  async close(): Promise<void> {
    this.giveUpConfirming();
    await this.#queue.close();
  }
}

function unconfirmed(): ShoalError {
  return new ShoalError('illegal_state_exception', 503, 'the pipeline stops before its outputs have everything');
}
