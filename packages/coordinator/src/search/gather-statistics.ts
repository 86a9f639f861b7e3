/**
 * The statistics phase of `dfs_query_then_fetch`: every shard tells how often the query's terms occur in it, and all are
 * scored by the sum.
 *
 * A shard that does not answer is left out: if it cannot answer the query either, that is told there.
 */
import { DamagedBytes, isShoalError } from '@shoal/core';
import { STATISTICS_PHASE } from '@shoal/protocol';
import { TermStatisticsTable } from '@shoal/query';
import type { CoordinatorContext } from '../coordinator-context.ts';
import { activePrimary } from '../documents/primary-requests.ts';
import { pinnedCopy, type QueryPlan, sendOptions, shardQuery } from './query-shards.ts';
import type { SearchTarget } from './search-targets.ts';

/** For `QueryShardRequest.statistics`. */
export async function gatherStatistics(context: CoordinatorContext, plan: QueryPlan): Promise<Uint8Array> {
  const sum = new TermStatisticsTable();
  const tables = await Promise.all(plan.targets.map((target) => askShard(context, plan, target)));
  for (const table of tables) if (table !== null) sum.add(table);
  return sum.write();
}

async function askShard(
  context: CoordinatorContext,
  plan: QueryPlan,
  target: SearchTarget,
): Promise<TermStatisticsTable | null> {
  if (plan.refuse(target) !== null) return null;
  const { pinned } = target;
  const copy =
    pinned === null ? activePrimary(context.cluster.state(), target.shard) : pinnedCopy(context, target, pinned);
  if (copy === null) return null;
  try {
    const answer = await plan.limit.run(copy.nodeId, () =>
      context.cluster.send(
        copy.nodeId,
        STATISTICS_PHASE,
        { target: copy.target, query: shardQuery(plan, target) },
        sendOptions(plan),
      ),
    );
    return TermStatisticsTable.read(answer.statistics);
  } catch (error) {
    if (!isShoalError(error) && !(error instanceof DamagedBytes)) throw error;
    context.runtime.log.debug('no statistics of a shard', { index: target.shard.index, error: error.message });
    return null;
  }
}
