/**
 * Commands of `POST _cluster/reroute`: what somebody wants done to single copies, whatever balance says.
 *
 * They are explicit, so that the setting which disables allocation does not hold for them, and limits of recoveries neither; all
 * other deciders do. With `explain` a move is judged and not done, as in Elasticsearch.
 */
import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { illegalArgument, indexNotFound, unreachable } from '@shoal/core';
import { allocatePrimary, allocateReplica } from './allocate-commands.ts';
import { AllocationRound } from './allocation-round.ts';
import { removeCopies } from './copy-removal.ts';
import { type Decision, decide } from './deciders/deciders.ts';
import { startRelocation } from './relocation.ts';
import { type CommandDone, decisionsText, nodeNamed, nodeText, type RerouteCommand } from './reroute-command.ts';
import { RoutingChanges } from './routing-changes.ts';
import type { AllocationContext } from './rules/allocation-context.ts';

/** One entry of `explanations`. */
export interface CommandExplanation {
  readonly command: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly decisions: readonly Decision[];
}

export interface CommandsDone {
  readonly state: ClusterState;
  readonly explanations: readonly CommandExplanation[];
}

const IGNORED_ENABLE =
  'explicitly ignoring any disabling of allocation due to manual allocation commands via the reroute API';

/**
 * The state after the commands, in their order. Throws 400 when one cannot be done, unless they are only to be explained.
 *
 * @param isExplained whether what cannot be done is explained instead
 */
export function applyRerouteCommands(
  state: ClusterState,
  commands: readonly RerouteCommand[],
  isExplained: boolean,
  context: AllocationContext,
): CommandsDone {
  let next = state;
  const explanations: CommandExplanation[] = [];
  for (const command of commands) {
    const done = doCommand(next, command, isExplained, context);
    next = done.state;
    explanations.push({ command: command.kind, parameters: parametersOf(command), decisions: done.decisions });
  }
  return { state: next, explanations };
}

function doCommand(
  state: ClusterState,
  command: RerouteCommand,
  isExplained: boolean,
  context: AllocationContext,
): CommandDone {
  switch (command.kind) {
    case 'move':
      return move(state, command, isExplained, context);
    case 'cancel':
      return cancel(state, command, isExplained, context);
    case 'allocate_replica':
      return allocateReplica(state, command, isExplained, context);
    case 'allocate_stale_primary':
    case 'allocate_empty_primary':
      return allocatePrimary(state, command, isExplained, context);
    default:
      return unreachable(command);
  }
}

function parametersOf(command: RerouteCommand): Readonly<Record<string, unknown>> {
  const { index, shard } = command;
  switch (command.kind) {
    case 'move':
      return { index, shard, from_node: command.fromNode, to_node: command.toNode };
    case 'cancel':
      return { index, shard, node: command.node, allow_primary: command.allowPrimary };
    case 'allocate_replica':
      return { index, shard, node: command.node };
    case 'allocate_stale_primary':
    case 'allocate_empty_primary':
      return { index, shard, node: command.node, accept_data_loss: command.acceptDataLoss };
    default:
      return unreachable(command);
  }
}

function move(
  state: ClusterState,
  { index, shard, fromNode, toNode }: Extract<RerouteCommand, { readonly kind: 'move' }>,
  isExplained: boolean,
  context: AllocationContext,
): CommandDone {
  const [from, to] = [nodeNamed(state, fromNode), nodeNamed(state, toNode)];
  for (const [end, node] of [['source', from] as const, ['target', to] as const]) {
    if (node.roles.includes('data')) continue;
    throw illegalArgument(
      `[move_allocation] can't move [${index}][${shard}] from ${nodeText(from)} to ${nodeText(to)}: ${end} [${node.name}] is not a data node.`,
    );
  }
  const refuse = (why: string, refusal: string): CommandDone => {
    if (isExplained) return { state, decisions: [no('move_allocation_command', why)] };
    throw illegalArgument(`[move_allocation] can't move ${shard}, ${refusal}`);
  };
  const copy = copyOn(state, index, shard, from);
  if (copy === null) return refuse(`shard ${shard} not found`, `failed to find it on node ${nodeText(from)}`);
  if (copy.state !== 'STARTED') {
    return refuse(`shard ${shard} has not been started`, `shard is not started (state = ${copy.state}]`);
  }
  const decisions = moveDecisions(state, copy, to, context);
  if (isExplained) return { state, decisions };
  if (decisions.some(({ decision }) => decision === 'NO')) {
    throw illegalArgument(
      `[move_allocation] can't move ${shard}, from ${nodeText(from)}, to ${nodeText(to)}, since its not allowed, reason: ${decisionsText(decisions)}`,
    );
  }
  const changes = new RoutingChanges(state);
  startRelocation(changes, copy, { nodeId: to.id, allocationId: context.newAllocationId() });
  return { state: changes.finish(), decisions };
}

function moveDecisions(
  state: ClusterState,
  copy: ShardRouting,
  to: DiscoveryNode,
  context: AllocationContext,
): readonly Decision[] {
  const round = new AllocationRound(state, context);
  return decide('canAllocate', round.input(copy, to)).map((decision): Decision => {
    if (decision.decider === 'enable') return { ...decision, decision: 'YES', explanation: IGNORED_ENABLE };
    if (decision.decider !== 'same_shard' || copy.nodeId !== to.id) return decision;
    return no('same_shard', `this shard is already allocated to this node [${nodeText(to)}]`);
  });
}

function cancel(
  state: ClusterState,
  { index, shard, node: name, allowPrimary }: Extract<RerouteCommand, { readonly kind: 'cancel' }>,
  isExplained: boolean,
  context: Pick<AllocationContext, 'nowMs'>,
): CommandDone {
  const node = nodeNamed(state, name);
  if (!state.metadata.indices.has(index)) throw indexNotFound(index);
  const decided = (decision: 'YES' | 'NO', explanation: string): readonly Decision[] => [
    { decider: 'cancel_allocation_command', decision, explanation },
  ];
  const refuse = (why: string): CommandDone => {
    if (isExplained) return { state, decisions: decided('NO', why) };
    throw illegalArgument(`[cancel_allocation] ${why}`);
  };
  const copy = copyOn(state, index, shard, node);
  if (copy === null) return refuse(`can't cancel ${shard}, failed to find it on node ${nodeText(node)}`);
  if (copy.isPrimary && !allowPrimary) {
    const what = `can't cancel ${shard} on node ${nodeText(node)}`;
    return refuse(`${what}, shard is primary and ${copy.state.toLowerCase()}`);
  }
  const changes = new RoutingChanges(state);
  const inSync = changes.index(index).inSyncAllocations[shard] ?? [];
  const rest = inSync.filter((id) => id !== copy.allocationId);
  // It is not to come back as it is, unless nobody else has what it has.
  if (rest.length > 0 && rest.length < inSync.length) changes.setInSync(index, shard, rest);
  const info = {
    reason: 'REROUTE_CANCELLED',
    atMs: context.nowMs,
    failedAllocations: 0,
    details: null,
    allocationStatus: 'no_attempt',
    ...changes.nodeOf(copy),
  } as const;
  removeCopies(changes, { index, shard }, (other) => (other === copy ? info : null), context.nowMs);
  return {
    state: changes.finish(),
    decisions: decided('YES', `shard ${shard} on node ${nodeText(node)} can be cancelled`),
  };
}

function copyOn(state: ClusterState, index: string, shard: number, node: DiscoveryNode): ShardRouting | null {
  const copies = state.routing.indices.get(index)?.[shard] ?? [];
  return copies.find(({ nodeId }) => nodeId === node.id) ?? null;
}

function no(decider: string, explanation: string): Decision {
  return { decider, decision: 'NO', explanation };
}
