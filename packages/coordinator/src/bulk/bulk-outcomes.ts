/**
 * What became of the items of a bulk: for most, a row of the answer that a shard gave; for the few that no shard answered,
 * an error of their own.
 */
import { assert, ShoalError, withSuppressed } from '@shoal/core';
import type { BulkShardResponse } from '@shoal/protocol';
import { filterSourceBytes, type PackedResults, type ResultColumns, type WriteResult } from '@shoal/shard-api';
import { sourceChoiceOfUpdate } from '../documents/source-choice.ts';
import { BULK_ACTIONS, type BulkAction, type BulkItems } from './bulk-items.ts';
import type { FailureStoreStatus } from './failure-redirects.ts';

interface ItemIdentity {
  readonly action: BulkAction;
  /** The concrete index; the name as given when there is none. */
  readonly index: string;
  readonly id: string | null;
  /** What the failure store of a data stream had to do with it; null: nothing. */
  readonly failureStore: FailureStoreStatus | null;
}

export type BulkItemOutcome =
  | (ItemIdentity & {
      readonly kind: 'done';
      readonly id: string;
      readonly done: Extract<WriteResult, { kind: 'done' }>;
      readonly shards: BulkShardResponse['shards'];
      readonly forcedRefresh: boolean;
    })
  | (ItemIdentity & { readonly kind: 'failed'; readonly error: ShoalError });

/** What all items of one shard have in common. */
export interface AnsweringShard {
  /** The concrete index. */
  readonly index: string;
  forcedRefresh: boolean;
}

/** The answer to one shard request. */
export interface AnsweredBatch {
  readonly shard: AnsweringShard;
  readonly shards: BulkShardResponse['shards'];
  readonly results: PackedResults;
  readonly columns: ResultColumns;
}

interface FailedItem {
  readonly index: string;
  readonly id: string | null;
  readonly error: ShoalError;
}

/** Counts in `_shards` for an update that changed nothing: no copy was asked. */
const NO_COPIES: BulkShardResponse['shards'] = { total: 0, successful: 0, failed: 0 };
/** Versions that stand for what a write asked for, shown for a document that was dropped. */
const ANY_VERSION = -3;
const DELETED_VERSION = -4;
/** Sequence number of what was not written. */
const NO_SEQ_NO = -2;
/** Shown for a dropped document that came without an id: none was made. */
const GENERATED_ID = 'auto-generated';
/** Number of the batch of an item that is in none. */
const NO_BATCH = 0;

export class BulkOutcomes {
  readonly items: BulkItems;
  readonly #batches: AnsweredBatch[] = [];
  /** By item: the number of its batch, from 1, and the row in it. */
  readonly #batchOf: Uint32Array;
  readonly #rowOf: Uint32Array;
  readonly #failures = new Map<number, FailedItem>();
  /** Index of each item that a pipeline dropped. */
  readonly #dropped = new Map<number, string>();
  /** Items of which a failure index keeps what there was. */
  readonly #kept = new Map<number, Extract<BulkItemOutcome, { kind: 'done' }>>();
  readonly #statuses = new Map<number, FailureStoreStatus>();
  #errorCount = 0;

  /** Duration of the pipelines; null when no document went through one. */
  readonly ingestTookMs: number | null;

  constructor(items: BulkItems, ingestTookMs: number | null) {
    this.items = items;
    this.ingestTookMs = ingestTookMs;
    this.#batchOf = new Uint32Array(items.length);
    this.#rowOf = new Uint32Array(items.length);
  }

  get length(): number {
    return this.items.length;
  }

  get hasErrors(): boolean {
    return this.#errorCount > 0;
  }

  /** An item that no shard answered. */
  fail(at: number, index: string, error: ShoalError): void {
    this.#errorCount++;
    this.#failures.set(at, { index, id: this.items.ownId(at), error });
  }

  /** An item that a pipeline dropped: nothing was to be written, and that is no failure. */
  drop(at: number, index: string): void {
    this.#dropped.set(at, index);
  }

  /** The items at these positions were answered, in this order. */
  answer(positions: Uint32Array, batch: Omit<AnsweredBatch, 'columns'>): void {
    this.#batches.push({ ...batch, columns: batch.results.columns() });
    const number = this.#batches.length;
    const answered = Math.min(positions.length, batch.results.length);
    for (let row = 0; row < answered; row++) {
      const at = positions[row] as number;
      this.#batchOf[at] = number;
      this.#rowOf[at] = row;
    }
    this.#errorCount += batch.results.errors.size;
    for (const at of positions.subarray(answered)) this.fail(at, this.items.indexName(at), lost());
  }

  /** The item failed, and a failure index keeps it. @param kept what became of the write to that index */
  keep(at: number, kept: Extract<BulkItemOutcome, { kind: 'done' }>): void {
    this.#errorCount--;
    this.#kept.set(at, kept);
    this.#batchOf[at] = NO_BATCH;
  }

  /** Says why no failure index keeps the item, which failed. @param why what came in the way; null: nothing was tried */
  notKept(at: number, status: FailureStoreStatus, why: ShoalError | null): void {
    this.#statuses.set(at, status);
    if (why === null) return;
    const outcome = this.at(at);
    assert(outcome.kind === 'failed', `item ${at} did not fail and was not kept`);
    const { index, id, error } = outcome;
    this.#failures.set(at, { index, id, error: withSuppressed(error, [why]) });
    this.#batchOf[at] = NO_BATCH;
  }

  /** null for an item that failed before a shard answered. */
  batch(at: number): AnsweredBatch | null {
    const number = this.#batchOf[at] as number;
    return number === NO_BATCH ? null : (this.#batches[number - 1] ?? null);
  }

  row(at: number): number {
    return this.#rowOf[at] as number;
  }

  at(at: number): BulkItemOutcome {
    const { items } = this;
    const kept = this.#kept.get(at);
    if (kept !== undefined) return { ...kept, failureStore: 'used' };
    const action = BULK_ACTIONS[items.action(at)] ?? 'index';
    const failureStore = this.#statuses.get(at) ?? null;
    const droppedFrom = this.#dropped.get(at);
    if (droppedFrom !== undefined) return this.#droppedItem(at, action, droppedFrom);
    const batch = this.batch(at);
    const result = batch?.results.at(this.row(at));
    if (batch === null || result === undefined) {
      const failed = this.#failures.get(at) ?? { index: items.indexName(at), id: items.ownId(at), error: lost() };
      return { kind: 'failed', action, ...failed, failureStore };
    }
    const { index, forcedRefresh } = batch.shard;
    const id = items.id(at) ?? '';
    if (result.kind === 'failed') return { kind: 'failed', action, index, id, error: result.error, failureStore };
    const isNoop = result.result === 'noop';
    return {
      kind: 'done',
      action,
      index,
      id,
      done: { ...result, source: this.#wantedSource(at, result.source) },
      shards: isNoop ? NO_COPIES : batch.shards,
      forcedRefresh: forcedRefresh && !isNoop,
      failureStore,
    };
  }

  #droppedItem(at: number, action: BulkAction, index: string): BulkItemOutcome {
    const version = action === 'create' ? DELETED_VERSION : ANY_VERSION;
    const done = { kind: 'done', result: 'noop', version, seqNo: NO_SEQ_NO, primaryTerm: 0, source: null } as const;
    const id = this.items.ownId(at) ?? GENERATED_ID;
    return { kind: 'done', action, index, id, done, shards: NO_COPIES, forcedRefresh: false, failureStore: null };
  }

  /** The part of an updated document that was asked for; null without one. */
  #wantedSource(at: number, source: Uint8Array | null): Uint8Array | null {
    if (source === null || BULK_ACTIONS[this.items.action(at)] !== 'update') return null;
    const { sourceFilter } = this.items.extras(at);
    // What the body says was said by the client: the body that was sent asks for the whole document.
    const filter = sourceFilter ?? sourceChoiceOfUpdate(this.items.source(at));
    return filter.enabled ? filterSourceBytes(source, filter) : null;
  }
}

function lost(): ShoalError {
  return new ShoalError('exception', 500, 'the shard answered with fewer results than it was asked for');
}
