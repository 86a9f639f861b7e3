/**
 * Explanation of a copy that has no node: why, and which nodes it could have.
 */
import type { DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { delayLeftMs, nodeLeftDelayMs } from '../allocation-delay.ts';
import type { Choice } from '../choice.ts';
import { choosePrimary } from '../choose-primary.ts';
import { chooseReplica } from '../choose-replica.ts';
import { decide } from '../deciders/deciders.ts';
import { retryWaitMs } from '../rules/allocation-retry.ts';
import {
  DECISION_WORDS,
  decidedNode,
  type ExplainView,
  type Json,
  nodeHead,
  ranking,
  shownDecisions,
} from './explained-node.ts';

export function explainUnassigned(view: ExplainView): Json {
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

function nodeDecision(view: ExplainView, node: DiscoveryNode): Json {
  const { state, copy, round } = view;
  const verdict = round.verdict(copy, node);
  const needsStore = copy.isPrimary && copy.recoverySource === 'EXISTING_STORE';
  const inSync = state.metadata.indices.get(copy.index)?.inSyncAllocations[copy.shard] ?? [];
  const looksForStore = needsStore || !copy.isPrimary;
  const found = looksForStore ? round.storeOn(copy, node) : undefined;
  const hasGoodStore = typeof found === 'string' && inSync.includes(found);
  const shown = shownDecisions(view, decide('canAllocate', round.input(copy, node)));
  return {
    ...decidedNode(node),
    node_decision: needsStore && !hasGoodStore ? 'no' : DECISION_WORDS[verdict],
    ...(needsStore || typeof found === 'string'
      ? { store: store(found, hasGoodStore) }
      : { weight_ranking: ranking(view, node.id) }),
    ...(shown.length === 0 ? {} : { deciders: shown }),
  };
}

function store(found: string | null | undefined, inSync: boolean): Json {
  if (found === undefined) return { found: false, store_exception: 'not asked yet' };
  return found === null ? { found: false } : { in_sync: inSync, allocation_id: found };
}

/** `configured_delay` and `remaining_delay` of a copy that waits for its node. */
function delayBody({ state, copy, context }: ExplainView): Json {
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

function allocateExplanation(view: ExplainView, choice: Choice, dataNodeCount: number): string {
  if (choice.kind === 'assign') return 'can allocate the shard';
  const { copy, context, state } = view;
  switch (choice.status) {
    case 'no_valid_shard_copy':
      return `cannot allocate because a previous copy of the primary shard existed but can no longer be found on the nodes in the cluster.${lastPlace(copy)}`;
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
      const hasNode = view.round.nodes.some((node) => view.round.verdict(copy, node) === 'YES');
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
