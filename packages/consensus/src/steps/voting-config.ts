/**
 * Voting configurations: sets of node ids with majority quorums.
 */
import type { NodeId, VotingConfig } from './accepted-state.ts';

/** The ids as a configuration: sorted by code unit, once each. */
export function votingConfig(ids: Iterable<NodeId>): VotingConfig {
  return [...new Set(ids)].sort();
}

/** True when more than half of the configuration is in `votes`. An empty configuration has no quorum. */
export function isQuorum(votes: { has(id: NodeId): boolean }, config: VotingConfig): boolean {
  let count = 0;
  for (const id of config) if (votes.has(id)) count += 1;
  return count * 2 > config.length;
}

export function sameConfig(a: VotingConfig, b: VotingConfig): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
