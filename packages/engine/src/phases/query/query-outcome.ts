/**
 * Outcomes of a query phase, member by member: copies by spread and rest are made of names looked up one by one, and cost a light
 * search as much as finding its hits.
 */
import type { ShardQueryResult } from '@shoal/shard-api';
import type { ShardQueryOutcome } from '../context/shard-search-context.ts';

export type FoundHits = Omit<ShardQueryOutcome, 'aggregations' | 'profile' | 'dependsOnNow'>;

export function outcomeOf(
  found: FoundHits,
  { aggregations, profile, dependsOnNow }: Pick<ShardQueryOutcome, 'aggregations' | 'profile' | 'dependsOnNow'>,
): ShardQueryOutcome {
  const { rescored } = found;
  return {
    total: found.total,
    maxScore: found.maxScore,
    columns: found.columns,
    scores: found.scores,
    ords: found.ords,
    groups: found.groups,
    aggregations,
    profile,
    timedOut: found.timedOut,
    terminatedEarly: found.terminatedEarly,
    isSkipped: found.isSkipped,
    ...(dependsOnNow === undefined ? {} : { dependsOnNow }),
    ...(rescored === undefined ? {} : { rescored }),
  };
}

/** @param contextId reader that the hits can be fetched from; null without */
export function resultOf(outcome: Omit<ShardQueryResult, 'contextId'>, contextId: number | null): ShardQueryResult {
  return {
    contextId,
    total: outcome.total,
    maxScore: outcome.maxScore,
    columns: outcome.columns,
    scores: outcome.scores,
    ords: outcome.ords,
    groups: outcome.groups,
    aggregations: outcome.aggregations,
    profile: outcome.profile,
    timedOut: outcome.timedOut,
    terminatedEarly: outcome.terminatedEarly,
    isSkipped: outcome.isSkipped,
  };
}
