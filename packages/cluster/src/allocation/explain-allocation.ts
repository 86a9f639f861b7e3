/**
 * The body of `_cluster/allocation/explain`, from the deciders and choices that allocation itself uses.
 */

import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { illegalArgument, indexNotFound } from '@shoal/core';
import type { AllocationContext } from './allocation-context.ts';
import { delayLeftMs, nodeLeftDelayMs } from './allocation-delay.ts';
import { retryWaitMs } from './allocation-retry.ts';
import { AllocationRound } from './allocation-round.ts';
import type { Choice } from './choice.ts';
import { choosePrimary } from './choose-primary.ts';
import { chooseReplica } from './choose-replica.ts';
import { type Decision, dataNodes, decide } from './deciders.ts';

export interface ExplainOptions {
  /** null: the first unassigned shard, primaries before replicas. */
  readonly shard: { readonly index: string; readonly shard: number; readonly isPrimary: boolean } | null;
  readonly includeYesDecisions: boolean;
}

type Json = Record<string, unknown>;

const NODE_DECISIONS = { YES: 'yes', NO: 'no', THROTTLE: 'throttled' } as const;

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
  const view: View = { state, copy, context, round, includeYes: options.includeYesDecisions };
  return copy.nodeId === null
    ? { ...head, ...explainUnassigned(view) }
    : { ...head, ...explainAssigned(view, copy.nodeId) };
}

interface View {
  readonly state: ClusterState;
  readonly copy: ShardRouting;
  readonly context: AllocationContext;
  /** What allocation would decide by now; nothing is assigned in it. */
  readonly round: AllocationRound;
  readonly includeYes: boolean;
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

function namedCopy(state: ClusterState, wanted: NonNullable<ExplainOptions['shard']>): ShardRouting {
  const shards = state.routing.indices.get(wanted.index);
  if (shards === undefined) throw indexNotFound(wanted.index);
  const copies = shards[wanted.shard];
  if (copies === undefined) throw illegalArgument(`no such shard [${wanted.index}][${wanted.shard}]`);
  const candidates = copies.filter((copy) => copy.isPrimary === wanted.isPrimary);
  const found = candidates.find((copy) => copy.state !== 'STARTED') ?? candidates[0];
  if (found === undefined)
    throw illegalArgument(`unable to find a replica shard for [${wanted.index}][${wanted.shard}]`);
  return found;
}

function explainUnassigned(view: View): Json {
  const { copy, state, round } = view;
  const info = copy.unassigned;
  const { nodes } = round;
  const choice: Choice = copy.isPrimary ? choosePrimary(round, copy) : chooseReplica(round, copy);
  const target = choice.kind === 'assign' ? state.nodes.get(choice.nodeId) : undefined;
  return {
    ...(info === null
      ? {}
      : {
          unassigned_info: {
            reason: info.reason,
            at: new Date(info.atMs).toISOString(),
            ...(info.failedAllocations > 0 ? { failed_allocation_attempts: info.failedAllocations } : {}),
            ...(info.details === null ? {} : { details: info.details }),
            last_allocation_status: lastStatus(info.allocationStatus),
          },
        }),
    can_allocate: canAllocate(choice),
    allocate_explanation: allocateExplanation(view, choice, nodes.length),
    ...(target === undefined ? {} : { target_node: nodeHead(target) }),
    ...(choice.kind === 'leave' && choice.status === 'delayed_allocation' ? delayBody(view) : {}),
    ...(info?.lastNodeId === null || info?.lastNodeId === undefined ? {} : { last_node_id: info.lastNodeId }),
    node_allocation_decisions: nodes.map((node) => nodeDecision(view, node)),
  };
}

function explainAssigned(view: View, nodeId: string): Json {
  const { state } = view;
  const node = state.nodes.get(nodeId);
  const others = dataNodes(state).filter((other) => other.id !== nodeId);
  return {
    current_node: node === undefined ? { id: nodeId } : { ...nodeHead(node), weight_ranking: ranking(view, nodeId) },
    can_remain_on_current_node: 'yes',
    can_rebalance_cluster: 'no',
    can_rebalance_to_other_node: 'no',
    rebalance_explanation: 'moving started shards to other nodes is not built in this version yet',
    node_allocation_decisions: others.map((other) => nodeDecision(view, other)),
  };
}

function nodeDecision(view: View, node: DiscoveryNode): Json {
  const { state, copy, round } = view;
  const decisions = decide(round.input(copy, node));
  const verdict = round.verdict(copy, node);
  const needsStore = copy.state === 'UNASSIGNED' && copy.isPrimary && copy.recoverySource === 'EXISTING_STORE';
  const inSync = state.metadata.indices.get(copy.index)?.inSyncAllocations[copy.shard] ?? [];
  const looksForStore = needsStore || (copy.state === 'UNASSIGNED' && !copy.isPrimary);
  const found = looksForStore ? round.storeOn(copy, node) : undefined;
  const hasGoodStore = typeof found === 'string' && inSync.includes(found);
  const shown = decisions.filter((decision) => view.includeYes || decision.decision !== 'YES');
  return {
    node_id: node.id,
    node_name: node.name,
    transport_address: `${node.address.host}:${node.address.port}`,
    ...(Object.keys(node.attributes).length === 0 ? {} : { node_attributes: node.attributes }),
    node_decision: needsStore && !hasGoodStore ? 'no' : NODE_DECISIONS[verdict],
    ...(needsStore || typeof found === 'string'
      ? { store: store(found, hasGoodStore) }
      : { weight_ranking: ranking(view, node.id) }),
    ...(shown.length === 0 ? {} : { deciders: shown.map(renderDecision) }),
  };
}

function store(found: string | null | undefined, inSync: boolean): Json {
  if (found === undefined) return { found: false, store_exception: 'not asked yet' };
  return found === null ? { found: false } : { in_sync: inSync, allocation_id: found };
}

function renderDecision(decision: Decision): Json {
  return { decider: decision.decider, decision: decision.decision, explanation: decision.explanation };
}

function nodeHead(node: DiscoveryNode): Json {
  return {
    id: node.id,
    name: node.name,
    transport_address: `${node.address.host}:${node.address.port}`,
    ...(Object.keys(node.attributes).length === 0 ? {} : { attributes: node.attributes }),
  };
}

/** Rank of a data node, 1 for the emptiest; equal weights share a rank. */
function ranking(view: View, nodeId: string): number {
  const { round, copy } = view;
  const own = round.weight(copy, nodeId);
  const lighter = new Set(round.nodes.map((node) => round.weight(copy, node.id)).filter((weight) => weight < own));
  return lighter.size + 1;
}

/** `configured_delay` and `remaining_delay` of a copy that waits for its node. */
function delayBody({ state, copy, context }: View): Json {
  const index = state.metadata.indices.get(copy.index);
  return {
    configured_delay_in_millis: index === undefined ? 0 : nodeLeftDelayMs(index),
    remaining_delay_in_millis: delayLeftMs(state, copy, context.nowMs),
  };
}

function canAllocate(choice: Choice): string {
  if (choice.kind === 'assign') return 'yes';
  switch (choice.status) {
    case 'no_valid_shard_copy':
      return 'no_valid_shard_copy';
    case 'fetching_shard_data':
      return 'awaiting_info';
    case 'deciders_throttled':
      return 'throttled';
    case 'delayed_allocation':
      return 'allocation_delayed';
    default:
      return 'no';
  }
}

function lastStatus(status: string): string {
  // A delay is a mark of its own in Elasticsearch.
  if (status === 'delayed_allocation') return 'no_attempt';
  return status === 'deciders_no' ? 'no' : status === 'no_attempt' ? 'no_attempt' : status.replace('deciders_', '');
}

function allocateExplanation(view: View, choice: Choice, dataNodeCount: number): string {
  if (choice.kind === 'assign') return 'can allocate the shard';
  const { copy, context, state } = view;
  switch (choice.status) {
    case 'no_valid_shard_copy':
      return copy.isPrimary
        ? `cannot allocate because a previous copy of the primary shard existed but can no longer be found on the nodes in the cluster.${lastPlace(copy)}`
        : 'cannot allocate because the index is closed and no other node holds a copy of the shard that is in sync';
    case 'fetching_shard_data':
      return 'cannot allocate because information about existing shard data is still being retrieved from some of the nodes';
    case 'deciders_throttled': {
      const waitMs = retryWaitMs(state, copy, context.nowMs) ?? 0;
      return waitMs > 0
        ? `cannot allocate because the last attempt failed: the next one begins in [${Math.ceil(waitMs)}ms]`
        : 'allocation temporarily throttled';
    }
    case 'delayed_allocation': {
      const left = `${Math.ceil(delayLeftMs(state, copy, context.nowMs) / 100) / 10}s`;
      const hasNode = dataNodes(state).some((node) => view.round.verdict(copy, node) === 'YES');
      const despite = hasNode ? ', despite being allowed to allocate the shard to at least one other node' : '';
      return `cannot allocate because the cluster is still waiting ${left} for the departed node holding a replica to rejoin${despite}`;
    }
    default:
      return dataNodeCount === 0
        ? 'cannot allocate because there is no node with the data role in the cluster'
        : 'cannot allocate because allocation is not permitted to any of the nodes';
  }
}

function lastPlace({ unassigned }: ShardRouting): string {
  const last = unassigned?.lastNodeId;
  return last === null || last === undefined ? '' : ` The node that held it last has the id [${last}].`;
}
