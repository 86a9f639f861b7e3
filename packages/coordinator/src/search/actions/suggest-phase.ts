/**
 * The suggest phase of a search, in front of its query phase: what every shard suggests, and whom the query phase need not ask.
 */
import { type SearchRequest, searchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { gatherSuggestions } from '../phases/gather-suggestions.ts';
import type { QueryPlan } from '../phases/query-plan.ts';
import { mergeSuggestions } from '../results/merge-suggestions.ts';
import type { SearchSuggestions } from '../results/search-outcome.ts';

export interface SuggestedPlan {
  /** Plan of the query phase: a shard that could not suggest is failed, and not asked for hits. */
  readonly plan: QueryPlan;
  /** null without `suggest`. */
  readonly suggestions: SearchSuggestions | null;
}

export async function suggestPhase(
  context: CoordinatorContext,
  plan: QueryPlan,
  request: SearchRequest,
): Promise<SuggestedPlan> {
  const { suggest, source, storedFields } = request;
  if (suggest.length === 0) return { plan, suggestions: null };
  const asked = searchRequest({ suggest, source, storedFields });
  const search = context.searches.packSearch({ request: asked, aggregations: null });
  const { byTarget, failures } = await gatherSuggestions(context, { ...plan, query: { ...plan.query, search } });
  return {
    plan: { ...plan, refuse: (target) => plan.refuse(target) ?? failures.get(target.position) ?? null },
    suggestions: {
      merged: mergeSuggestions(suggest, byTarget),
      indices: plan.targets.map(({ shard }) => shard.index),
    },
  };
}
