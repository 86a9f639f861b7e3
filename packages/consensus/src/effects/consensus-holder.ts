/**
 * Holds the consensus state of this node and turns each accepted step into its `persist` effect.
 *
 * The only code that replaces the state. A refused step comes back as its reason, never as an exception.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { AcceptedState, NodeId, VotingConfig } from '../steps/accepted-state.ts';
import { ALL_RULES } from '../steps/consensus-rules.ts';
import {
  type ConsensusContext,
  type ConsensusState,
  type ConsensusStep,
  durableOf,
  isAtMostAsFresh,
  isElectionQuorum,
  type MustPersist,
  restart,
} from '../steps/consensus-state.ts';
import type { Join } from '../steps/coord-message.ts';
import { setInitialConfiguration } from '../steps/initial-configuration.ts';
import { countJoin, startJoin } from '../steps/join-vote.ts';
import {
  acceptState,
  commitState,
  countPublishVote,
  isPublishQuorum,
  proposeState,
} from '../steps/publication-vote.ts';
import { clusterUuidOf } from '../steps/state-uuid.ts';
import { isTermInReach, TERM_MAX } from '../steps/term-reach.ts';
import type { CoordinationConfig } from './coordination-events.ts';
import type { Outbox } from './outbox.ts';

export type Attempt<Output> =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'refused'; readonly reason: string };

export class ConsensusHolder<V> {
  private current: ConsensusState<V>;
  private readonly context: ConsensusContext<V>;
  private readonly outbox: Outbox<V>;
  private readonly local: DiscoveryNode;
  /** The last vote this process gave; rides on the answers to publications. */
  private lastVote: Join | null = null;
  /** Highest term that any message named. */
  private termSeenMax: number;

  constructor(config: CoordinationConfig<V>, outbox: Outbox<V>) {
    this.current = restart(config.durable);
    this.termSeenMax = config.durable.currentTerm;
    this.local = config.local;
    this.outbox = outbox;
    this.context = {
      localId: config.local.id,
      rules: ALL_RULES,
      stamp: (value, header) => config.model.stamp(value, header),
    };
  }

  get state(): ConsensusState<V> {
    return this.current;
  }

  get term(): number {
    return this.current.currentTerm;
  }

  get accepted(): AcceptedState<V> {
    return this.current.accepted;
  }

  /** Term of the next election: above all terms that any message named. */
  get nextTerm(): number {
    return Math.max(this.term, this.termSeenMax) + 1;
  }

  get hasSeenHigherTerm(): boolean {
    return this.termSeenMax > this.term;
  }

  /** A term that another node named. One out of reach changes nothing. */
  termSeen(term: number): void {
    if (isTermInReach(this.term, term)) this.termSeenMax = Math.max(this.termSeenMax, term);
  }

  /**
   * Enters a term and votes in it. A node of no cluster yet enters that of any leader: it has nothing to lose, and a
   * cluster may be old.
   */
  startJoin(candidate: NodeId, term: number, why: 'election' | 'leader'): Attempt<Join> {
    const isNewcomer = why === 'leader' && !this.accepted.clusterUuidCommitted;
    if (!(isNewcomer ? term <= TERM_MAX : isTermInReach(this.term, term))) {
      return { kind: 'refused', reason: `term ${term} is out of reach of term ${this.term}` };
    }
    const attempt = this.perform(startJoin(this.context, this.current, candidate, term));
    if (attempt.kind === 'done') {
      const before = this.lastVote;
      assert(before === null || before.term < term, `votes in term ${term} after a vote in term ${before?.term}`);
      this.lastVote = attempt.output;
    }
    return attempt;
  }

  /** The vote given to this leader in this term; null when there is none. */
  voteFor(leader: NodeId, term: number): Join | null {
    const vote = this.lastVote;
    return vote !== null && vote.to === leader && vote.term === term ? vote : null;
  }

  countJoin(join: Join): Attempt<{ readonly isNewVote: boolean; readonly wonNow: boolean }> {
    return this.perform(countJoin(this.context, this.current, join));
  }

  propose(next: AcceptedState<V>): Attempt<AcceptedState<V>> {
    return this.perform(proposeState(this.context, this.current, next));
  }

  accept(state: AcceptedState<V>): Attempt<{ readonly term: number; readonly version: number }> {
    return this.perform(acceptState(this.context, this.current, state));
  }

  countPublishVote(
    from: NodeId,
    response: { readonly term: number; readonly version: number },
  ): Attempt<{ readonly committed: boolean }> {
    return this.perform(countPublishVote(this.context, this.current, from, response));
  }

  commit(commit: { readonly term: number; readonly version: number }): Attempt<AcceptedState<V>> {
    return this.perform(commitState(this.context, this.current, commit));
  }

  setInitialConfiguration(config: VotingConfig): Attempt<AcceptedState<V>> {
    const clusterUuid = clusterUuidOf(this.local);
    return this.perform(setInitialConfiguration(this.context, this.current, { config, clusterUuid }));
  }

  isElectionQuorum(votes: { has(id: NodeId): boolean }): boolean {
    return isElectionQuorum(votes, this.current.accepted, this.context.rules);
  }

  isPublishQuorum(votes: { has(id: NodeId): boolean }): boolean {
    return isPublishQuorum(this.context, this.current, votes);
  }

  private perform<Output>(step: ConsensusStep<V, Output>): Attempt<Output> {
    if (step.kind === 'rejected') return { kind: 'refused', reason: step.reason };
    assertProgress(this.current, step.state);
    assertPersisted(this.current, step.state, step.persist);
    this.current = step.state;
    if (step.persist !== null) {
      this.outbox.emit({ kind: 'persist', what: step.persist, durable: durableOf(step.state) });
    }
    return { kind: 'done', output: step.output };
  }
}

/** Asserts what no step may undo: terms, accepted states, a won election, the cluster that the node belongs to. */
function assertProgress<V>(before: ConsensusState<V>, after: ConsensusState<V>): void {
  const [old, last] = [before.accepted, after.accepted];
  const isSameTerm = after.currentTerm === before.currentTerm;
  assert(after.currentTerm >= before.currentTerm, `term falls from ${before.currentTerm} to ${after.currentTerm}`);
  assert(
    isAtMostAsFresh(old, last),
    `accepted state falls from ${old.term}/${old.version} to ${last.term}/${last.version}`,
  );
  assert(
    !isSameTerm || after.electionWon || !before.electionWon,
    `election of term ${after.currentTerm} was won and is lost again`,
  );
  assert(
    !isSameTerm || after.lastPublishedVersion >= before.lastPublishedVersion,
    `published version falls from ${before.lastPublishedVersion} to ${after.lastPublishedVersion} in term ${after.currentTerm}`,
  );
  assert(
    !old.clusterUuidCommitted || last.clusterUuid === old.clusterUuid,
    `a node of cluster ${old.clusterUuid} accepts a state of cluster ${last.clusterUuid}`,
  );
}

/** Asserts that nothing which must survive a crash changes without being written before the next effect. */
function assertPersisted<V>(before: ConsensusState<V>, after: ConsensusState<V>, persist: MustPersist): void {
  assert(
    after.currentTerm === before.currentTerm || persist !== null,
    `term ${after.currentTerm} is entered without being written`,
  );
  assert(
    after.accepted === before.accepted || persist === 'accepted' || persist === 'commit',
    `state ${after.accepted.term}/${after.accepted.version} is accepted without being written (${persist})`,
  );
}
