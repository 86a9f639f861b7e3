/**
 * One node in the body of `_cluster/allocation/explain`: what each decider says of it, and how it ranks.
 */

import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { showHostPort } from '@shoal/core';
import { shownRoles } from '../../reading/node-roles.ts';
import type { AllocationRound } from '../allocation-round.ts';
import type { Decision } from '../deciders/deciders.ts';
import type { AllocationContext } from '../rules/allocation-context.ts';

export type Json = Record<string, unknown>;

export interface ExplainView {
  readonly state: ClusterState;
  readonly copy: ShardRouting;
  readonly context: AllocationContext;
  /** What allocation would decide by now; nothing is assigned in it. */
  readonly round: AllocationRound;
  readonly includeYes: boolean;
}

/** Words of the answer for what deciders say together. */
export const DECISION_WORDS = { YES: 'yes', NO: 'no', THROTTLE: 'throttled' } as const;

/** How a node is named within the decisions on it. */
export function decidedNode(node: DiscoveryNode): Json {
  return {
    node_id: node.id,
    node_name: node.name,
    transport_address: showHostPort(node.address),
    node_attributes: node.attributes,
    roles: shownRoles(node.roles),
  };
}

/** How a node is named where the copy is, or goes to. */
export function nodeHead(node: DiscoveryNode): Json {
  return {
    id: node.id,
    name: node.name,
    transport_address: showHostPort(node.address),
    attributes: node.attributes,
    roles: shownRoles(node.roles),
  };
}

/** Rank of a data node, 1 for the emptiest; equal weights share a rank. */
export function ranking(view: ExplainView, nodeId: string): number {
  const { round, copy } = view;
  const own = round.weight(copy, nodeId);
  const lighter = new Set(round.nodes.map((node) => round.weight(copy, node.id)).filter((weight) => weight < own));
  return lighter.size + 1;
}

/** Decisions that the request wants to see. */
export function shownDecisions({ includeYes }: ExplainView, decisions: readonly Decision[]): readonly Json[] {
  return decisions
    .filter(({ decision }) => includeYes || decision !== 'YES')
    .map(({ decider, decision, explanation }) => ({ decider, decision, explanation }));
}
