/**
 * One request to the primary of a shard, wherever it is now: waits while there is none, and asks again when the cluster
 * state it was routed by turns out to be old.
 *
 * A write that was interrupted by a lost connection is asked again under the same name, by which the shard knows what it did
 * for it already.
 */
import { findBlock, findIndexBlock, isActive } from '@shoal/cluster';
import { type BlockLevel, type ClusterState, withoutTargets } from '@shoal/cluster-state';
import { asShoalError, indexNotFound, isShoalError, ShoalError } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { type ReadCopy, readCopy } from '../copies/copy-order.ts';
import { isStaleRouting } from './ask-copies.ts';

/** Where a request goes, as one cluster state has it. */
export interface PrimaryCopy extends ReadCopy {
  readonly primaryTerm: number;
}

/** Where a request goes that wants more than one copy. */
export interface AskedCopy extends PrimaryCopy {
  /** Copies that must be active when it arrives. */
  readonly activeCopiesMin: number;
}

export interface PrimaryRequest {
  readonly shard: ShardId;
  /** How long to wait for an active primary. */
  readonly timeoutMs: number;
  /**
   * Level at which a block refuses it: while there is no cluster manager it waits, one of the index ends it, also one that came while it
   * waited.
   */
  readonly level: BlockLevel;
  /** Copies that must be active before it is asked; the primary is one. */
  readonly waitForActiveShards: number | 'all';
  /** What the error says was asked, such as `BulkShardRequest [[i][0]] containing [3] requests`. */
  readonly description: string;
}

/** Waits between two attempts when no newer state comes; doubles up to the limit. */
const RETRY_WAIT_MS = 50;
const RETRY_WAIT_MS_MAX = 2_000;
const NOT_ACTIVE = 'primary shard is not active';

/**
 * Runs `send` against the primary, again and again until it is answered or the time is up. `isRetry` says that an earlier
 * attempt may have been executed.
 *
 * @throws unavailable_shards_exception or cluster_block_exception (503) when the time is up, index_not_found_exception when
 *         the index is gone, cluster_block_exception when the index refuses it, and whatever else `send` rejects with;
 *         unavailable_shards_exception too when the index refuses it and an earlier attempt may have been executed
 */
export async function askPrimary<Res>(
  context: CoordinatorContext,
  request: PrimaryRequest,
  send: (copy: AskedCopy, isRetry: boolean) => Promise<Res>,
): Promise<Res> {
  const { clock } = context.runtime;
  const deadlineMs = clock.monotonicMs() + request.timeoutMs;
  let waitMs = RETRY_WAIT_MS;
  let isRetry = false;
  for (;;) {
    const state = context.cluster.state();
    const primary = activePrimary(state, request.shard);
    const copy = primary === null ? null : { ...primary, activeCopiesMin: activeCopiesNeeded(state, request) };
    const lack = copy === null ? null : copiesLacking(state, request);
    const block = findBlock(state, request.level, []);
    const refusal = findIndexBlock(state, request.level, request.shard.index);
    if (refusal !== null) throw isRetry ? unavailable(request, NOT_ACTIVE, refusal) : refusal;
    const isReady = copy !== null && lack === null && block === null;
    if (isReady) {
      try {
        return await send(copy, isRetry);
      } catch (error) {
        if (isRetry && isBlock(error)) throw unavailable(request, NOT_ACTIVE, asShoalError(error));
        isRetry = true;
        if (!isStaleRouting(error)) throw error;
        // An earlier attempt may have been executed: that the last one found no shard says nothing of it.
        if (clock.monotonicMs() >= deadlineMs) throw unavailable(request, NOT_ACTIVE, asShoalError(error));
      }
    }
    const leftMs = deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) throw block ?? unavailable(request, lack ?? NOT_ACTIVE);
    // Without its copies only another state helps; after a refusal the same state may do, once its node has it too.
    await context.cluster.waitForState((next) => next !== state, isReady ? Math.min(waitMs, leftMs) : leftMs);
    waitMs = Math.min(waitMs * 2, RETRY_WAIT_MS_MAX);
  }
}

/** The primary's node saw a block that this one does not see yet, or no more. */
function isBlock(error: unknown): boolean {
  return isShoalError(error) && error.type === 'cluster_block_exception';
}

/** What a reader is told when no copy could be asked, `cause`: nothing is wrong with the request. */
export function noCopyAnswered(what: string, cause: ShoalError | null): ShoalError {
  const causedBy = cause === null ? {} : { causedBy: cause };
  return new ShoalError('no_shard_available_action_exception', 503, `No shard available for [${what}]`, causedBy);
}

/** null while no copy of the shard leads it. Throws 404 when the index is gone, or another one of its name. */
export function activePrimary(state: ClusterState, shard: ShardId): PrimaryCopy | null {
  const index = state.metadata.indices.get(shard.index);
  if (index === undefined || index.uuid !== shard.indexUuid) throw indexNotFound(shard.index);
  const copies = state.routing.indices.get(shard.index)?.[shard.number] ?? [];
  const primary = copies.find((copy) => copy.isPrimary);
  const copy = primary === undefined ? null : readCopy(state, shard, primary);
  return copy === null ? null : { ...copy, primaryTerm: index.primaryTerms[shard.number] ?? 0 };
}

/** What is missing to write, in words; null when enough copies are active. */
function copiesLacking(state: ClusterState, request: PrimaryRequest): string | null {
  const { index, number } = request.shard;
  const copies = state.routing.indices.get(index)?.[number] ?? [];
  const active = copies.filter(isActive).length;
  const wanted = request.waitForActiveShards;
  const needed = activeCopiesNeeded(state, request);
  if (active >= needed) return null;
  return `Not enough active copies to meet shard count of [${String(wanted).toUpperCase()}] (have ${active}, needed ${needed}).`;
}

function activeCopiesNeeded(state: ClusterState, { shard, waitForActiveShards }: PrimaryRequest): number {
  if (waitForActiveShards !== 'all') return waitForActiveShards;
  return withoutTargets(state.routing.indices.get(shard.index)?.[shard.number] ?? []).length;
}

function unavailable(request: PrimaryRequest, what: string, cause: ShoalError | null = null): ShoalError {
  const { index, number } = request.shard;
  return new ShoalError(
    'unavailable_shards_exception',
    503,
    `[${index}][${number}] ${what} Timeout: [${timeText(request.timeoutMs)}], request: [${request.description}]`,
    cause === null ? {} : { causedBy: cause },
  );
}

/** Text of a duration as Elasticsearch prints it: `1m`, `30s`, `1500ms`. */
function timeText(ms: number): string {
  if (ms > 0 && ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms > 0 && ms % 1_000 === 0 ? `${ms / 1_000}s` : `${Math.round(ms)}ms`;
}
