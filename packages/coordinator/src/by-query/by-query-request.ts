/**
 * Documents by query as the coordinator executes them: where the documents come from, what is written of each, and at which
 * pace. Checked before it gets here.
 */
import type { CancelFlag } from '@shoal/core';
import type { Slice } from '@shoal/query';
import type { BulkItem } from '../bulk/bulk-items.ts';
import type { BulkOptions } from '../bulk/execute-bulk.ts';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import type { Pauses } from './pauses.ts';
import type { RetryCount, SourceHit, SourceHits } from './source-hits.ts';

export type ByQueryKind = 'delete' | 'update' | 'reindex';

export interface SourceRequest {
  /** Part of the documents; null: all. */
  readonly slice: Slice | null;
  /** Documents that are wanted at most; null: all. */
  readonly documentsMax: number | null;
  readonly signal: CancelFlag;
  readonly retries: RetryCount;
  /** Those of the work that asks for the pages. */
  readonly pauses: Pauses;
}

/** What becomes of one document. */
export type HitWrite = { readonly kind: 'noop' } | { readonly kind: 'write'; readonly item: BulkItem };

export interface ByQueryRequest {
  readonly kind: ByQueryKind;
  /** Name of the task, and of the tasks of its slices. */
  readonly action: string;
  readonly description: string;
  readonly open: (context: CoordinatorContext, source: SourceRequest) => SourceHits;
  /** @throws ShoalError that ends the whole request */
  readonly writeOf: (hit: SourceHit) => HitWrite;
  /** Documents written at most; null: all. */
  readonly documentsMax: number | null;
  /** Goes on where a document was changed since it was found. */
  readonly passesConflicts: boolean;
  /** Slices that work side by side; 1: none. */
  readonly slices: number;
  /** Part that the request itself names; null: all documents. */
  readonly ownSlice: Slice | null;
  /** Documents written a second; Infinity: no limit. */
  readonly requestsPerSecond: number;
  /** Makes what was written searchable at the end. */
  readonly refreshes: boolean;
  readonly bulk: Pick<BulkOptions, 'timeoutMs' | 'waitForActiveShards'>;
}
