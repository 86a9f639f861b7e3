/**
 * The suggest phase of a search: what every shard suggests. A shard that cannot is not asked for hits either, as in Elasticsearch,
 * where both are one question.
 */
import type { ShoalError } from '@shoal/core';
import { SUGGEST_PHASE, type SuggestPhaseRequest, type SuggestPhaseResponse } from '@shoal/protocol';
import type { ShardSuggestions } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { ownQuery, type QueryPlan, shardQuery } from './query-plan.ts';
import { askShard } from './query-shards.ts';
import { ShardBatches } from './shard-batches.ts';

export interface GatheredSuggestions {
  /** Suggestions of the target at each position; null of one that gave none. */
  readonly byTarget: readonly (ShardSuggestions | null)[];
  /** By position of the target that cannot suggest. */
  readonly failures: ReadonlyMap<number, ShoalError>;
}

/** @param plan its search holds the suggestions */
export async function gatherSuggestions(context: CoordinatorContext, plan: QueryPlan): Promise<GatheredSuggestions> {
  const batches = new ShardBatches<SuggestPhaseRequest, SuggestPhaseResponse>(context, SUGGEST_PHASE, {
    ...plan,
    asksRestAlone: true,
  });
  const failures = new Map<number, ShoalError>();
  const byTarget = await Promise.all(
    plan.targets.map(async (target) => {
      const outcome = await askShard(context, plan, target, (_, copy) =>
        batches.send(copy.nodeId, { target: copy.target, query: shardQuery(plan.query, ownQuery(plan, target)) }),
      );
      if (outcome.kind === 'failed') failures.set(target.position, outcome.error);
      return outcome.kind === 'answered' ? outcome.response.suggestions : null;
    }),
  );
  return { byTarget, failures };
}
