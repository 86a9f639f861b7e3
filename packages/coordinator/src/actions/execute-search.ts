/**
 * A search: resolve, query every shard for its best entries as columns, merge them, fetch the documents of the page from
 * their owners alone.
 *
 * A shard that fails or is not there is counted, never hidden. Contexts that nothing is fetched from are freed at once.
 */

import { checkBlock } from '@shoal/cluster';
import { circuitBreaking, illegalArgument, ShoalError } from '@shoal/core';
import {
  type FetchedHit,
  parseSearchRequest,
  type SearchRequest,
  type ShardQueryResult,
  type TotalHits,
} from '@shoal/query';
import { typedIndexSettings } from '@shoal/schema';
import type { CancelFlag } from '@shoal/transport';
import type { CoordinatorContext } from '../coordinator-context.ts';
import type { IndicesOptions } from '../indices/indices-options.ts';
import { resolveIndices } from '../indices/resolve-indices.ts';
import { fetchPage, type PageEntry } from '../search/fetch-page.ts';
import { type MergedEntries, mergeResults } from '../search/merge-results.ts';
import { PerNodeLimit } from '../search/per-node-limit.ts';
import { freeContext, queryShards, type ShardOutcome } from '../search/query-shards.ts';
import {
  allShardsFailed,
  partialResultsRefused,
  type ShardCounts,
  type ShardFailure,
} from '../search/search-failures.ts';
import { type SearchTarget, searchTargets } from '../search/search-targets.ts';

export interface SearchInput {
  /** Index expression; null: all. */
  readonly expression: string | null;
  readonly indicesOptions: IndicesOptions;
  readonly body: Uint8Array | null;
  /** URI parameters that speak of the search itself. */
  readonly params: Readonly<Record<string, string>>;
  readonly routings: readonly string[];
  /** null: the node's default. */
  readonly allowPartialResults: boolean | null;
  readonly maxConcurrentShardRequests: number;
  /** Set when nobody waits for the answer any more; null without such a thing. */
  readonly signal: CancelFlag | null;
}

export interface SearchHit {
  readonly index: string;
  readonly hit: FetchedHit;
  /** Where it stands in its shard's columns. */
  readonly result: ShardQueryResult;
  readonly position: number;
}

export interface SearchOutcome {
  readonly request: SearchRequest;
  readonly tookMs: number;
  readonly timedOut: boolean;
  /** null unless the request asked to end early. */
  readonly terminatedEarly: boolean | null;
  readonly shards: ShardCounts;
  /** null when totals are not tracked. */
  readonly total: TotalHits | null;
  readonly maxScore: number | null;
  readonly hits: readonly SearchHit[];
}

export const DEFAULT_CONCURRENT_SHARD_REQUESTS = 5;
/** A score or key and an ordinal. */
const ENTRY_BYTES = 12;
const CONTEXT_KEEP_ALIVE_MS = 5 * 60_000;

export async function executeSearch(context: CoordinatorContext, input: SearchInput): Promise<SearchOutcome> {
  const startedMs = context.runtime.clock.monotonicMs();
  const request = parseSearchRequest({ body: input.body, params: input.params });
  const targets = targetsOf(context, input);
  checkMemory(context, targets.length, request);
  const limit = new PerNodeLimit(input.maxConcurrentShardRequests);
  const isSingle = targets.length === 1 && request.size > 0;
  const outcomes = await queryShards(context, {
    targets,
    query: {
      body: input.body,
      params: input.params,
      topN: request.size === 0 ? 0 : request.from + request.size,
      nowMs: context.runtime.clock.wallMs(),
      keepAliveMs: CONTEXT_KEEP_ALIVE_MS,
    },
    fetchPage: isSingle ? { from: request.from, size: request.size } : null,
    timeoutMs: request.timeoutMs,
    limit,
    signal: input.signal,
    refuse: (target) => windowError(target, request),
  });
  const gathered = new Gathered(targets, outcomes);
  const allowPartial = input.allowPartialResults ?? context.settings.allowPartialResults;
  try {
    checkCancelled(input.signal);
    gathered.checkQueryPhase(allowPartial);
    const page = gathered.page(request);
    const hits = isSingle ? gathered.hitsOfOnly(request) : await gathered.fetch(context, input, page, limit);
    checkCancelled(input.signal);
    gathered.checkFetchPhase(allowPartial);
    return {
      request,
      tookMs: Math.round(context.runtime.clock.monotonicMs() - startedMs),
      timedOut: gathered.results.some((result) => result?.timedOut === true),
      terminatedEarly:
        request.terminateAfter > 0 ? gathered.results.some((result) => result?.terminatedEarly === true) : null,
      shards: gathered.counts(),
      total: gathered.total(request),
      maxScore: gathered.maxScore(request),
      hits,
    };
  } finally {
    gathered.freeUnfetched(context);
  }
}

function targetsOf(context: CoordinatorContext, input: SearchInput): readonly SearchTarget[] {
  const state = context.cluster.state();
  checkBlock(state, 'read', []);
  const nowMs = context.runtime.clock.wallMs();
  const indices = resolveIndices(state, input.expression, input.indicesOptions, nowMs);
  checkBlock(
    state,
    'read',
    indices.map((resolved) => resolved.index.name),
  );
  return searchTargets(indices, input.routings);
}

/** 400 of a shard whose index does not allow a page so deep; null when it does. */
function windowError(target: SearchTarget, request: SearchRequest): ShoalError | null {
  const window = typedIndexSettings(target.index.settings).maxResultWindow;
  const wanted = request.from + request.size;
  if (wanted <= window) return null;
  return illegalArgument(
    `Result window is too large, from + size must be less than or equal to: [${window}] but was [${wanted}]. ` +
      'See the scroll api for a more efficient way to request large data sets. ' +
      'This limit can be set by changing the [index.max_result_window] index level setting.',
  );
}

/** Every shard may send from + size entries: what they would take together is known before any is asked. */
function checkMemory(context: CoordinatorContext, shardCount: number, request: SearchRequest): void {
  if (request.size === 0) return;
  const wanted = shardCount * (request.from + request.size) * ENTRY_BYTES;
  const limit = context.settings.searchBytesMax;
  if (wanted <= limit) return;
  const reason = `[request] Data too large, data for [<search_hits>] would be [${wanted}], which is larger than the limit of [${limit}]`;
  throw circuitBreaking(reason, { wanted, limit });
}

function checkCancelled(signal: CancelFlag | null): void {
  if (signal?.cancelled !== true) return;
  throw new ShoalError(
    'task_cancelled_exception',
    400,
    `The parent task was cancelled, reason: ${signal.reason ?? ''}`,
  );
}

/** What the shards answered, and what was made of it so far. */
class Gathered {
  readonly #targets: readonly SearchTarget[];
  readonly #outcomes: readonly ShardOutcome[];
  readonly results: readonly (ShardQueryResult | null)[];
  readonly #failures: ShardFailure[] = [];
  readonly #missing: SearchTarget[] = [];
  /** Positions of targets whose documents could not be fetched. */
  readonly #fetchFailed = new Set<number>();
  /** Positions of targets whose context is used up. */
  readonly #fetched = new Set<number>();

  constructor(targets: readonly SearchTarget[], outcomes: readonly ShardOutcome[]) {
    this.#targets = targets;
    this.#outcomes = outcomes;
    this.results = outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.response.result : null));
    for (const [i, target] of targets.entries()) {
      const outcome = outcomes[i];
      if (outcome?.kind === 'failed') this.#failures.push({ target, nodeId: outcome.nodeId, error: outcome.error });
      else if (outcome?.kind === 'missing') this.#missing.push(target);
    }
  }

  checkQueryPhase(allowPartial: boolean): void {
    if (!allowPartial) {
      const refusal = partialResultsRefused(this.#missing, this.#failures, 'query');
      if (refusal !== null) throw refusal;
      if (this.results.some((result) => result?.timedOut === true)) throw timeExceeded();
    }
    const isAnyAnswered = this.results.some((result) => result !== null);
    if (this.#targets.length > 0 && !isAnyAnswered) throw allShardsFailed(this.#failures, 'query');
  }

  checkFetchPhase(allowPartial: boolean): void {
    if (this.#fetchFailed.size === 0) return;
    const refusal = allowPartial ? null : partialResultsRefused([], this.#failures, 'fetch');
    if (refusal !== null) throw refusal;
    if (this.#successful() === 0) throw allShardsFailed(this.#failures, 'fetch');
  }

  /** Entries from..from+size of the merged order, with the shard that each comes from. */
  page(request: SearchRequest): readonly PageEntry[] {
    if (request.size === 0) return [];
    const merged: MergedEntries = mergeResults(request.sort, this.results, request.from + request.size);
    const entries: PageEntry[] = [];
    for (let i = request.from; i < merged.shards.length; i++) {
      entries.push({ target: merged.shards[i] ?? 0, position: merged.positions[i] ?? 0 });
    }
    return entries;
  }

  /** The only shard sent its documents along. */
  hitsOfOnly(request: SearchRequest): readonly SearchHit[] {
    const [outcome] = this.#outcomes;
    const [target] = this.#targets;
    if (outcome?.kind !== 'answered' || target === undefined) return [];
    const { hits, result } = outcome.response;
    return (hits ?? []).map((hit, i) => ({ index: target.shard.index, hit, result, position: request.from + i }));
  }

  async fetch(
    context: CoordinatorContext,
    input: SearchInput,
    page: readonly PageEntry[],
    limit: PerNodeLimit,
  ): Promise<readonly SearchHit[]> {
    const fetched = await fetchPage(context, { outcomes: this.#outcomes, page, limit, input });
    for (const position of fetched.asked) this.#fetched.add(position);
    for (const { position, error } of fetched.failures) {
      const target = this.#targets[position];
      const outcome = this.#outcomes[position];
      if (target === undefined || outcome?.kind !== 'answered') continue;
      this.#fetchFailed.add(position);
      this.#failures.push({ target, nodeId: outcome.copy.nodeId, error });
    }
    const hits: SearchHit[] = [];
    for (const [i, entry] of page.entries()) {
      const hit = fetched.hits[i] ?? null;
      const result = this.results[entry.target] ?? null;
      const index = this.#targets[entry.target]?.shard.index;
      if (hit === null || result === null || index === undefined) continue;
      hits.push({ index, hit, result, position: entry.position });
    }
    return hits;
  }

  freeUnfetched(context: CoordinatorContext): void {
    for (const [position, outcome] of this.#outcomes.entries()) {
      if (outcome.kind !== 'answered' || this.#fetched.has(position)) continue;
      const { contextId } = outcome.response.result;
      if (contextId !== null) freeContext(context, outcome.copy.nodeId, outcome.copy.target, contextId);
    }
  }

  counts(): ShardCounts {
    const total = this.#targets.length;
    const successful = this.#successful();
    return { total, successful, skipped: 0, failed: total - successful, failures: this.#failures };
  }

  total(request: SearchRequest): TotalHits | null {
    if (request.trackTotalHits === 0) return null;
    let value = 0;
    let relation: TotalHits['relation'] = 'eq';
    for (const result of this.results) {
      value += result?.total?.value ?? 0;
      if (result?.total?.relation === 'gte') relation = 'gte';
    }
    return value > request.trackTotalHits ? { value: request.trackTotalHits, relation: 'gte' } : { value, relation };
  }

  maxScore(request: SearchRequest): number | null {
    // No shard at all is no search at all: Elasticsearch says 0 there.
    if (this.#targets.length === 0) return 0;
    if (request.size === 0) return null;
    let best: number | null = null;
    for (const result of this.results) {
      const score = result?.maxScore ?? null;
      if (score !== null && (best === null || score > best)) best = score;
    }
    return best;
  }

  #successful(): number {
    return this.results.filter((result) => result !== null).length - this.#fetchFailed.size;
  }
}

function timeExceeded(): ShoalError {
  return new ShoalError('search_timeout_exception', 504, 'Time exceeded');
}
