/**
 * Rows between the client of a database, which calls back, and the plugin, which asks for batches: it holds the client while the
 * plugin is behind.
 */

import type { RowValue } from './row-values.ts';
import type { RowBatch } from './sql-connection.ts';

export interface RowSource {
  /** The client goes on giving rows. */
  release(): void;
  /** Nobody wants the rest. */
  abandon(): void;
}

export class RowFeed {
  columns: readonly string[] = [];
  private readonly source: RowSource;
  private rows: (readonly RowValue[])[] = [];
  private isReady = false;
  private isEnded = false;
  private error: unknown = null;
  private wake: () => void = () => undefined;

  constructor(source: RowSource) {
    this.source = source;
  }

  get length(): number {
    return this.rows.length;
  }

  add(row: readonly RowValue[]): void {
    this.rows.push(row);
  }

  /** The rows given so far are a batch; the client waits for `release`. */
  held(): void {
    this.isReady = true;
    this.wake();
  }

  ended(): void {
    this.isEnded = true;
    this.held();
  }

  failed(error: unknown): void {
    this.error ??= error ?? new Error('the statement failed');
    this.ended();
  }

  async *batches(): AsyncGenerator<RowBatch, void, undefined> {
    try {
      for (;;) {
        while (!this.isReady) await new Promise<void>((resolve) => (this.wake = resolve));
        const { rows } = this;
        const isLast = this.isEnded;
        this.rows = [];
        this.isReady = isLast;
        // The next batch comes while this one is worked on.
        if (!isLast) this.source.release();
        if (rows.length > 0) yield { columns: this.columns, rows };
        if (isLast) break;
      }
    } finally {
      if (!this.isEnded) this.source.abandon();
    }
    if (this.error !== null) throw this.error;
  }
}
