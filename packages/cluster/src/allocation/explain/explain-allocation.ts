/**
 * The body of `_cluster/allocation/explain`, from the deciders and choices that allocation itself uses.
 */

import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { illegalArgument, indexNotFound } from '@shoal/core';
import type { ExplainAllocationMessage, ExplainedShard } from '@shoal/protocol';
import { AllocationRound } from '../allocation-round.ts';
import type { AllocationContext } from '../rules/allocation-context.ts';
import { explainAssigned } from './explain-assigned.ts';
import { explainUnassigned } from './explain-unassigned.ts';
import type { ExplainView, Json } from './explained-node.ts';

export type ExplainOptions = Omit<ExplainAllocationMessage, 'masterTimeoutMs'>;

export function explainAllocation(state: ClusterState, options: ExplainOptions, context: AllocationContext): Json {
  const copies = [...state.routing.indices.values()].flat(2);
  const copy = options.shard === null ? firstUnassigned(copies) : namedCopy(state, options.shard);
  const head: Json = {
    ...(options.shard === null
      ? {
          note: 'No shard was specified in the explain API request, so this response explains a randomly chosen unassigned shard. There may be other unassigned shards in this cluster which cannot be assigned for different reasons. It may not be possible to assign this shard until one of the other shards is assigned correctly. To explain the allocation of other shards (whether assigned or unassigned) you must specify the target shard in the request to this API.',
        }
      : {}),
    index: copy.index,
    shard: copy.shard,
    primary: copy.isPrimary,
    current_state: copy.state.toLowerCase(),
  };
  const round = new AllocationRound(state, context);
  const view: ExplainView = { state, copy, context, round, includeYes: options.includeYesDecisions };
  return copy.nodeId === null
    ? { ...head, ...explainUnassigned(view) }
    : { ...head, ...explainAssigned(view, copy.nodeId) };
}

function firstUnassigned(copies: readonly ShardRouting[]): ShardRouting {
  const unassigned = copies.filter((copy) => copy.state === 'UNASSIGNED');
  const found = unassigned.find((copy) => copy.isPrimary) ?? unassigned[0];
  if (found === undefined) {
    throw illegalArgument(
      'There are no unassigned shards in this cluster. Specify an assigned shard in the request body to explain its allocation.',
    );
  }
  return found;
}

function namedCopy(state: ClusterState, wanted: ExplainedShard): ShardRouting {
  const shards = state.routing.indices.get(wanted.index);
  if (shards === undefined) throw indexNotFound(wanted.index);
  const copies = shards[wanted.shard];
  if (copies === undefined) throw illegalArgument(`no such shard [${wanted.index}][${wanted.shard}]`);
  const candidates = copies.filter((copy) => copy.isPrimary === wanted.isPrimary);
  if (wanted.nodeId != null) return copyOnNode(state, candidates, wanted.isPrimary, wanted.nodeId);
  const found = candidates.find((copy) => copy.state !== 'STARTED') ?? candidates[0];
  if (found === undefined)
    throw illegalArgument(`unable to find a replica shard for [${wanted.index}][${wanted.shard}]`);
  return found;
}

function copyOnNode(
  { nodes }: ClusterState,
  candidates: readonly ShardRouting[],
  isPrimary: boolean,
  nodeId: string,
): ShardRouting {
  const found = candidates.find((copy) => copy.nodeId === nodeId);
  if (found !== undefined) return found;
  const what = isPrimary ? 'primary' : 'replica';
  throw illegalArgument(`unable to find a ${what} shard assigned to node [${nodes.get(nodeId)?.name ?? nodeId}]`);
}
