/**
 * The suggest phase of a search, in front of its query phase: what every shard suggests, and whom the query phase need not ask.
 */
import { type SearchRequest, searchRequest, writeSearchRequest } from '@shoal/query';
import type { ShardQueryResult, ShardSearch } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { gatherSuggestions } from '../phases/gather-suggestions.ts';
import type { QueryPlan } from '../phases/query-plan.ts';
import type { ShardOutcome } from '../phases/query-shards.ts';
import { mergeSuggestions } from '../results/merge-suggestions.ts';
import type { SearchSuggestions } from '../results/search-outcome.ts';

export interface SuggestedPlan {
  /** Plan of the query phase: a shard that could not suggest is failed, and not asked for hits. */
  readonly plan: QueryPlan;
  /** null without `suggest`. */
  readonly suggestions: SearchSuggestions | null;
  /** What the query phase would find, by target; null where the shards have to be asked. */
  readonly outcomes: readonly ShardOutcome[] | null;
}

/** Members of a request that shards need not look at to find that it matches nothing. */
const OF_NO_MATCH: ReadonlySet<string> = new Set([
  'query',
  'suggest',
  'from',
  'size',
  'source',
  'showsPlainTotals',
  'showsTypes',
]);

/** What a shard answers to a query that matches nothing. */
const NO_MATCHES: ShardQueryResult = {
  contextId: null,
  total: { value: 0, relation: 'eq' },
  maxScore: null,
  columns: [],
  scores: null,
  ords: new Uint32Array(0),
  groups: null,
  profile: null,
  aggregations: null,
  timedOut: false,
  terminatedEarly: false,
  isSkipped: false,
};

export async function suggestPhase(
  context: CoordinatorContext,
  plan: QueryPlan,
  { request, aggregations }: ShardSearch,
): Promise<SuggestedPlan> {
  const { suggest, source, storedFields } = request;
  if (suggest.length === 0) return { plan, suggestions: null, outcomes: null };
  const asked = searchRequest({ suggest, source, storedFields });
  const search = context.searches.packSearch({ request: asked, aggregations: null });
  const { byTarget, failures, outcomes } = await gatherSuggestions(context, {
    ...plan,
    query: { ...plan.query, search },
  });
  return {
    plan: { ...plan, refuse: (target) => plan.refuse(target) ?? failures.get(target.position) ?? null },
    suggestions: {
      merged: mergeSuggestions(suggest, byTarget),
      indices: plan.targets.map(({ shard }) => shard.index),
    },
    outcomes: aggregations === null && onlySuggests(plan, request) ? outcomes.map(withoutMatches) : null,
  };
}

/** Whether the answer of every shard that suggests is known: no match, and nothing that could be wrong in how it is asked. */
function onlySuggests({ query, targets }: QueryPlan, request: SearchRequest): boolean {
  if (request.query.kind !== 'matchNone' || query.isScroll) return false;
  const isPlain = Object.keys(writeSearchRequest(request)).every((name) => OF_NO_MATCH.has(name));
  return isPlain && targets.every(({ aliasFilter }) => aliasFilter === null);
}

function withoutMatches(outcome: ShardOutcome<unknown>): ShardOutcome {
  return outcome.kind === 'answered' ? { ...outcome, response: { result: NO_MATCHES, hits: null } } : outcome;
}
