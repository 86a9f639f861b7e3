/**
 * Commands of `POST _cluster/reroute`: what somebody wants done to single copies, whatever balance says.
 *
 * They are explicit, so that the setting which disables allocation does not hold for them, and limits of recoveries neither; all
 * other deciders do. With `explain` a move is judged and not done, as in Elasticsearch.
 */
import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { illegalArgument, indexNotFound } from '@shoal/core';
import { AllocationRound } from './allocation-round.ts';
import { removeCopies } from './copy-removal.ts';
import { type Decision, decide } from './deciders/deciders.ts';
import { startRelocation } from './relocation.ts';
import { RoutingChanges } from './routing-changes.ts';
import type { AllocationContext } from './rules/allocation-context.ts';

/** Nodes are named by id or name. */
export type RerouteCommand =
  | {
      readonly kind: 'move';
      readonly index: string;
      readonly shard: number;
      readonly fromNode: string;
      readonly toNode: string;
    }
  | {
      readonly kind: 'cancel';
      readonly index: string;
      readonly shard: number;
      readonly node: string;
      readonly allowPrimary: boolean;
    };

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

interface Done {
  readonly state: ClusterState;
  readonly decisions: readonly Decision[];
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
    const done =
      command.kind === 'move' ? move(next, command, isExplained, context) : cancel(next, command, isExplained, context);
    next = done.state;
    explanations.push({ command: command.kind, parameters: parametersOf(command), decisions: done.decisions });
  }
  return { state: next, explanations };
}

function parametersOf(command: RerouteCommand): Readonly<Record<string, unknown>> {
  const { index, shard } = command;
  return command.kind === 'move'
    ? { index, shard, from_node: command.fromNode, to_node: command.toNode }
    : { index, shard, node: command.node, allow_primary: command.allowPrimary };
}

function move(
  state: ClusterState,
  { index, shard, fromNode, toNode }: Extract<RerouteCommand, { readonly kind: 'move' }>,
  isExplained: boolean,
  context: AllocationContext,
): Done {
  const [from, to] = [nodeNamed(state, fromNode), nodeNamed(state, toNode)];
  for (const [end, node] of [['source', from] as const, ['target', to] as const]) {
    if (node.roles.includes('data')) continue;
    throw illegalArgument(
      `[move_allocation] can't move [${index}][${shard}] from ${nodeText(from)} to ${nodeText(to)}: ${end} [${node.name}] is not a data node.`,
    );
  }
  const refuse = (why: string, refusal: string): Done => {
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
    const reason = decisions.map(({ decision, explanation }) => `[${decision}(${explanation})]`).join('');
    throw illegalArgument(
      `[move_allocation] can't move ${shard}, from ${nodeText(from)}, to ${nodeText(to)}, since its not allowed, reason: ${reason}`,
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
  const decisions = decide('canAllocate', round.input(copy, to)).map((decision): Decision => {
    if (decision.decider === 'enable') return { ...decision, decision: 'YES', explanation: IGNORED_ENABLE };
    if (decision.decider !== 'same_shard' || copy.nodeId !== to.id) return decision;
    return no('same_shard', `this shard is already allocated to this node [${nodeText(to)}]`);
  });
  // The copies of a closed index have no engine that a target could recover from.
  const isClosed = round.changes.index(copy.index).state === 'close';
  return isClosed ? [...decisions, no('closed_index', 'the copies of a closed index cannot be moved')] : decisions;
}

function cancel(
  state: ClusterState,
  { index, shard, node: name, allowPrimary }: Extract<RerouteCommand, { readonly kind: 'cancel' }>,
  isExplained: boolean,
  context: Pick<AllocationContext, 'nowMs'>,
): Done {
  const node = nodeNamed(state, name);
  if (!state.metadata.indices.has(index)) throw indexNotFound(index);
  const decided = (decision: 'YES' | 'NO', explanation: string): readonly Decision[] => [
    { decider: 'cancel_allocation_command', decision, explanation },
  ];
  const refuse = (why: string): Done => {
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
    lastNodeId: copy.nodeId,
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

function nodeNamed({ nodes }: ClusterState, wanted: string): DiscoveryNode {
  const found = nodes.get(wanted);
  if (found !== undefined) return found;
  const named = [...nodes.values()].filter(({ name }) => name === wanted);
  const [only] = named;
  if (only === undefined) throw illegalArgument(`failed to resolve [${wanted}], no matching nodes`);
  if (named.length === 1) return only;
  const ids = named.map(({ id }) => id).join(', ');
  throw illegalArgument(
    `resolved [${wanted}] into [${named.length}] nodes, where expected to be resolved to a single node: [${ids}]`,
  );
}

/** A node as Elasticsearch writes it in texts, as far as there is a like. */
function nodeText({ name, id, ephemeralId, address }: DiscoveryNode): string {
  return `{${name}}{${id}}{${ephemeralId}}{${address.host}}{${address.host}:${address.port}}`;
}

function no(decider: string, explanation: string): Decision {
  return { decider, decision: 'NO', explanation };
}
