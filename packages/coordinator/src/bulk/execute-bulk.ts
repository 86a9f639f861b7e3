/**
 * Writes of any number of documents: each goes to the primary of its shard, in requests of a bounded size, and has its own
 * outcome. A single write is a bulk of one.
 *
 * Documents of one shard keep their order; shards go their way at the same time.
 */

import { checkBlock, findIndexTemplate, isRetryableBlock, refusedAutoCreation } from '@shoal/cluster';
import type { ClusterState, StreamComponent } from '@shoal/cluster-state';
import { asShoalError, isAssertionFailure, isShoalError, type ShoalError } from '@shoal/core';
import { BULK_SHARD, type BulkShardResponse, type RefreshPolicy } from '@shoal/protocol';
import { ItemSlices } from '@shoal/runtime';
import { writeActiveShards } from '@shoal/schema';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { askPrimary } from '../documents/primary-requests.ts';
import { resolveDateMathName } from '../indices/date-math-name.ts';
import { findWriteIndex } from '../indices/write-index.ts';
import { BulkItems, NO_EXTRAS } from './bulk-items.ts';
import { type AnsweringShard, BulkOutcomes } from './bulk-outcomes.ts';
import { BulkPlanner } from './bulk-planner.ts';
import { FailureRedirects, type RedirectedItem } from './failure-redirects.ts';
import { type IngestedItems, ingestItems } from './ingest-items.ts';
import { rollOverBeforeWrite } from './lazy-rollover.ts';
import { PieceUse } from './piece-use.ts';
import type { ShardGroup } from './shard-group.ts';

export interface BulkOptions {
  readonly refresh: RefreshPolicy;
  /** How long each shard request waits for an active primary. */
  readonly timeoutMs: number;
  /**
   * Copies of each shard that must be active before it is written to; no promise about how many get it. null: as many as
   * the settings of its index say.
   */
  readonly waitForActiveShards: number | 'all' | null;
}

/** A shard request that is not answered by then is lost, whatever became of it. */
const SHARD_REQUEST_TIMEOUT_MS = 120_000;
const CLUSTER_BLOCK = 'cluster_block_exception';
const NOTHING_SETTLED: IngestedItems['settled'] = new Map();
const CREATE_INDEX_TIMEOUT_MS = 30_000;
const CREATION_TIMEOUTS = { masterTimeoutMs: CREATE_INDEX_TIMEOUT_MS, timeoutMs: CREATE_INDEX_TIMEOUT_MS } as const;

export const DEFAULT_WRITE_TIMEOUT_MS = 60_000;

/** One outcome an item. Rejects only when the cluster as a whole refuses writes. */
export async function executeBulk(
  context: CoordinatorContext,
  requested: BulkItems,
  options: BulkOptions,
): Promise<BulkOutcomes> {
  await writesAllowed(context, options.timeoutMs);
  // One instant for all that the names of this request say: it may be the last moment of a day.
  const nowMs = context.runtime.clock.wallMs();
  const { items, settled, tookMs } = await ingestItems(context, requested, nowMs);
  const outcomes = new BulkOutcomes(items, tookMs);
  const redirects = new FailureRedirects(context, items, nowMs);
  await writeItems(context, outcomes, { nowMs, component: 'data', settled, redirects }, options);
  for (const [at, status] of redirects.statuses) outcomes.notKept(at, status, null);
  if (redirects.queued.length > 0) await keepFailures(context, outcomes, redirects.queued, { nowMs, options });
  return outcomes;
}

/** Writes documents that failed to the failure indices of their data streams; one that fails there too has failed for good. */
async function keepFailures(
  context: CoordinatorContext,
  outcomes: BulkOutcomes,
  queued: readonly RedirectedItem[],
  { nowMs, options }: { readonly nowMs: number; readonly options: BulkOptions },
): Promise<void> {
  const items = BulkItems.ofAll(
    queued.map(({ item }) => item),
    NO_EXTRAS,
  );
  const kept = new BulkOutcomes(items, null);
  const parts = { nowMs, component: 'failures', settled: NOTHING_SETTLED, redirects: null } as const;
  await writeItems(context, kept, parts, options);
  for (const [position, { at }] of queued.entries()) {
    const outcome = kept.at(position);
    if (outcome.kind === 'done') outcomes.keep(at, outcome);
    else outcomes.notKept(at, 'failed', outcome.error);
  }
}

interface WrittenParts {
  readonly nowMs: number;
  readonly component: StreamComponent;
  readonly settled: IngestedItems['settled'];
  /** null: what fails is not kept. */
  readonly redirects: FailureRedirects | null;
}

/** Writes the items of `outcomes` that are not settled. */
async function writeItems(
  context: CoordinatorContext,
  outcomes: BulkOutcomes,
  { nowMs, component, settled, redirects }: WrittenParts,
  options: BulkOptions,
): Promise<void> {
  const { items } = outcomes;
  const turns = new ItemSlices(context.runtime.sched);
  const notCreated = await prepareIndices(context, items, nowMs, component);
  const planner = new BulkPlanner(context, items, { notCreated, nowMs, component });
  const use = new PieceUse(items);
  for (let at = 0; at < items.length; at++) {
    const before = settled.get(at);
    const unplanned = before === undefined ? planner.plan(at) : null;
    if (before?.kind === 'dropped') outcomes.drop(at, before.index);
    else if (before !== undefined) {
      outcomes.fail(at, before.index, before.error);
      redirects?.offerIngested(at, before.error, before.origin);
    } else if (unplanned !== null) {
      outcomes.fail(at, unplanned.index, unplanned.error);
      // A block is met before a shard is asked, and keeps the document away all the same.
      if (unplanned.error.type === CLUSTER_BLOCK) redirects?.offer(at, unplanned.error);
    }
    if (before !== undefined || unplanned !== null) use.settle(at);
    const pause = turns.step();
    if (pause !== null) await pause;
  }
  const progress = { outcomes, use, redirects };
  await Promise.all(planner.groups().map((group) => writeShard(context, group, options, progress)));
}

/**
 * Waits while the node starts, and while its cluster elects a manager: those blocks end by themselves.
 *
 * @throws cluster_block_exception when the time is up, or at once for a block that somebody has to lift
 */
async function writesAllowed({ cluster }: CoordinatorContext, timeoutMs: number): Promise<void> {
  const isSettled = (state: ClusterState): boolean => {
    const refusing = state.blocks.global.filter((block) => block.levels.includes('write'));
    return refusing.length === 0 || !refusing.every(isRetryableBlock);
  };
  if (!isSettled(cluster.state())) await cluster.waitForState(isSettled, timeoutMs);
  checkBlock(cluster.state(), 'write', []);
}

/** Creates what `action.auto_create_index` allows, and rolls over what waited for a write. @returns why a name has no index to write to */
async function prepareIndices(
  context: CoordinatorContext,
  items: BulkItems,
  nowMs: number,
  component: StreamComponent,
): Promise<ReadonlyMap<string, ShoalError>> {
  const failures = new Map<string, ShoalError>();
  const { metadata } = context.cluster.state();
  const allowed = context.cluster.settings()['action.auto_create_index'] ?? 'true';
  const wanted = items.targets.filter((target) => target.createsDataStream && isMissing(context, target.name, nowMs));
  await Promise.all(
    wanted.map(async ({ name, createsIndex }) => {
      const index = resolveDateMathName(name, nowMs);
      const template = findIndexTemplate(metadata.templates, index, false);
      const makesStream = (template?.dataStream ?? null) !== null;
      if (!makesStream && !createsIndex) return;
      const create = makesStream ? createDataStream : createNewIndex;
      const error = refusedAutoCreation(allowed, index, template) ?? (await create(context, index));
      if (error !== null) failures.set(name, error);
    }),
  );
  await Promise.all(
    items.targets.map(async ({ name }) => {
      const target = { name: resolveDateMathName(name, nowMs), component };
      const error = await rollOverBeforeWrite(context, target, nowMs, CREATE_INDEX_TIMEOUT_MS);
      if (error !== null) failures.set(name, error);
    }),
  );
  return failures;
}

/** Names with other faults are left to the planner, which says what is wrong item by item. */
function isMissing(context: CoordinatorContext, name: string, nowMs: number): boolean {
  try {
    return findWriteIndex(context.cluster.state(), name, nowMs) === null;
  } catch (error) {
    if (isShoalError(error)) return false;
    throw error;
  }
}

function createNewIndex(context: CoordinatorContext, index: string): Promise<ShoalError | null> {
  const body = { index, settings: {}, mappings: {}, aliases: {}, waitForActiveShards: 1 };
  return created(context, index, context.cluster.admin.createIndex({ ...body, ...CREATION_TIMEOUTS }));
}

function createDataStream(context: CoordinatorContext, name: string): Promise<ShoalError | null> {
  return created(context, name, context.cluster.admin.createDataStream({ name, ...CREATION_TIMEOUTS }));
}

/** Waits until this node knows the name; somebody else may have created it. @returns why it was not created */
async function created(
  context: CoordinatorContext,
  name: string,
  creation: Promise<unknown>,
): Promise<ShoalError | null> {
  try {
    await creation;
  } catch (error) {
    if (!isShoalError(error)) throw error;
    if (error.type !== 'resource_already_exists_exception') return error;
  }
  // The manager applied it; this node may be a moment behind.
  await context.cluster.waitForState((state) => findWriteIndex(state, name, 0) !== null, CREATE_INDEX_TIMEOUT_MS);
  return null;
}

/** What a bulk has come to, and what is still held of it. */
interface BulkProgress {
  readonly outcomes: BulkOutcomes;
  readonly use: PieceUse;
  /** null: what fails is not kept. */
  readonly redirects: FailureRedirects | null;
}

/** Sends the group in order, batch after batch, so that a later write of an id never overtakes an earlier one. */
async function writeShard(
  context: CoordinatorContext,
  group: ShardGroup,
  options: BulkOptions,
  { outcomes, use, redirects }: BulkProgress,
): Promise<void> {
  const batches = group.batches();
  const turns = new ItemSlices(context.runtime.sched);
  const { index } = group.shard;
  const shard: AnsweringShard = { index, forcedRefresh: false };
  for (const [number, batch] of batches.entries()) {
    // One refresh at the end makes all of them visible.
    const refresh = number === batches.length - 1 ? options.refresh : 'none';
    try {
      const { results, shards, forcedRefresh } = await sendBatch(context, group, batch, { ...options, refresh });
      outcomes.answer(batch, { shard, shards, results });
      shard.forcedRefresh = forcedRefresh;
      for (const [row, error] of results.errors) {
        redirects?.offer(batch[row] as number, error);
        const pause = turns.step();
        if (pause !== null) await pause;
      }
      // The body of an update whose document comes back may say what to show of it.
      for (let row = 0; row < batch.length; row++) if (!results.sources.has(row)) use.settle(batch[row] as number);
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      const reason = asShoalError(error);
      for (const at of batch) {
        outcomes.fail(at, index, reason);
        redirects?.offer(at, reason);
        use.settle(at);
        const pause = turns.step();
        if (pause !== null) await pause;
      }
    }
  }
}

function sendBatch(
  context: CoordinatorContext,
  group: ShardGroup,
  batch: Uint32Array,
  options: BulkOptions,
): Promise<BulkShardResponse> {
  const { shard } = group;
  const description = `BulkShardRequest [[${shard.index}][${shard.number}]] containing [${batch.length}] requests`;
  const { timeoutMs, refresh } = options;
  const waitForActiveShards = options.waitForActiveShards ?? activeShardsOf(context, shard.index);
  const token = context.requestTokens.next();
  const asked = { shard, timeoutMs, level: 'write', waitForActiveShards, description } as const;
  return askPrimary(context, asked, (copy, isRetry) => {
    const { target, primaryTerm, activeCopiesMin } = copy;
    const operations = group.pack(batch, token, isRetry);
    const request = { target, primaryTerm, activeCopiesMin, refresh, operations };
    return context.cluster.send(copy.nodeId, BULK_SHARD, request, {
      channel: 'bulk',
      timeoutMs: SHARD_REQUEST_TIMEOUT_MS,
    });
  });
}

/** What the index wants of a write that does not say. */
function activeShardsOf(context: CoordinatorContext, index: string): number | 'all' {
  return writeActiveShards(context.cluster.state().metadata.indices.get(index)?.settings ?? {});
}
