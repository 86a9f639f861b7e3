/**
 * The query phase of the shards of one node in one message.
 */
import { assert } from '@shoal/core';
import {
  NODE_QUERY,
  NODE_QUERY_SHARDS_MAX,
  type NodeShardAnswer,
  type NodeShardQuery,
  QUERY_PHASE,
  type QueryPhaseResponse,
} from '@shoal/protocol';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { NodeBatches } from './node-batches.ts';
import { batchOptions, type QueryPlan, sendOptions, shardQuery, shardTimeoutMs } from './query-plan.ts';

/** @param reduced resolves when the results that were handed out before are dealt with */
export function queryBatches(
  context: CoordinatorContext,
  plan: QueryPlan,
  reduced: () => Promise<void>,
): NodeBatches<NodeShardQuery, QueryPhaseResponse> {
  return new NodeBatches({
    itemsMax: NODE_QUERY_SHARDS_MAX,
    ask: (nodeId, shards) => askNode(context, plan, nodeId, shards),
    settled: reduced,
  });
}

async function askNode(
  { cluster }: CoordinatorContext,
  plan: QueryPlan,
  nodeId: string,
  shards: readonly NodeShardQuery[],
): Promise<readonly NodeShardAnswer[]> {
  const { query, limit, timeoutMs } = plan;
  const [first] = shards;
  assert(first !== undefined, `no shard of node ${nodeId} is asked`);
  if (shards.length === 1) {
    const { target, ...own } = first;
    const message = { target, query: shardQuery(query, own), fetchPage: null };
    return [await cluster.send(nodeId, QUERY_PHASE, message, sendOptions(plan))];
  }
  const message = { query, shards, concurrency: limit.max, waitMs: shardTimeoutMs(timeoutMs) };
  const options = batchOptions(plan, { shardCount: shards.length, concurrency: limit.max });
  return (await cluster.send(nodeId, NODE_QUERY, message, options)).answers;
}
