/**
 * Which nodes should vote: the largest odd number of live eligible nodes, kept at three where three were.
 *
 * Never shrinks by itself below a configuration that survives the loss of one node, and is adopted only if the nodes that
 * are alive now are a quorum of it. With two nodes one alone votes: losing it stops the cluster, which the log says.
 */
import type { NodeId, VotingConfig } from './accepted-state.ts';
import { isQuorum, votingConfig } from './voting-config.ts';

/** Smallest size of a configuration that survives the loss of a node; auto-shrink keeps it. */
const RESILIENT_SIZE = 3;

export interface ReconfigurationInput {
  /** Eligible members whose vote the leader holds. */
  readonly live: ReadonlySet<NodeId>;
  readonly excluded: ReadonlySet<NodeId>;
  readonly manager: NodeId;
  readonly current: VotingConfig;
  readonly autoShrink: boolean;
}

/** The configuration to publish next; equal to `current` when it should stay. */
export function reconfigure(input: ReconfigurationInput): VotingConfig {
  const { live, excluded, manager, current } = input;
  const staying = current.filter((id) => !excluded.has(id));
  const liveVoters = [...live].filter((id) => !excluded.has(id));
  const rank = (id: NodeId): number =>
    (id === manager ? 0 : 4) + (live.has(id) ? 0 : 2) + (current.includes(id) ? 0 : 1);
  const candidates = votingConfig([...liveVoters, ...staying])
    .map((id) => ({ id, rank: rank(id) }))
    .sort((a, b) => a.rank - b.rank || (a.id < b.id ? -1 : 1));
  const sizeMin = input.autoShrink ? (staying.length < RESILIENT_SIZE ? 1 : RESILIENT_SIZE) : staying.length;
  const size = Math.max(roundDownToOdd(liveVoters.length), sizeMin);
  const next = votingConfig(candidates.slice(0, size).map((candidate) => candidate.id));
  return isQuorum(new Set(liveVoters), next) ? next : current;
}

function roundDownToOdd(count: number): number {
  return count % 2 === 0 ? count - 1 : count;
}
