/**
 * The query phase over all shards of a search: one copy of each is asked, a bounded number at a time on each node, and
 * what each answered or why it did not is collected in the order of the targets.
 */
import { asShoalError, assert, type CancelFlag, isAssertionFailure, ShoalError } from '@shoal/core';
import {
  FREE_CONTEXT,
  type PackedShardQuery,
  QUERY_PHASE,
  type QueryPhaseResponse,
  RANK_QUERY,
  type RankQueryResponse,
  type ShardTarget,
} from '@shoal/protocol';
import type { RankAsk } from '@shoal/shard-api';
import type { SendOptions } from '@shoal/transport';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { activePrimary, isStaleRouting, noCopyAnswered, type PrimaryCopy } from '../../documents/primary-requests.ts';
import type { AliasFilters } from '../targets/alias-filters.ts';
import type { PerNodeLimit } from '../targets/per-node-limit.ts';
import type { PinnedContext, SearchTarget } from '../targets/search-targets.ts';

export interface QueryPlan {
  readonly targets: readonly SearchTarget[];
  /** The same for all shards but for what each target says. */
  readonly query: Omit<PackedShardQuery, 'aliasFilter' | 'shardIndex' | 'reader' | 'indexBoost'>;
  readonly aliasFilters: AliasFilters;
  /** null: as long as it takes, up to the phase's own limit. */
  readonly timeoutMs: number | null;
  readonly limit: PerNodeLimit;
  readonly signal: CancelFlag | null;
  /** Refuses a target without asking it; null to ask. */
  readonly refuse: (target: SearchTarget) => ShoalError | null;
}

/** Asked of the only shard of a search. */
export type FetchedPageRange = { readonly from: number; readonly size: number } | null;

export type ShardOutcome<Res = QueryPhaseResponse> =
  | { readonly kind: 'answered'; readonly copy: PrimaryCopy; readonly response: Res }
  | { readonly kind: 'failed'; readonly nodeId: string | null; readonly error: ShoalError }
  /** No copy was there. */
  | { readonly kind: 'missing' };

/** A shard that is asked twice because the routing was old is not asked for ever. */
const ATTEMPTS_MAX = 3;
/** How long a newer state is waited for when a node refuses by its own. */
const NEWER_STATE_WAIT_MS = 500;
const PHASE_TIMEOUT_MS = 30 * 60_000;
/** What a shard may take beyond the timeout of the request, which it watches itself. */
const TIMEOUT_GRACE_MS = 1_000;
const FREE_CONTEXT_TIMEOUT_MS = 30_000;

/** One outcome a target, in their order. */
export function queryShards(
  context: CoordinatorContext,
  plan: QueryPlan & { readonly fetchPage: FetchedPageRange },
): Promise<readonly ShardOutcome[]> {
  const send: AskShard<QueryPhaseResponse> = (target, copy) => {
    const message = { target: copy.target, query: shardQuery(plan, target), fetchPage: plan.fetchPage };
    return context.cluster.send(copy.nodeId, QUERY_PHASE, message, sendOptions(plan));
  };
  return Promise.all(plan.targets.map((target) => askShard(context, plan, target, send)));
}

/**
 * The first round of a page far back. `asks`: by target; null where it was lost before and is not asked again.
 */
export function rankShards(
  context: CoordinatorContext,
  plan: QueryPlan,
  asks: readonly RankAsk[],
  fetchesPage: boolean,
): Promise<readonly ShardOutcome<RankQueryResponse>[]> {
  const send: AskShard<RankQueryResponse> = (target, copy) => {
    const ask = asks[target.position];
    assert(ask, `nothing to ask of target ${target.position}`);
    const message = { target: copy.target, query: shardQuery(plan, target), ask, fetchesPage };
    return context.cluster.send(copy.nodeId, RANK_QUERY, message, sendOptions(plan));
  };
  return Promise.all(plan.targets.map((target) => askShard(context, plan, target, send)));
}

type AskShard<Res> = (target: SearchTarget, copy: PrimaryCopy) => Promise<Res>;

/** What one shard is asked. */
export function shardQuery({ query, aliasFilters }: QueryPlan, target: SearchTarget): PackedShardQuery {
  const { position, pinned, indexBoost } = target;
  assert(!query.isScroll || pinned === null, `a scroll is opened in the reader ${pinned?.contextId}`);
  // One by one: a spread costs as much as all the rest of sending it.
  return {
    search: query.search,
    topN: query.topN,
    nowMs: query.nowMs,
    keepAliveMs: query.keepAliveMs,
    isScroll: query.isScroll,
    statistics: query.statistics,
    aliasFilter: aliasFilters.packed(target),
    shardIndex: position,
    reader: pinned?.contextId ?? null,
    indexBoost,
  };
}

export function sendOptions({ timeoutMs, signal }: Pick<QueryPlan, 'timeoutMs' | 'signal'>): SendOptions {
  const waitMs = shardTimeoutMs(timeoutMs);
  return signal === null ? { channel: 'reg', timeoutMs: waitMs } : { channel: 'reg', timeoutMs: waitMs, signal };
}

/** How long the coordinator waits for one shard of a request with this `timeout`. */
export function shardTimeoutMs(timeoutMs: number | null): number {
  return timeoutMs === null || timeoutMs < 0
    ? PHASE_TIMEOUT_MS
    : Math.min(timeoutMs + TIMEOUT_GRACE_MS, PHASE_TIMEOUT_MS);
}

/** Asks the copy of a shard that can answer, or the one that is pinned. */
export function askShard<Res>(
  context: CoordinatorContext,
  plan: QueryPlan,
  target: SearchTarget,
  send: AskShard<Res>,
): Promise<ShardOutcome<Res>> {
  const isAlone = plan.targets.length === 1;
  const asked = (copy: PrimaryCopy): Promise<Res> =>
    isAlone ? send(target, copy) : plan.limit.run(copy.nodeId, () => send(target, copy));
  const refusal = plan.refuse(target) ?? plan.aliasFilters.refusal(target);
  if (refusal !== null) return Promise.resolve({ kind: 'failed', nodeId: nodeOf(context, target), error: refusal });
  if (target.pinned !== null) return askPinned(context, target, target.pinned, asked);
  return askCopy(context, target, plan.signal, asked);
}

/** Asks the copy of a shard that can answer, again when the routing was old. */
export async function askCopy<Res>(
  context: CoordinatorContext,
  { shard }: Pick<SearchTarget, 'shard'>,
  signal: CancelFlag | null,
  asked: (copy: PrimaryCopy) => Promise<Res>,
): Promise<ShardOutcome<Res>> {
  for (let attempt = 1; ; attempt++) {
    const state = context.cluster.state();
    let copy: PrimaryCopy | null = null;
    try {
      copy = activePrimary(state, shard);
      if (copy === null) return { kind: 'missing' };
      return { kind: 'answered', copy, response: await asked(copy) };
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      const nodeId = copy?.nodeId ?? null;
      const reason = asShoalError(error);
      if (!isStaleRouting(error)) return { kind: 'failed', nodeId, error: reason };
      const failed: ShardOutcome<Res> = {
        kind: 'failed',
        nodeId,
        error: noCopyAnswered(`[${shard.index}][${shard.number}]`, reason),
      };
      if (attempt >= ATTEMPTS_MAX || signal?.cancelled === true) return failed;
      const newer = await context.cluster.waitForState((next) => next.version > state.version, NEWER_STATE_WAIT_MS);
      if (newer === null) return failed;
    }
  }
}

/** Only the copy that holds the reader can answer: another one has other documents under the same numbers. */
export async function askPinned<Res>(
  context: CoordinatorContext,
  target: SearchTarget,
  pinned: PinnedContext,
  asked: (copy: PrimaryCopy) => Promise<Res>,
): Promise<ShardOutcome<Res>> {
  try {
    const copy = pinnedCopy(context, target, pinned);
    return { kind: 'answered', copy, response: await asked(copy) };
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return { kind: 'failed', nodeId: pinned.nodeId, error: pinnedError(asShoalError(error), pinned) };
  }
}

/** The copy that a scroll or a point in time holds a reader of. */
export function pinnedCopy(
  context: CoordinatorContext,
  { shard }: Pick<SearchTarget, 'shard'>,
  pinned: PinnedContext,
): PrimaryCopy {
  const { index, indexUuid, number } = shard;
  const stateVersion = context.cluster.state().version;
  const target = { index, indexUuid, shard: number, allocationId: pinned.allocationId, stateVersion };
  return { nodeId: pinned.nodeId, target, primaryTerm: 0 };
}

/** With the copy its readers are gone: 404 says that they do not come back, whatever became of the shard. */
function pinnedError(error: ShoalError, { contextId }: PinnedContext): ShoalError {
  if (!isStaleRouting(error)) return error;
  return new ShoalError('search_context_missing_exception', 404, `No search context found for id [${contextId}]`, {
    causedBy: error,
  });
}

function nodeOf(context: CoordinatorContext, target: SearchTarget): string | null {
  const copies = context.cluster.state().routing.indices.get(target.shard.index)?.[target.shard.number];
  return copies?.find((copy) => copy.isPrimary)?.nodeId ?? null;
}

/**
 * Lets a shard forget a context that nothing will be fetched from. Nobody waits for it: a shard that does not hear of it
 * forgets by itself after the keep-alive.
 */
export function freeContext(context: CoordinatorContext, nodeId: string, target: ShardTarget, contextId: number): void {
  sendFreeContext(context, nodeId, target, contextId).catch((error: unknown) => {
    context.runtime.log.debug('a search context could not be freed', { contextId, error: String(error) });
  });
}

/** Whether there was one to be let go. */
export async function sendFreeContext(
  context: CoordinatorContext,
  nodeId: string,
  target: ShardTarget,
  contextId: number,
): Promise<boolean> {
  const options = { channel: 'reg', timeoutMs: FREE_CONTEXT_TIMEOUT_MS } as const;
  return (await context.cluster.send(nodeId, FREE_CONTEXT, { target, contextId }, options)).freed;
}
