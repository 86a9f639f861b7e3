/**
 * Commands that put a copy without a node on one: a replica, or a primary whose documents are lost, from a copy that lacks
 * acknowledged writes or from nothing.
 *
 * The latter two are the only ways in which an acknowledged write is given up, and somebody must have accepted that.
 */
import type { ClusterState, ShardRouting, UnassignedInfo } from '@shoal/cluster-state';
import { illegalArgument, indexNotFound, ShoalError } from '@shoal/core';
import { isPrimaryActive } from '../reading/active-copy.ts';
import { isNeverStarted } from '../reading/resize-source.ts';
import { AllocationRound } from './allocation-round.ts';
import { assigned } from './choice.ts';
import { type Decision, decide } from './deciders/deciders.ts';
import { type CommandDone, decisionsText, nodeNamed, nodeText, type RerouteCommand } from './reroute-command.ts';
import { RoutingChanges } from './routing-changes.ts';
import type { AllocationContext } from './rules/allocation-context.ts';

type PrimaryCommand = Extract<RerouteCommand, { readonly acceptDataLoss: boolean }>;
type ReplicaCommand = Extract<RerouteCommand, { readonly kind: 'allocate_replica' }>;

/** Deciders that hold for limits and the balance, which an explicit command goes before. */
const NOT_BINDING: readonly string[] = ['enable', 'throttling'];

export function allocateReplica(
  state: ClusterState,
  command: ReplicaCommand,
  isExplained: boolean,
  context: AllocationContext,
): CommandDone {
  const { index, shard } = command;
  const node = nodeNamed(state, command.node);
  const refuse = refusing(state, command, isExplained);
  if (!node.roles.includes('data')) return refuse(`allocation can only be done on data nodes, not [${command.node}]`);
  const copies = copiesOf(state, command);
  const name = `[${index}][${shard}]`;
  if (!isPrimaryActive(copies)) {
    const what = copies[0]?.nodeId === null ? 'unassigned' : 'not active';
    return refuse(`trying to allocate a replica shard ${name}, while corresponding primary shard is still ${what}`);
  }
  const copy = copies.find(({ nodeId }) => nodeId === null);
  if (copy === undefined) {
    return refuse(`all copies of ${name} are already assigned. Use the move allocation command instead`);
  }
  const round = new AllocationRound(state, context);
  const decisions = decide('canAllocate', round.input(copy, node));
  const refusals = decisions.filter(({ decision, decider }) => decision === 'NO' && !NOT_BINDING.includes(decider));
  if (refusals.length > 0) {
    if (isExplained) return { state, decisions };
    throw illegalArgument(
      `[${command.kind}] allocation of ${name} on node ${nodeText(node)} is not allowed, reason: ${decisionsText(refusals)}`,
    );
  }
  round.assign(copy, assigned(copy, { nodeId: node.id, allocationId: context.newAllocationId() }));
  return { state: round.changes.finish(), decisions };
}

export function allocatePrimary(
  state: ClusterState,
  command: PrimaryCommand,
  isExplained: boolean,
  context: AllocationContext,
): CommandDone {
  const { index, shard, kind, acceptDataLoss } = command;
  const node = nodeNamed(state, command.node);
  const refuse = refusing(state, command, isExplained);
  if (!node.roles.includes('data')) return refuse(`allocation can only be done on data nodes, not [${command.node}]`);
  const [primary] = copiesOf(state, command);
  const name = `[${index}][${shard}]`;
  if (primary === undefined || primary.nodeId !== null) return refuse(`primary ${name} is already assigned`);
  const isStale = kind === 'allocate_stale_primary';
  if (!acceptDataLoss && (isStale || !isNeverStarted(primary))) {
    const what = isStale ? 'a stale primary' : 'an empty primary';
    return refuse(
      `allocating ${what} for ${name} can result in data loss. Please confirm by setting the accept_data_loss parameter to true`,
    );
  }
  if (isStale && isNeverStarted(primary)) {
    return refuse(`trying to allocate an existing primary shard ${name}, while no such shard has ever been active`);
  }
  const changes = new RoutingChanges(state);
  if (isStale) {
    const { indexUuid } = primary;
    const found = context.stores.find({ indexUuid, shard, nodeId: node.id, ephemeralId: node.ephemeralId });
    if (found === undefined) return refuse(`what node [${node.name}] has of shard [${shard}] is still being retrieved`);
    if (found === null) return refuse(`No data for shard [${shard}] of index [${index}] found on node [${node.name}]`);
    const forced = assigned(primary, { nodeId: node.id, allocationId: found });
    changes.replace(primary, { ...forced, isForced: true });
    // It is all that is left: whoever had more has another history from here on.
    changes.setInSync(index, shard, [found]);
  } else {
    const unassigned = emptyInfo(primary, context.nowMs);
    const empty = assigned(primary, { nodeId: node.id, allocationId: context.newAllocationId() });
    changes.replace(primary, { ...empty, recoverySource: 'EMPTY_STORE', unassigned });
  }
  changes.bumpPrimaryTerm(index, shard);
  const decision = {
    decider: `${kind} (allocation command)`,
    decision: 'YES',
    explanation: 'ignore deciders',
  } as const;
  return { state: changes.finish(), decisions: [decision] };
}

function refusing(state: ClusterState, { kind }: RerouteCommand, isExplained: boolean): (why: string) => CommandDone {
  return (why) => {
    if (!isExplained) throw illegalArgument(`[${kind}] ${why}`);
    const decision: Decision = { decider: `${kind} (allocation command)`, decision: 'NO', explanation: why };
    return { state, decisions: [decision] };
  };
}

function copiesOf(state: ClusterState, { index, shard }: RerouteCommand): readonly ShardRouting[] {
  const shards = state.routing.indices.get(index);
  if (shards === undefined) throw indexNotFound(index);
  const copies = shards[shard];
  if (copies === undefined) throw new ShoalError('shard_not_found_exception', 404, 'no such shard');
  return copies;
}

function emptyInfo({ unassigned }: ShardRouting, nowMs: number): UnassignedInfo {
  const previous = [unassigned?.reason, unassigned?.details].filter((text) => text != null).join(', ');
  return {
    reason: 'FORCED_EMPTY_PRIMARY',
    atMs: nowMs,
    failedAllocations: 0,
    details: `force empty allocation from previous reason ${previous}`,
    allocationStatus: 'no_attempt',
    lastNodeId: unassigned?.lastNodeId ?? null,
    ...(unassigned?.lastNodeName === undefined ? {} : { lastNodeName: unassigned.lastNodeName }),
  };
}
