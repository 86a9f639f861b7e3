/**
 * Position of a scroll on this shard: the entries found so far, and how many of them pages have shown.
 *
 * More entries are found at once than a page shows, so that a walk over the whole index asks the index for few batches and
 * not for every page.
 */

import { assert } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { type QueryShardRequest, type SortColumn, sliceColumns } from '@shoal/shard-api';
import type { AfterEntry } from '../../collect/walk/after-entry.ts';
import type { ShardQueryOutcome } from '../../phases/context/shard-search-context.ts';

const PAGES_AT_ONCE = 10;

/** Entries found at once, unless a page alone has more. */
const BATCH_MAX = 10_000;

export class ScrollCursor {
  readonly request: QueryShardRequest;
  private batch: ShardQueryOutcome;
  /** First batch, whose total and aggregations later pages repeat without counting again. */
  private readonly first: ShardQueryOutcome;
  private shown = 0;
  private isLastBatch: boolean;

  /** @param batch what `batchRequest` of the request found */
  constructor(request: QueryShardRequest, batch: ShardQueryOutcome) {
    this.request = request;
    this.batch = batch;
    this.first = batch;
    this.isLastBatch = batch.ords.length < ScrollCursor.batchSize(request);
  }

  private static batchSize({ topN }: QueryShardRequest): number {
    return Math.max(topN, Math.min(topN * PAGES_AT_ONCE, BATCH_MAX));
  }

  /** What to ask the index for. */
  static batchRequest(request: QueryShardRequest): QueryShardRequest {
    return { ...request, topN: ScrollCursor.batchSize(request) };
  }

  get needsBatch(): boolean {
    return !this.isLastBatch && this.batch.ords.length - this.shown < this.request.topN;
  }

  /** The last entry that was shown; null before any. */
  get after(): AfterEntry | null {
    const { batch, shown } = this;
    if (shown === 0) return null;
    return { values: batch.columns.map((column) => valueAt(column, shown - 1)), ord: batch.ords[shown - 1] ?? 0 };
  }

  /** Entries behind `after`. */
  useBatch(batch: ShardQueryOutcome): void {
    assert(!this.isLastBatch, `a batch of ${batch.ords.length} entries behind the last one`);
    this.batch = batch;
    this.shown = 0;
    this.isLastBatch = batch.ords.length < ScrollCursor.batchSize(this.request);
  }

  /** The next entries, at most a page; they stay the next until they are consumed. */
  page(): ShardQueryOutcome {
    const { batch, first, shown } = this;
    const to = Math.min(batch.ords.length, shown + this.request.topN);
    return {
      total: first.total,
      maxScore: first.maxScore,
      columns: sliceColumns(batch.columns, shown, to),
      scores: batch.scores?.subarray(shown, to) ?? null,
      ords: batch.ords.subarray(shown, to),
      // Aggregations are returned once, with the first page.
      aggregations: batch === first && shown === 0 ? first.aggregations : null,
      groups: null,
      profile: batch === first && shown === 0 ? first.profile : null,
      timedOut: batch.timedOut,
      terminatedEarly: first.terminatedEarly,
      isSkipped: false,
    };
  }

  consume(count: number): void {
    assert(count >= 0 && count <= this.request.topN, `${count} entries of a page of ${this.request.topN} were shown`);
    this.shown = Math.min(this.batch.ords.length, this.shown + count);
  }
}

function valueAt(column: SortColumn, at: number): QueryValue {
  if (column.kind !== 'string') return column.values[at] ?? 0;
  if (column.missing[at] === 1) return null;
  const { offsets, bytes } = column;
  return Buffer.from(bytes.subarray(offsets[at] ?? 0, offsets[at + 1] ?? 0)).toString('utf8');
}
