/**
 * Terms of a field in the shards of a plan, as their dictionaries have them.
 */
import { TERMS_ENUM } from '@shoal/protocol';
import type { ShardTerms, TermsEnumRequest } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { SearchTarget } from '../targets/search-targets.ts';
import { ownQuery, type QueryPlan, shardQuery } from './query-plan.ts';
import { askShard, type ShardOutcome } from './query-shards.ts';
import { ShardBatches } from './shard-batches.ts';

/** Asks one shard; those of a node that are asked at the same time are asked in one message. */
export function shardTerms(
  context: CoordinatorContext,
  plan: QueryPlan,
): (target: SearchTarget, asked: TermsEnumRequest) => Promise<ShardOutcome<ShardTerms>> {
  const batches = new ShardBatches(context, TERMS_ENUM, { ...plan, asksRestAlone: true });
  return (target, asked) => {
    const query = shardQuery(plan.query, ownQuery(plan, target));
    return askShard(context, plan, target, (_, copy) =>
      batches.send(copy.nodeId, { target: copy.target, query, asked }),
    );
  };
}
