/**
 * What the shards of one search answered, and what was made of it so far: the merged page, its documents, totals, and the
 * count of shards that failed or were not there.
 */
import { type AggregationLevel, BucketBudget, type PartialNode, reduceInSteps } from '@shoal/aggregations';
import { ShoalError, type Steps } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { ShardQueryResult, TotalHits } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { OpenContext } from '../../context/free-contexts.ts';
import { mergeResults } from '../../paging/merge-results.ts';
import { type FetchSource, fetchPage, type PageEntry } from '../phases/fetch-page.ts';
import type { ShardOutcome } from '../phases/query-shards.ts';
import {
  allShardsFailed,
  partialResultsRefused,
  type ShardCounts,
  type ShardFailure,
} from '../phases/search-failures.ts';
import type { HeldContext } from '../targets/context-ids.ts';
import type { PerNodeLimit } from '../targets/per-node-limit.ts';
import type { SearchTarget } from '../targets/search-targets.ts';
import { firstOfGroups } from './first-of-groups.ts';
import { NO_BATCHES, partialsOf, type ReducedBatches } from './query-reducer.ts';
import type { SearchAggregations, SearchHit } from './search-outcome.ts';
import type { PagingReport, SearchProfile } from './search-profile.ts';

/** What the shards answered, and what was made of it so far. */
export interface ReduceLimits {
  readonly bucketsMax: number;
  /** Instant that `now` means in the request. */
  readonly nowMs: number;
}

export class GatheredResults {
  readonly #targets: readonly SearchTarget[];
  readonly #outcomes: readonly ShardOutcome[];
  readonly results: readonly (ShardQueryResult | null)[];
  readonly #reduced: ReducedBatches;
  readonly #failures: ShardFailure[] = [];
  readonly #missing: SearchTarget[] = [];
  /** Positions of targets whose documents could not be fetched. */
  readonly #fetchFailed = new Set<number>();
  #areKept = false;
  /** Positions of targets whose context is used up. */
  readonly #fetched = new Set<number>();

  /** @param reduced what came of results whose aggregations are no longer among the outcomes */
  constructor(
    targets: readonly SearchTarget[],
    outcomes: readonly ShardOutcome[],
    reduced: ReducedBatches = NO_BATCHES,
  ) {
    this.#targets = targets;
    this.#reduced = reduced;
    this.#outcomes = outcomes;
    this.results = outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.response.result : null));
    for (const [i, target] of targets.entries()) {
      const outcome = outcomes[i];
      if (outcome?.kind === 'failed') this.#failures.push({ target, nodeId: outcome.nodeId, error: outcome.error });
      else if (outcome?.kind === 'missing') this.#missing.push(target);
    }
  }

  /** The contexts of all shards that answered, from now on kept for the pages behind this one. */
  keepContexts(): readonly HeldContext[] {
    this.#areKept = true;
    return this.#targets.flatMap(({ shard }, position) => {
      const outcome = this.#outcomes[position];
      if (outcome?.kind !== 'answered' || outcome.response.result.contextId === null) return [];
      const { nodeId, target } = outcome.copy;
      return [{ shard, nodeId, allocationId: target.allocationId, contextId: outcome.response.result.contextId }];
    });
  }

  checkQueryPhase(allowPartial: boolean): void {
    const isAnyAnswered = this.results.some((result) => result !== null);
    const isAnyMissed = !allowPartial && this.#missing.length > 0;
    if (this.#targets.length > 0 && !isAnyAnswered && !isAnyMissed) throw allShardsFailed(this.#failures, 'query');
    if (allowPartial) return;
    const refusal = partialResultsRefused(this.#missing, this.#failures, 'query');
    if (refusal !== null) throw refusal;
    if (this.results.some((result) => result?.timedOut === true)) throw timeExceeded();
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
    const to = request.from + request.size;
    if (request.collapse !== null) {
      const merged = mergeResults(request.sort, this.results, Number.POSITIVE_INFINITY);
      return firstOfGroups(merged, this.results, request.from, to);
    }
    const merged = mergeResults(request.sort, this.results, to);
    const entries: PageEntry[] = [];
    for (let i = request.from; i < merged.shards.length; i++) {
      entries.push({ target: merged.shards[i] ?? 0, position: merged.positions[i] ?? 0 });
    }
    return entries;
  }

  /** The only shard sent its documents along. `first`: where those stand among the entries that it sent. */
  hitsOfOnly(first: number): readonly SearchHit[] {
    const [outcome] = this.#outcomes;
    const [target] = this.#targets;
    if (outcome?.kind !== 'answered' || target === undefined) return [];
    const { hits, result } = outcome.response;
    return (hits ?? []).map((hit, i) => ({
      index: target.shard.index,
      shardNumber: target.shard.number,
      nodeId: outcome.copy.nodeId,
      hit,
      fields: null,
      result,
      position: first + i,
      innerHits: [],
    }));
  }

  async fetch(
    context: CoordinatorContext,
    source: FetchSource,
    page: readonly PageEntry[],
    limit: PerNodeLimit,
  ): Promise<readonly SearchHit[]> {
    const fetched = await fetchPage(context, { outcomes: this.#outcomes, page, limit, source });
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
      const shard = this.#targets[entry.target]?.shard;
      const outcome = this.#outcomes[entry.target];
      if (hit === null || result === null || shard === undefined || outcome?.kind !== 'answered') continue;
      const { nodeId } = outcome.copy;
      hits.push({
        index: shard.index,
        shardNumber: shard.number,
        nodeId,
        hit,
        fields: null,
        result,
        position: entry.position,
        innerHits: [],
      });
    }
    return hits;
  }

  freeUnfetched(context: CoordinatorContext): void {
    if (this.#areKept) return;
    const open: OpenContext[] = [];
    for (const [position, outcome] of this.#outcomes.entries()) {
      if (outcome.kind !== 'answered' || this.#fetched.has(position)) continue;
      if (this.#targets[position]?.pinned !== null) continue;
      const { contextId } = outcome.response.result;
      const { nodeId, target } = outcome.copy;
      if (contextId !== null) open.push({ nodeId, target, contextId });
    }
    context.releases.add(open);
  }

  /** Reduces that the answer took. */
  get reducePhases(): number {
    return this.#reduced.phases;
  }

  counts(): ShardCounts {
    const total = this.#targets.length;
    const successful = this.#successful();
    const skipped = this.results.filter((result) => result?.isSkipped === true).length;
    return { total, successful, skipped, failed: total - successful, failures: this.#failures };
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

  /** Merged and cut to what is shown; null without any. */
  *aggregations(tree: AggregationLevel | null, limits: ReduceLimits): Steps<SearchAggregations | null> {
    const { partials, failure } = this.#reduced;
    if (failure !== null) throw failure.error;
    if (tree === null) return null;
    const shards: (readonly PartialNode[])[] = partials === null ? [] : [partials];
    for (const result of this.results) if (result?.aggregations) shards.push(yield* partialsOf(result.aggregations));
    return {
      tree,
      finished: yield* reduceInSteps(tree, shards, {
        buckets: new BucketBudget(limits.bucketsMax),
        nowMs: limits.nowMs,
      }),
    };
  }

  /** Profile of a search that asked for it; null for others. `paging`: null where it was classical. */
  profile({ isProfiled }: SearchRequest, paging: PagingReport | null): SearchProfile | null {
    if (!isProfiled) return null;
    let entriesMoved = 0;
    const shards: SearchProfile['shards'][number][] = [];
    for (const [position, outcome] of this.#outcomes.entries()) {
      const shard = this.#targets[position]?.shard;
      if (outcome.kind !== 'answered' || shard === undefined) continue;
      const { profile, ords } = outcome.response.result;
      entriesMoved += ords.length;
      const { nodeId } = outcome.copy;
      if (profile !== null) shards.push({ nodeId, index: shard.index, shard: shard.number, search: profile });
    }
    return { shards, paging: paging ?? { way: 'classical', rounds: 1, entriesMoved } };
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
