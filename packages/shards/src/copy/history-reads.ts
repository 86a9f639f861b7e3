/**
 * Cursors over the history that recoveries and resyncs read, a batch whenever one is asked for.
 */
import { assert } from '@shoal/core';
import type { CopyEvent } from '@shoal/replication';
import type { HistoryOperation } from '@shoal/shard-api';

type Cursor = AsyncGenerator<readonly HistoryOperation[], void>;
type HistoryRead = Extract<CopyEvent<HistoryOperation>, { readonly kind: 'historyRead' }>;

export class HistoryReads {
  readonly #changes: (first: number, last: number) => Cursor;
  readonly #read: (event: HistoryRead) => void;
  readonly #failed: (error: unknown) => void;
  readonly #cursors = new Map<number, Cursor>();

  constructor(
    changes: (first: number, last: number) => Cursor,
    read: (event: HistoryRead) => void,
    failed: (error: unknown) => void,
  ) {
    this.#changes = changes;
    this.#read = read;
    this.#failed = failed;
  }

  begin(job: number, first: number, last: number): void {
    assert(!this.#cursors.has(job), `job ${job} reads twice`);
    if (first > last) {
      this.#read({ kind: 'historyRead', job, operations: [], isLast: true });
      return;
    }
    this.#cursors.set(job, this.#changes(first, last));
    this.more(job);
  }

  more(job: number): void {
    const cursor = this.#cursors.get(job);
    if (cursor === undefined) return;
    cursor.next().then(
      ({ value, done }) => {
        // Ended meanwhile: nobody wants it.
        if (this.#cursors.get(job) !== cursor) return;
        if (done === true) this.#cursors.delete(job);
        this.#read({ kind: 'historyRead', job, operations: value ?? [], isLast: done === true });
      },
      (error: unknown) => {
        if (this.#cursors.delete(job)) this.#failed(error);
      },
    );
  }

  end(job: number): void {
    const cursor = this.#cursors.get(job);
    if (cursor === undefined) return;
    this.#cursors.delete(job);
    // What it read is not wanted, nor why it could not be.
    cursor.return().catch(() => undefined);
  }

  close(): void {
    for (const job of [...this.#cursors.keys()]) this.end(job);
  }
}
