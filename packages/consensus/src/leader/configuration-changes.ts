/**
 * Voting configuration of an idle leader: a better one is published, and a leader that is excluded itself hands over.
 *
 * Pure decisions about the accepted state; the leadership acts on them.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { NodeId, StateHeader, VotingConfig } from '../steps/accepted-state.ts';
import { isEligible, mayLead } from '../steps/node-roles.ts';
import { reconfigure } from '../steps/reconfiguration.ts';
import { sameConfig } from '../steps/voting-config.ts';

export interface LeaderView {
  readonly localId: NodeId;
  readonly accepted: StateHeader;
  readonly members: ReadonlyMap<NodeId, DiscoveryNode>;
  readonly excluded: ReadonlySet<NodeId>;
}

/**
 * A better voting configuration, if one can be published now; null otherwise.
 *
 * @param voters nodes whose vote of this term the leader holds
 */
export function betterConfig(
  view: LeaderView,
  voters: { has(id: NodeId): boolean },
  autoShrink: boolean,
): VotingConfig | null {
  const { accepted, members } = view;
  if (!sameConfig(accepted.acceptedConfig, accepted.committedConfig)) return null;
  const live = [...members.values()].filter((node) => isEligible(node) && voters.has(node.id));
  const config = reconfigure({
    live: new Set(live.map((node) => node.id)),
    excluded: view.excluded,
    manager: view.localId,
    current: accepted.acceptedConfig,
    autoShrink,
  });
  return sameConfig(config, accepted.acceptedConfig) ? null : config;
}

/** True for two eligible nodes of which one alone votes: losing it stops the cluster. */
export function dependsOnOneOfTwo(view: LeaderView, config: VotingConfig): boolean {
  return config.length === 1 && [...view.members.values()].filter(isEligible).length === 2;
}

/**
 * The node that a leader out of the voting configuration and excluded from it hands over to; null while it may lead on, or
 * nobody else can.
 *
 * @param gone members that are about to be removed: chosen only when there is no other
 */
export function successorOfExcluded(view: LeaderView, gone: ReadonlySet<NodeId>): DiscoveryNode | null {
  if (view.accepted.committedConfig.includes(view.localId) || !view.excluded.has(view.localId)) return null;
  return otherVoter(view, gone);
}

/**
 * The voter that a leader hands over to; null where it votes alone.
 *
 * @param gone members that are about to be removed: chosen only when there is no other
 */
export function otherVoter(
  { accepted, members, localId }: LeaderView,
  gone: ReadonlySet<NodeId>,
): DiscoveryNode | null {
  const others = accepted.committedConfig.filter((id) => id !== localId);
  const candidates = others.flatMap((id) => members.get(id) ?? []).filter(mayLead);
  return candidates.find((node) => !gone.has(node.id)) ?? candidates[0] ?? null;
}
