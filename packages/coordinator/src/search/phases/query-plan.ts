/**
 * What a search asks of its shards, and how long it waits for each.
 */
import { assert, type CancelFlag, type ShoalError } from '@shoal/core';
import type { NodeShardQuery, PackedShardQuery } from '@shoal/protocol';
import type { SendOptions } from '@shoal/transport';
import type { AliasFilters } from '../targets/alias-filters.ts';
import type { PerNodeLimit } from '../targets/per-node-limit.ts';
import type { SearchTarget } from '../targets/search-targets.ts';

/** Parts of a query that differ between the shards of a search. */
export type OwnQuery = Omit<NodeShardQuery, 'target'>;

export interface QueryPlan {
  readonly targets: readonly SearchTarget[];
  /** The same for all shards but for what each target says. */
  readonly query: Omit<PackedShardQuery, keyof OwnQuery>;
  readonly aliasFilters: AliasFilters;
  /** null: as long as it takes, up to the phase's own limit. */
  readonly timeoutMs: number | null;
  readonly limit: PerNodeLimit;
  readonly signal: CancelFlag | null;
  /** Refuses a target without asking it; null to ask. */
  readonly refuse: (target: SearchTarget) => ShoalError | null;
}

const PHASE_TIMEOUT_MS = 30 * 60_000;
/** What a shard may take beyond the timeout of the request, which it watches itself. */
const TIMEOUT_GRACE_MS = 1_000;
/** How much longer a node is waited for than its shards may take. */
const ANSWER_GRACE_MS = 1_000;

/** What one shard is asked beside the query of all. */
export function ownQuery({ query, aliasFilters }: QueryPlan, target: SearchTarget): OwnQuery {
  const { position, pinned, indexBoost } = target;
  assert(!query.isScroll || pinned === null, `a scroll is opened in the reader ${pinned?.contextId}`);
  return {
    aliasFilter: aliasFilters.packed(target),
    shardIndex: position,
    reader: pinned?.contextId ?? null,
    indexBoost,
  };
}

/** What one shard is asked. */
export function shardQuery(query: QueryPlan['query'], own: OwnQuery): PackedShardQuery {
  // One by one: a spread costs as much as all the rest of sending it.
  return {
    search: query.search,
    topN: query.topN,
    nowMs: query.nowMs,
    keepAliveMs: query.keepAliveMs,
    isScroll: query.isScroll,
    statistics: query.statistics,
    canSkip: query.canSkip,
    usesCache: query.usesCache,
    aliasFilter: own.aliasFilter,
    shardIndex: own.shardIndex,
    reader: own.reader,
    indexBoost: own.indexBoost,
  };
}

export function sendOptions({ timeoutMs, signal }: Pick<QueryPlan, 'timeoutMs' | 'signal'>): SendOptions {
  const waitMs = shardTimeoutMs(timeoutMs);
  return signal === null ? { channel: 'reg', timeoutMs: waitMs } : { channel: 'reg', timeoutMs: waitMs, signal };
}

/** Options of one message to several shards of a node, of which so many run at a time. */
export function batchOptions(
  plan: Pick<QueryPlan, 'timeoutMs' | 'signal'>,
  { shardCount, concurrency }: { readonly shardCount: number; readonly concurrency: number },
): SendOptions {
  const rounds = Math.ceil(shardCount / concurrency);
  return { ...sendOptions(plan), timeoutMs: shardTimeoutMs(plan.timeoutMs) * rounds + ANSWER_GRACE_MS };
}

/** How long the coordinator waits for one shard of a request with this `timeout`. */
export function shardTimeoutMs(timeoutMs: number | null): number {
  return timeoutMs === null || timeoutMs < 0
    ? PHASE_TIMEOUT_MS
    : Math.min(timeoutMs + TIMEOUT_GRACE_MS, PHASE_TIMEOUT_MS);
}
