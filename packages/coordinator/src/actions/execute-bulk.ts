/**
 * Writes of any number of documents: each goes to the primary of its shard, in requests of a bounded size, and has its own
 * outcome. A single write is a bulk of one.
 *
 * Documents of one shard keep their order; shards go their way at the same time.
 */

import { checkBlock } from '@shoal/cluster';
import { asShoalError, isAssertionFailure, isShoalError, ShoalError } from '@shoal/core';
import { BULK_SHARD, type BulkShardResponse, type RefreshPolicy } from '@shoal/protocol';
import { filterSourceBytes, type ShardId, type WriteOperation, type WriteResult } from '@shoal/query';
import type { CoordinatorContext } from '../coordinator-context.ts';
import { BulkPlanner } from '../documents/bulk-planner.ts';
import type { BulkAction, BulkItem } from '../documents/parse-bulk.ts';
import { askPrimary } from '../documents/primary-requests.ts';
import { sourceChoiceOfUpdate } from '../documents/source-choice.ts';
import { findWriteIndex } from '../indices/write-index.ts';
import { WorkTurns } from './work-turns.ts';

export interface BulkOptions {
  readonly refresh: RefreshPolicy;
  /** How long each shard request waits for an active primary. */
  readonly timeoutMs: number;
  /** Copies of each shard that must be active before it is written to; no promise about how many get it. */
  readonly waitForActiveShards: number | 'all';
}

interface ItemIdentity {
  readonly action: BulkAction;
  /** The concrete index; the name as given when there is none. */
  readonly index: string;
  readonly id: string | null;
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

/** Sources of one shard request together. */
const SHARD_REQUEST_BYTES_MAX = 8 * 1024 * 1024;
/** More would keep the main thread, which makes the request, and the shard's worker from everything else for too long. */
const SHARD_REQUEST_ITEMS_MAX = 2_000;
/** A shard request that is not answered by then is lost, whatever became of it. */
const SHARD_REQUEST_TIMEOUT_MS = 120_000;
const CREATE_INDEX_TIMEOUT_MS = 30_000;
/** Of `_shards` for an update that changed nothing: no copy was asked. */
const NO_COPIES: BulkShardResponse['shards'] = { total: 0, successful: 0, failed: 0 };

export const DEFAULT_WRITE_TIMEOUT_MS = 60_000;

/** One outcome an item, in order. Rejects only when the cluster as a whole refuses writes. */
export async function executeBulk(
  context: CoordinatorContext,
  items: readonly BulkItem[],
  options: BulkOptions,
): Promise<readonly BulkItemOutcome[]> {
  checkBlock(context.cluster.state(), 'write', []);
  const turns = new WorkTurns(context.runtime.sched);
  const notCreated = await createMissingIndices(context, items, turns);
  const outcomes = new Array<BulkItemOutcome | undefined>(items.length);
  const groups = new Map<string, ShardGroup>();
  const planner = new BulkPlanner(context, notCreated);
  for (const [at, item] of items.entries()) {
    const planned = planner.plan(item);
    if (planned.kind === 'failed') outcomes[at] = failedItem(item, planned.index, planned.error);
    else groupOf(groups, planned.shard).entries.push({ at, item, operation: planned.operation });
    const pause = turns.step();
    if (pause !== null) await pause;
  }
  await Promise.all([...groups.values()].map((group) => writeShard(context, group, options, outcomes)));
  return outcomes.map((outcome, at) => outcome ?? lostItem(items[at]));
}

function lostItem(item: BulkItem | undefined): BulkItemOutcome {
  const error = new ShoalError('exception', 500, 'the shard answered with fewer results than it was asked for');
  return { kind: 'failed', action: item?.action ?? 'index', index: item?.index ?? '', id: item?.id ?? null, error };
}

function failedItem(item: BulkItem, index: string, error: ShoalError): BulkItemOutcome {
  return { kind: 'failed', action: item.action, index, id: item.id, error };
}

/** Creates what `action.auto_create_index` allows. @returns why an index of that name could not be created */
async function createMissingIndices(
  context: CoordinatorContext,
  items: readonly BulkItem[],
  turns: WorkTurns,
): Promise<ReadonlyMap<string, ShoalError>> {
  const failures = new Map<string, ShoalError>();
  if (!context.settings.autoCreateIndex) return failures;
  const missing = new Set<string>();
  const seen = new Set<string>();
  for (const item of items) {
    const pause = turns.step();
    if (pause !== null) await pause;
    if (seen.has(item.index) || item.action === 'delete' || item.requireAlias) continue;
    seen.add(item.index);
    if (isMissing(context, item.index)) missing.add(item.index);
  }
  await Promise.all(
    [...missing].map(async (index) => {
      const error = await createIndex(context, index);
      if (error !== null) failures.set(index, error);
    }),
  );
  return failures;
}

/** Names with other faults are left to the planner, which says what is wrong item by item. */
function isMissing(context: CoordinatorContext, name: string): boolean {
  try {
    return findWriteIndex(context.cluster.state(), name, context.runtime.clock.wallMs()) === null;
  } catch (error) {
    if (isShoalError(error)) return false;
    throw error;
  }
}

async function createIndex(context: CoordinatorContext, index: string): Promise<ShoalError | null> {
  try {
    await context.cluster.admin.createIndex({
      index,
      settings: {},
      mappings: {},
      aliases: {},
      waitForActiveShards: 1,
      masterTimeoutMs: CREATE_INDEX_TIMEOUT_MS,
      timeoutMs: CREATE_INDEX_TIMEOUT_MS,
    });
  } catch (error) {
    if (!isShoalError(error)) throw error;
    if (error.type !== 'resource_already_exists_exception') return error;
  }
  // The manager applied it; this node may be a moment behind.
  await context.cluster.waitForState((state) => findWriteIndex(state, index, 0) !== null, CREATE_INDEX_TIMEOUT_MS);
  return null;
}

interface GroupEntry {
  /** Position in the request. */
  readonly at: number;
  readonly item: BulkItem;
  readonly operation: WriteOperation;
}

interface ShardGroup {
  readonly shard: ShardId;
  readonly entries: GroupEntry[];
}

function groupOf(groups: Map<string, ShardGroup>, shard: ShardId): ShardGroup {
  const key = `${shard.number}/${shard.indexUuid}`;
  const group = groups.get(key) ?? { shard, entries: [] };
  groups.set(key, group);
  return group;
}

/** Sends the group in order, batch after batch, so that a later write of an id never overtakes an earlier one. */
async function writeShard(
  context: CoordinatorContext,
  group: ShardGroup,
  options: BulkOptions,
  outcomes: (BulkItemOutcome | undefined)[],
): Promise<void> {
  const batches = batchesOf(group.entries);
  let refreshed = false;
  for (const [number, batch] of batches.entries()) {
    // One refresh at the end makes all of them visible.
    const refresh = number === batches.length - 1 ? options.refresh : 'none';
    try {
      const response = await sendBatch(context, group.shard, batch, { ...options, refresh });
      for (const [i, entry] of batch.entries()) {
        outcomes[entry.at] = outcomeOf(group.shard.index, entry, response, response.results[i]);
      }
      refreshed = response.forcedRefresh;
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      const reason = asShoalError(error);
      for (const entry of batch) outcomes[entry.at] = failedItem(entry.item, group.shard.index, reason);
    }
  }
  if (refreshed && batches.length > 1) markRefreshed(group.entries, outcomes);
}

function markRefreshed(entries: readonly GroupEntry[], outcomes: (BulkItemOutcome | undefined)[]): void {
  for (const { at } of entries) {
    const outcome = outcomes[at];
    if (outcome?.kind === 'done' && outcome.done.result !== 'noop') outcomes[at] = { ...outcome, forcedRefresh: true };
  }
}

function batchesOf(entries: readonly GroupEntry[]): readonly (readonly GroupEntry[])[] {
  const batches: GroupEntry[][] = [];
  let batch: GroupEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.item.source?.length ?? 0;
    const isFull = bytes + size > SHARD_REQUEST_BYTES_MAX || batch.length >= SHARD_REQUEST_ITEMS_MAX;
    if (isFull && batch.length > 0) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

function sendBatch(
  context: CoordinatorContext,
  shard: ShardId,
  batch: readonly GroupEntry[],
  options: BulkOptions,
): Promise<BulkShardResponse> {
  const description = `BulkShardRequest [[${shard.index}][${shard.number}]] containing [${batch.length}] requests`;
  const { timeoutMs, waitForActiveShards } = options;
  return askPrimary(context, { shard, timeoutMs, waitForActiveShards, description }, (copy, isRetry) =>
    context.cluster.send(
      copy.nodeId,
      BULK_SHARD,
      {
        target: copy.target,
        primaryTerm: copy.primaryTerm,
        refresh: options.refresh,
        operations: batch.map((entry) => (isRetry ? withLookUp(entry.operation) : entry.operation)),
      },
      { channel: 'bulk', timeoutMs: SHARD_REQUEST_TIMEOUT_MS },
    ),
  );
}

/** An id that was made here may be there already when the first attempt got through: the shard has to look. */
function withLookUp(operation: WriteOperation): WriteOperation {
  if (operation.kind !== 'index' || !operation.isAutoId) return operation;
  return { ...operation, opType: 'index', isAutoId: false };
}

function outcomeOf(
  index: string,
  entry: GroupEntry,
  response: BulkShardResponse,
  result: WriteResult | undefined,
): BulkItemOutcome | undefined {
  if (result === undefined) return undefined;
  const { id } = entry.operation;
  const { action } = entry.item;
  if (result.kind === 'failed') return { kind: 'failed', action, index, id, error: result.error };
  const isNoop = result.result === 'noop';
  return {
    kind: 'done',
    action,
    index,
    id,
    done: { ...result, source: wantedSource(entry, result.source) },
    shards: isNoop ? NO_COPIES : response.shards,
    forcedRefresh: response.forcedRefresh && !isNoop,
  };
}

/** The part of an updated document that was asked for; null without one. */
function wantedSource({ item, operation }: GroupEntry, source: Uint8Array | null): Uint8Array | null {
  if (source === null || operation.kind !== 'update') return null;
  const filter = item.sourceFilter ?? sourceChoiceOfUpdate(operation.body);
  return filter.enabled ? filterSourceBytes(source, filter) : null;
}
