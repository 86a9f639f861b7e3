/**
 * The two phases of a publication as votes: propose, accept, count, commit.
 *
 * A proposal counts in the committed and in the proposed configuration, so that any two quorums around a reconfiguration
 * overlap. A lower version is legal under a higher term: an uncommitted suffix of the old leader is overwritten.
 */
import type { AcceptedState, NodeId } from './accepted-state.ts';
import {
  accepted,
  type ConsensusContext,
  type ConsensusState,
  type ConsensusStep,
  rejected,
} from './consensus-state.ts';
import { VERSION_MAX } from './term-reach.ts';
import { isQuorum, sameConfig } from './voting-config.ts';

/** The leader proposes `next`. The caller sends it to every node of the state, itself included. */
export function proposeState<V>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  next: AcceptedState<V>,
): ConsensusStep<V, AcceptedState<V>> {
  const { rules } = context;
  const last = state.accepted;
  if (!state.electionWon) return rejected('election not won');
  if (rules.ownProposalAcceptedFirst && state.lastPublishedVersion !== last.version) {
    return rejected(`own proposal ${state.lastPublishedVersion} is not accepted yet, ${last.version} is`);
  }
  if (next.term !== state.currentTerm) return rejected(`proposal of term ${next.term} in term ${state.currentTerm}`);
  if (next.version <= state.lastPublishedVersion) {
    return rejected(`proposal ${next.version} is not above ${state.lastPublishedVersion}`);
  }
  const isReconfiguration = !sameConfig(next.acceptedConfig, last.acceptedConfig);
  if (rules.oneReconfigurationAtATime && isReconfiguration && !sameConfig(last.committedConfig, last.acceptedConfig)) {
    return rejected('another reconfiguration is not committed yet');
  }
  if (rules.joinQuorumForNewConfig && !isQuorum(state.joinVotes, next.acceptedConfig)) {
    return rejected(`no quorum of [${next.acceptedConfig}] has voted for this leader`);
  }
  if (!sameConfig(next.committedConfig, last.committedConfig)) {
    return rejected('a proposal cannot change the committed configuration');
  }
  return accepted(
    context,
    {
      ...state,
      lastPublishedVersion: next.version,
      lastPublishedConfig: next.acceptedConfig,
      publishVotes: new Set(),
    },
    null,
    next,
  );
}

/** Accepts a proposal. It is durable before the acceptance is told. */
export function acceptState<V>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  proposal: AcceptedState<V>,
): ConsensusStep<V, { readonly term: number; readonly version: number }> {
  const { rules } = context;
  if (proposal.term !== state.currentTerm) {
    return rejected(`publication of term ${proposal.term} in term ${state.currentTerm}`);
  }
  if (proposal.version > VERSION_MAX) return rejected(`version ${proposal.version} is above ${VERSION_MAX}`);
  if (proposal.acceptedConfig.length === 0 || proposal.committedConfig.length === 0) {
    return rejected(`publication ${proposal.version} has no voting configuration`);
  }
  if (
    rules.versionGrowsWithinTerm &&
    proposal.term === state.accepted.term &&
    proposal.version <= state.accepted.version
  ) {
    return rejected(`publication ${proposal.version} of term ${proposal.term} is not above ${state.accepted.version}`);
  }
  return accepted(context, { ...state, accepted: proposal }, rules.persistAcceptedBeforeResponse ? 'accepted' : null, {
    term: proposal.term,
    version: proposal.version,
  });
}

/** The leader counts an acceptance. The output says whether the state is committed (again at each later acceptance). */
export function countPublishVote<V>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  from: NodeId,
  response: { readonly term: number; readonly version: number },
): ConsensusStep<V, { readonly committed: boolean }> {
  if (!state.electionWon) return rejected('election not won');
  if (response.term !== state.currentTerm || response.version !== state.lastPublishedVersion) {
    return rejected(
      `acceptance of ${response.term}/${response.version}, published is ${state.currentTerm}/${state.lastPublishedVersion}`,
    );
  }
  const publishVotes = new Set(state.publishVotes).add(from);
  const next = { ...state, publishVotes };
  return accepted(context, next, null, { committed: isPublishQuorum(context, next, publishVotes) });
}

/** Would these nodes commit what this leader published last. */
export function isPublishQuorum<V>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  votes: { has(id: NodeId): boolean },
): boolean {
  return (
    (!context.rules.publishQuorumInCommittedConfig || isQuorum(votes, state.accepted.committedConfig)) &&
    (!context.rules.publishQuorumInNewConfig || isQuorum(votes, state.lastPublishedConfig))
  );
}

/** Marks the accepted state committed. Its configuration is the committed one from now on, its cluster UUID final. */
export function commitState<V>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  commit: { readonly term: number; readonly version: number },
): ConsensusStep<V, AcceptedState<V>> {
  const last = state.accepted;
  if (commit.term !== state.currentTerm) return rejected(`commit of term ${commit.term} in term ${state.currentTerm}`);
  if (commit.term !== last.term || commit.version !== last.version) {
    return rejected(`commit of ${commit.term}/${commit.version}, accepted is ${last.term}/${last.version}`);
  }
  if (state.electionWon && state.lastPublishedVersion !== last.version) {
    return rejected(`commit of ${commit.version} while ${state.lastPublishedVersion} is being published`);
  }
  if (last.clusterUuidCommitted && sameConfig(last.committedConfig, last.acceptedConfig)) {
    return accepted(context, state, null, last);
  }
  const { value, ...header } = { ...last, committedConfig: last.acceptedConfig, clusterUuidCommitted: true };
  const committed: AcceptedState<V> = { ...header, value: context.stamp(value, header) };
  return accepted(context, { ...state, accepted: committed }, 'commit', committed);
}
