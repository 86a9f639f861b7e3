/**
 * The statistics phase of `dfs_query_then_fetch`: every shard tells how often the query's terms occur in it, and all are
 * scored by the sum.
 *
 * A shard that does not answer is left out: if it cannot answer the query either, that is told there.
 */
import { DamagedBytes } from '@shoal/core';
import { STATISTICS_PHASE, type StatisticsPhaseRequest, type StatisticsPhaseResponse } from '@shoal/protocol';
import { TermStatisticsTable } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { SearchTarget } from '../targets/search-targets.ts';
import { ownQuery, type QueryPlan, shardQuery } from './query-plan.ts';
import { askShard } from './query-shards.ts';
import { ShardBatches } from './shard-batches.ts';

/** For `QueryShardRequest.statistics`. */
export async function gatherStatistics(context: CoordinatorContext, plan: QueryPlan): Promise<Uint8Array> {
  const sum = new TermStatisticsTable();
  const batches = new ShardBatches(context, STATISTICS_PHASE, { ...plan, asksRestAlone: false });
  const tables = await Promise.all(plan.targets.map((target) => statisticsOf(context, plan, target, batches)));
  for (const table of tables) if (table !== null) sum.add(table);
  return sum.write();
}

async function statisticsOf(
  context: CoordinatorContext,
  plan: QueryPlan,
  target: SearchTarget,
  batches: ShardBatches<StatisticsPhaseRequest, StatisticsPhaseResponse>,
): Promise<TermStatisticsTable | null> {
  const outcome = await askShard(context, plan, target, (_, copy) =>
    batches.send(copy.nodeId, { target: copy.target, query: shardQuery(plan.query, ownQuery(plan, target)) }),
  );
  if (outcome.kind === 'missing') return null;
  if (outcome.kind === 'failed') return without(context, target, outcome.error);
  try {
    return TermStatisticsTable.read(outcome.response.statistics);
  } catch (error) {
    if (!(error instanceof DamagedBytes)) throw error;
    return without(context, target, error);
  }
}

function without(context: CoordinatorContext, { shard }: SearchTarget, error: Error): null {
  context.runtime.log.debug('no statistics of a shard', { index: shard.index, error: error.message });
  return null;
}
