/**
 * A search: resolve, query every shard for its best entries as columns, merge them, fetch the documents of the page from
 * their owners alone.
 *
 * A shard that fails or is not there is counted, never hidden. Contexts that nothing is fetched from are freed at once.
 */

import { type AggregationNode, BucketBudget, isAggregation, parseAggregations } from '@shoal/aggregations';
import { checkBlock } from '@shoal/cluster';
import {
  type CancelFlag,
  circuitBreaking,
  illegalArgument,
  indexNotFound,
  parseTimeValue,
  type ShoalError,
} from '@shoal/core';
import { NO_TIMEOUT_MS, type ParsedSearch, parseSearch, type SearchRequest } from '@shoal/query';
import { workCancelled } from '@shoal/runtime';
import { maxResultWindow } from '@shoal/schema';
import type { ShardSearch } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { resolveIndices } from '../../indices/resolve-indices.ts';
import { pagingWay } from '../../paging/paging-strategy.ts';
import { type PagedOutcomes, searchPage } from '../pages/search-page.ts';
import { withFetchedParts } from '../phases/fetched-parts.ts';
import { gatherStatistics } from '../phases/gather-statistics.ts';
import type { QueryPlan } from '../phases/query-plan.ts';
import { queryInto, type ShardOutcome } from '../phases/query-shards.ts';
import { expandGroups } from '../results/expand-groups.ts';
import { GatheredResults } from '../results/gathered-results.ts';
import { shardRequestOf, withStoredFields } from '../results/hit-stored-fields.ts';
import { partialOutcome, type SearchObserver } from '../results/partial-outcome.ts';
import { QueryReducer } from '../results/query-reducer.ts';
import { reducing } from '../results/reduce-failure.ts';
import type { SearchOutcome } from '../results/search-outcome.ts';
import { AliasFilters } from '../targets/alias-filters.ts';
import { readContextId, targetsOfContexts, writeContextId } from '../targets/context-ids.ts';
import { withExactCount } from '../targets/exact-count.ts';
import { asClusterAllows } from '../targets/expensive-queries.ts';
import { withIndexBoosts } from '../targets/index-boosts.ts';
import { PerNodeLimit } from '../targets/per-node-limit.ts';
import type { SearchInput } from '../targets/search-input.ts';
import { type SearchTarget, searchTargets } from '../targets/search-targets.ts';
import { canSkipShards } from '../targets/skipped-shards.ts';
import { checkContextUse, checkKeepAlive, slicesError } from './check-context-use.ts';
import { type FusedRanks, inRankedOrder, withFusedRanks } from './fused-ranks.ts';
import { withNeighbours } from './nearest-neighbours.ts';
import { type SuggestedPlan, suggestPhase } from './suggest-phase.ts';

/** A score or key and an ordinal. */
const ENTRY_BYTES = 12;
const BUCKETS_MAX_DEFAULT = 65_536;
const CONTEXT_KEEP_ALIVE_MS = 5 * 60_000;

/** @param observer who looks at the search while it runs; null: nobody */
export async function executeSearch(
  context: CoordinatorContext,
  asked: SearchInput,
  observer: SearchObserver | null = null,
): Promise<SearchOutcome> {
  const startedMs = context.runtime.clock.monotonicMs();
  const key = isPlain(asked) ? context.repeated.keyOf('search', asked.body) : null;
  const known = context.repeated.get(key);
  const body = known === null ? await withFetchedParts(context, asked.body, asked) : asked.body;
  const input = body === asked.body ? asked : { ...asked, body, parsed: null };
  const isScroll = input.scrollKeepAliveMs !== null;
  const { search: parsed, ranks } =
    known === null
      ? await shardSearchOf(context, input, body === asked.body ? key : null)
      : { search: known.search, ranks: null };
  const { request, aggregations } = asAllowed(context, parsed);
  checkContextUse(input, request);
  checkKeepAlive(context, request.pointInTime?.keepAliveMs ?? 0, null);
  checkPageSizes(context, aggregations?.aggregations ?? []);
  const pack = (): Uint8Array => context.searches.packSearch({ request: shardRequestOf(request), aggregations });
  const search = known?.search.request === request ? known.packed(pack) : pack();
  const targets = targetsOf(context, input, request);
  checkShardCount(context, targets.length);
  const isSingle = targets.length === 1 && request.size > 0;
  const plan = planOf(context, input, { request, aggregations, search, targets });
  const scored = input.sharesStatistics ? await withSharedStatistics(context, plan) : plan;
  const { batchedReduceSize: batchSize, signal } = input;
  const reducer = new QueryReducer(context, { targets, request, aggregations, batchSize, isScroll, signal });
  const limits = { bucketsMax: bucketsMax(context), nowMs: plan.query.nowMs };
  const running = { targets, request, aggregations, reducer, startedMs, limits };
  observer?.began(() => partialOutcome(context, running));
  const suggested = await suggestPhase(context, scored, { request, aggregations });
  const { outcomes, page, paging } = await queryPhase(context, suggested, request, reducer);
  const gathered = new GatheredResults(targets, outcomes, await reducing(() => reducer.finish()));
  // A point in time serves many searches at once: the shards do not remember which.
  const source = { search: request.pointInTime === null ? null : search, signal: input.signal };
  const allowPartial = input.allowPartialResults ?? allowsPartialResults(context);
  try {
    checkCancelled(input.signal);
    gathered.checkQueryPhase(allowPartial);
    const hits = isSingle
      ? gathered.hitsOfOnly(page === null ? request.from : 0)
      : await gathered.fetch(context, source, page ?? gathered.page(request), plan.limit);
    checkCancelled(input.signal);
    gathered.checkFetchPhase(allowPartial);
    const read = withStoredFields(context.cluster.state(), request, hits);
    const shown = ranks === null ? read : inRankedOrder(read, ranks.page);
    const expanded = await expandGroups(context.trees, { input, request, hits: shown }, (inner) =>
      executeSearch(context, inner),
    );
    return {
      scrollId: isScroll ? writeContextId('scroll', { held: gathered.keepContexts(), filters: {} }) : null,
      pointInTimeId: request.pointInTime?.id ?? null,
      request,
      tookMs: Math.round(context.runtime.clock.monotonicMs() - startedMs),
      timedOut: gathered.results.some((result) => result?.timedOut === true),
      terminatedEarly: request.terminateAfter > 0 ? endedEarly(gathered) : null,
      reducePhases: gathered.reducePhases,
      shards: gathered.counts(),
      total: gathered.total(request),
      maxScore: ranks === null ? gathered.maxScore(request) : ranks.maxScore,
      hits: expanded,
      aggregations: await reducing(() => context.turns.run(gathered.aggregations(aggregations, limits), input.signal)),
      suggestions: suggested.suggestions,
      profile: gathered.profile(request, paging),
    };
  } finally {
    gathered.freeUnfetched(context);
  }
}

/** What is asked of the shards. */
function planOf(
  context: CoordinatorContext,
  input: SearchInput,
  {
    request,
    aggregations,
    search,
    targets,
  }: ShardSearch & Pick<QueryPlan, 'targets'> & Pick<QueryPlan['query'], 'search'>,
): QueryPlan {
  const isScroll = input.scrollKeepAliveMs !== null;
  return {
    targets,
    query: {
      search,
      topN: request.size === 0 ? 0 : request.from + request.size,
      nowMs: context.runtime.clock.wallMs(),
      keepAliveMs: keepAliveOf(input, request),
      isScroll,
      statistics: null,
      canSkip: canSkipShards({
        targets,
        blocks: context.cluster.state().blocks.indices,
        request,
        aggregations,
        isScroll,
        preFilterShardSize: input.preFilterShardSize,
      }),
      usesCache: input.usesRequestCache,
    },
    aliasFilters: new AliasFilters(targets, context.searches),
    timeoutMs: request.timeoutMs,
    limit: new PerNodeLimit(input.maxConcurrentShardRequests),
    signal: input.signal,
    refuse: (target) => shardRefusal(target, request, isScroll),
  };
}

/** The request, parsed once: what is wrong in it is wrong in the request, not on a shard, and nothing is asked before. */
async function shardSearchOf(
  context: CoordinatorContext,
  input: SearchInput,
  key: string | null,
): Promise<ResolvedSearch> {
  const search = ({ request, aggregations, knn, fusion }: ParsedSearch): AskedSearch => {
    const isExact = input.countsExactly || input.scrollKeepAliveMs !== null;
    const { countsExactly: showsPlainTotals, showsTypes } = input;
    const shown = { ...(isExact ? withExactCount(request) : request), showsPlainTotals, showsTypes };
    return { request: shown, aggregations: aggregations && parseAggregations(aggregations), knn, fusion };
  };
  const { parsed } = input;
  const asked =
    parsed === null ? await context.trees.read(input, (tree) => search(parseSearch(input, tree))) : search(parsed);
  const { aggregations, fusion } = asked;
  if (fusion !== null) {
    if (input.scrollKeepAliveMs !== null) throw illegalArgument(`cannot specify [${fusion.retriever}] and [scroll]`);
    const ranks = await withFusedRanks({ ...asked, fusion, input }, (inner) => executeSearch(context, inner));
    return { search: { request: ranks.request, aggregations }, ranks };
  }
  if (asked.knn.length === 0) {
    const found: ShardSearch = { request: asked.request, aggregations };
    context.repeated.keep(key, found);
    return { search: found, ranks: null };
  }
  const request = await withNeighbours({ ...asked, input }, (inner) => executeSearch(context, inner));
  return { search: { request, aggregations }, ranks: null };
}

type AskedSearch = ShardSearch & Pick<ParsedSearch, 'knn' | 'fusion'>;

/** What the shards are asked, and the ranks that its hits have before they are; null where shards rank them. */
interface ResolvedSearch {
  readonly search: ShardSearch;
  readonly ranks: FusedRanks | null;
}

/** A search of which everything is said by its body. */
function isPlain({ params, parsed, countsExactly, showsTypes, scrollKeepAliveMs }: SearchInput): boolean {
  if (parsed !== null || countsExactly || showsTypes || scrollKeepAliveMs !== null) return false;
  for (const _ in params) return false;
  return true;
}

/** The search as the settings of the cluster have it: what they forbid, and how long it may take. */
function asAllowed(context: CoordinatorContext, search: ShardSearch): ShardSearch {
  const request = asClusterAllows(context, search.request);
  return withTimeout(context, request === search.request ? search : { ...search, request });
}

async function withSharedStatistics(context: CoordinatorContext, plan: QueryPlan): Promise<QueryPlan> {
  return { ...plan, query: { ...plan.query, statistics: await gatherStatistics(context, plan) } };
}

/** With the page where it is not to be merged from what all shards sent. */
async function queryPhase(
  context: CoordinatorContext,
  { plan, outcomes: known }: SuggestedPlan,
  request: SearchRequest,
  reducer: QueryReducer,
): Promise<PagedOutcomes | { readonly outcomes: readonly ShardOutcome[]; readonly page: null; readonly paging: null }> {
  if (known !== null) {
    for (const [position, outcome] of known.entries()) reducer.take(position, outcome);
    return { outcomes: reducer.outcomes, page: null, paging: null };
  }
  const shardCount = plan.targets.length;
  // A window that an index does not allow is refused shard by shard, and costs nothing.
  const isRefused = plan.targets.every((target) => plan.refuse(target) !== null);
  const way = isRefused ? 'classical' : pagingWay(request, shardCount, plan.query.isScroll);
  if (way !== 'classical') {
    const entriesMax = Math.floor(context.settings.searchBytesMax / ENTRY_BYTES);
    return searchPage(context, { query: plan, request, way, entriesMax });
  }
  if (!isRefused) checkMemory(context, shardCount, request);
  const { from, size } = request;
  const fetchPage = shardCount === 1 && size > 0 ? { from, size } : null;
  await queryInto(context, { fetchPage, ...plan }, reducer);
  return { outcomes: reducer.outcomes, page: null, paging: null };
}

/** Whether a search that does not say may lack some shards. */
function allowsPartialResults({ cluster }: CoordinatorContext): boolean {
  return cluster.settings()['search.default_allow_partial_results'] !== 'false';
}

/** The request with the timeout of the cluster when it says nothing of its own; none where it asks for none. */
function withTimeout(context: CoordinatorContext, search: ShardSearch): ShardSearch {
  if (search.request.timeoutMs === NO_TIMEOUT_MS) return { ...search, request: { ...search.request, timeoutMs: null } };
  const text = context.cluster.settings()['search.default_search_timeout'];
  if (search.request.timeoutMs !== null || text === undefined) return search;
  const timeoutMs = parseTimeValue(text, 'search.default_search_timeout');
  return timeoutMs < 0 ? search : { ...search, request: { ...search.request, timeoutMs } };
}

/** A page of composite buckets that could not be answered when it is full is refused before it is looked for. */
function checkPageSizes(context: CoordinatorContext, aggregations: readonly AggregationNode[]): void {
  for (const aggregation of aggregations) {
    if (!isAggregation(aggregation) || aggregation.kind !== 'composite') continue;
    new BucketBudget(bucketsMax(context)).take(aggregation.size);
  }
}

/** Buckets of one answer. */
function bucketsMax(context: CoordinatorContext): number {
  return Number(context.cluster.settings()['search.max_buckets'] ?? BUCKETS_MAX_DEFAULT);
}

function keepAliveOf({ scrollKeepAliveMs }: SearchInput, { pointInTime }: SearchRequest): number {
  return pointInTime === null ? (scrollKeepAliveMs ?? CONTEXT_KEEP_ALIVE_MS) : (pointInTime.keepAliveMs ?? 0);
}

/** @throws illegal_argument_exception where the cluster allows no search of so many shards */
function checkShardCount({ cluster }: CoordinatorContext, shards: number): void {
  const limit = cluster.settings()['action.search.shard_count.limit'];
  if (limit === undefined || shards <= Number(limit)) return;
  throw illegalArgument(
    `Trying to query ${shards} shards, which is over the limit of ${limit}. This limit exists because querying many shards at the same time can make the job of the coordinating node very CPU and/or memory intensive. It is usually a better idea to have a smaller number of larger shards. Update [action.search.shard_count.limit] to a greater value if you really want to query that many shards at the same time.`,
  );
}

function targetsOf(
  context: CoordinatorContext,
  input: SearchInput,
  { pointInTime, indicesBoost }: SearchRequest,
): readonly SearchTarget[] {
  const state = context.cluster.state();
  checkBlock(state, 'read', []);
  if (pointInTime !== null) {
    const { targets, lost } = targetsOfContexts(state, readContextId('pit', pointInTime.id));
    const [first] = lost;
    if (first !== undefined) throw indexNotFound(first.shard.index);
    return targets;
  }
  const nowMs = context.runtime.clock.wallMs();
  const indices = resolveIndices(state, input.expression, input.indicesOptions, nowMs);
  checkBlock(
    state,
    'read',
    indices.map((resolved) => resolved.index.name),
  );
  const targets = searchTargets(indices, input.routings, context.reads.shards);
  return withIndexBoosts(state, targets, indicesBoost, { options: input.indicesOptions, nowMs });
}

/** What a shard would answer without being asked; null when it is to be asked. */
function shardRefusal(target: SearchTarget, request: SearchRequest, isScroll: boolean): ShoalError | null {
  const { settings } = target.index;
  return windowError(target, request, isScroll) ?? slicesError(request, settings);
}

/** 400 of a shard whose index does not allow a page so deep; null when it does. */
function windowError(target: SearchTarget, request: SearchRequest, isScroll: boolean): ShoalError | null {
  const window = maxResultWindow(target.index.settings);
  const wanted = request.from + request.size;
  if (wanted <= window) return null;
  if (isScroll) {
    return illegalArgument(
      `Batch size is too large, size must be less than or equal to: [${window}] but was [${wanted}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`,
    );
  }
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

/** Whether a shard ended before it had seen every match. */
function endedEarly({ results }: GatheredResults): boolean {
  return results.some((result) => result?.terminatedEarly === true);
}

function checkCancelled(signal: CancelFlag | null): void {
  if (signal?.cancelled !== true) return;
  throw workCancelled(signal.reason);
}
