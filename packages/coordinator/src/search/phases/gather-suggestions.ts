/**
 * The suggest phase of a search: what every shard suggests. A shard that cannot is not asked for hits either, as in Elasticsearch,
 * where both are one question.
 */
import type { ShoalError } from '@shoal/core';
import { SUGGEST_PHASE, type SuggestPhaseRequest, type SuggestPhaseResponse } from '@shoal/protocol';
import type { ShardSuggestions } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { ownQuery, type QueryPlan, shardQuery } from './query-plan.ts';
import { askShard, type ShardOutcome } from './query-shards.ts';
import { ShardBatches } from './shard-batches.ts';

export interface GatheredSuggestions {
  /** Suggestions of the target at each position; null of one that gave none. */
  readonly byTarget: readonly (ShardSuggestions | null)[];
  /** By position of the target that cannot suggest. */
  readonly failures: ReadonlyMap<number, ShoalError>;
  /** What came of asking the target at each position. */
  readonly outcomes: readonly ShardOutcome<SuggestPhaseResponse>[];
}

/** @param plan its search holds the suggestions */
export async function gatherSuggestions(context: CoordinatorContext, plan: QueryPlan): Promise<GatheredSuggestions> {
  const batches = new ShardBatches<SuggestPhaseRequest, SuggestPhaseResponse>(context, SUGGEST_PHASE, {
    ...plan,
    asksRestAlone: true,
  });
  const outcomes = await Promise.all(
    plan.targets.map((target) =>
      askShard<SuggestPhaseResponse>(context, plan, target, (_, copy) =>
        batches.send(copy.nodeId, { target: copy.target, query: shardQuery(plan.query, ownQuery(plan, target)) }),
      ),
    ),
  );
  const failures = new Map<number, ShoalError>();
  for (const [position, outcome] of outcomes.entries()) {
    if (outcome.kind === 'failed') failures.set(position, outcome.error);
  }
  const byTarget = outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.response.suggestions : null));
  return { byTarget, failures, outcomes };
}
