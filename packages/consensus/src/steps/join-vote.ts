/**
 * Join votes: how a node enters a term, gives its one vote in it, and counts the votes for itself.
 *
 * A node that restarts forgets its votes but not its term. It must not count joins of a term it did not enter since that
 * restart, or a rebooted leader could publish a second, different state under a version it has already used.
 */
import type { NodeId } from './accepted-state.ts';
import {
  accepted,
  type ConsensusContext,
  type ConsensusState,
  type ConsensusStep,
  isAtMostAsFresh,
  isElectionQuorum,
  rejected,
} from './consensus-state.ts';
import type { Join } from './coord-message.ts';

/** Enters `term` and votes for `candidate` in it. The term is durable before the vote leaves: a crash may lose it, never repeat it. */
export function startJoin<V>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  candidate: NodeId,
  term: number,
): ConsensusStep<V, Join> {
  const { rules } = context;
  if (rules.termStrictlyHigher ? term <= state.currentTerm : term < state.currentTerm) {
    return rejected(`term ${term} is not above current term ${state.currentTerm}`);
  }
  const vote: Join = {
    from: context.localId,
    to: candidate,
    term,
    acceptedTerm: state.accepted.term,
    acceptedVersion: state.accepted.version,
  };
  const next: ConsensusState<V> = {
    currentTerm: term,
    accepted: state.accepted,
    joinVotes: new Map(),
    startedJoinSinceReboot: true,
    electionWon: false,
    lastPublishedVersion: 0,
    lastPublishedConfig: state.accepted.acceptedConfig,
    publishVotes: new Set(),
  };
  return accepted(context, next, rules.persistTermBeforeJoin ? 'term' : null, vote);
}

/** Counts a vote for this node. The output says whether this vote is new and whether it won the election. */
export function countJoin<V>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  join: Join,
): ConsensusStep<V, { readonly isNewVote: boolean; readonly wonNow: boolean }> {
  const { rules } = context;
  const last = state.accepted;
  if (join.to !== context.localId) return rejected(`vote of [${join.from}] is for [${join.to}]`);
  if (join.term !== state.currentTerm) return rejected(`vote of term ${join.term} in term ${state.currentTerm}`);
  if (rules.startedJoinSinceReboot && !state.startedJoinSinceReboot) {
    return rejected(`term ${state.currentTerm} was entered before this process started`);
  }
  if (rules.voterFreshness && !isAtMostAsFresh({ term: join.acceptedTerm, version: join.acceptedVersion }, last)) {
    return rejected(
      `voter has accepted ${join.acceptedTerm}/${join.acceptedVersion}, fresher than ${last.term}/${last.version} here`,
    );
  }
  if (last.acceptedConfig.length === 0) return rejected('no voting configuration yet');
  const joinVotes = new Map(state.joinVotes).set(join.from, join);
  const electionWon = isElectionQuorum(joinVotes, last, rules);
  const wonNow = electionWon && !state.electionWon;
  const next: ConsensusState<V> = {
    ...state,
    joinVotes,
    electionWon,
    // What was accepted before counts as published: the first proposal of this term must be above it.
    lastPublishedVersion: wonNow ? last.version : state.lastPublishedVersion,
  };
  return accepted(context, next, null, { isNewVote: !state.joinVotes.has(join.from), wonNow });
}
