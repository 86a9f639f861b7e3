/**
 * The state of one node in the consensus on cluster states, and the invariants that hold after every step.
 *
 * Safety lives here and in the steps beside it (`join-vote.ts`, `publication-vote.ts`, `initial-configuration.ts`): nothing
 * that the coordinator around it does, in whatever order, with whatever messages lost, doubled or late, can make two nodes
 * commit two different states. After the public formal model of the algorithm (ZenWithTerms, TLA+).
 *
 * Pure: a step returns the new state or a refusal that changes nothing.
 */
import { assert } from '@shoal/core';
import {
  type AcceptedState,
  type DurableState,
  type NodeId,
  type StateHeader,
  UNKNOWN_CLUSTER_UUID,
  type VotingConfig,
} from './accepted-state.ts';
import type { ConsensusRules } from './consensus-rules.ts';
import type { Join } from './coord-message.ts';
import { isQuorum } from './voting-config.ts';

export interface ConsensusState<V> {
  /** Highest term this node has ever entered. Durable. */
  readonly currentTerm: number;
  /** Last accepted cluster state. Durable. */
  readonly accepted: AcceptedState<V>;
  /** Joins of `currentTerm` accepted by this node, by voter. Lost at a restart, like all fields below. */
  readonly joinVotes: ReadonlyMap<NodeId, Join>;
  /** True when this process has entered a new term since it started. */
  readonly startedJoinSinceReboot: boolean;
  /** `electionQuorum(joinVotes)`, cached. Never turns false inside a term. */
  readonly electionWon: boolean;
  /** Version of the newest state this leader published in this term; 0 for others. */
  readonly lastPublishedVersion: number;
  readonly lastPublishedConfig: VotingConfig;
  /** Nodes that accepted `lastPublishedVersion`. */
  readonly publishVotes: ReadonlySet<NodeId>;
}

/** Context of the steps beside the state: the local node, the rules in force, and how a header is written into a value. */
export interface ConsensusContext<V> {
  readonly localId: NodeId;
  readonly rules: ConsensusRules;
  readonly stamp: (value: V, header: StateHeader) => V;
}

/** Part of the new state that must be durable before `output` may leave the node; null: none. */
export type MustPersist = 'term' | 'accepted' | 'commit' | null;

export type ConsensusStep<V, Output> =
  | {
      readonly kind: 'accepted';
      readonly state: ConsensusState<V>;
      readonly persist: MustPersist;
      readonly output: Output;
    }
  | { readonly kind: 'rejected'; readonly reason: string };

/** State of a node whose disk is empty. */
export function initialDurableState<V>(value: V): DurableState<V> {
  return {
    currentTerm: 0,
    accepted: {
      term: 0,
      version: 0,
      stateUuid: UNKNOWN_CLUSTER_UUID,
      clusterUuid: UNKNOWN_CLUSTER_UUID,
      clusterUuidCommitted: false,
      acceptedConfig: [],
      committedConfig: [],
      value,
    },
  };
}

/** A process that starts: the durable part from disk, everything else forgotten. */
export function restart<V>(durable: DurableState<V>): ConsensusState<V> {
  assert(
    durable.accepted.term <= durable.currentTerm,
    `accepted term ${durable.accepted.term} above current ${durable.currentTerm}`,
  );
  return {
    currentTerm: durable.currentTerm,
    accepted: durable.accepted,
    joinVotes: new Map(),
    startedJoinSinceReboot: false,
    electionWon: false,
    lastPublishedVersion: 0,
    lastPublishedConfig: durable.accepted.acceptedConfig,
    publishVotes: new Set(),
  };
}

export function durableOf<V>(state: ConsensusState<V>): DurableState<V> {
  return { currentTerm: state.currentTerm, accepted: state.accepted };
}

/** Votes win an election when they are a quorum of both configurations: so any two elections and commits overlap. */
export function isElectionQuorum(
  votes: { has(id: NodeId): boolean },
  accepted: StateHeader,
  rules: ConsensusRules,
): boolean {
  return (
    (!rules.electionQuorumInCommittedConfig || isQuorum(votes, accepted.committedConfig)) &&
    (!rules.electionQuorumInAcceptedConfig || isQuorum(votes, accepted.acceptedConfig)) &&
    accepted.acceptedConfig.length > 0
  );
}

/** Lexicographic on (term, version): is the first older than or as old as the second. */
export function isAtMostAsFresh(a: { term: number; version: number }, b: { term: number; version: number }): boolean {
  return a.term < b.term || (a.term === b.term && a.version <= b.version);
}

export function accepted<V, Output>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  persist: MustPersist,
  output: Output,
): ConsensusStep<V, Output> {
  assertInvariants(context, state);
  return { kind: 'accepted', state, persist, output };
}

export function rejected(reason: string): { readonly kind: 'rejected'; readonly reason: string } {
  return { kind: 'rejected', reason };
}

/** Holds after every step, in production too: a node that breaks one must stop before it tells anybody. */
function assertInvariants<V>({ localId, rules }: ConsensusContext<V>, state: ConsensusState<V>): void {
  const { accepted: last, currentTerm, electionWon, lastPublishedVersion } = state;
  assert(Number.isSafeInteger(currentTerm) && currentTerm >= 0, `term ${currentTerm} is no safe integer`);
  assert(Number.isSafeInteger(last.version) && last.version >= 0, `version ${last.version} is no safe integer`);
  assert(Number.isSafeInteger(last.term) && last.term >= 0, `accepted term ${last.term} is no safe integer`);
  assert(last.term <= currentTerm, `accepted term ${last.term} above current term ${currentTerm}`);
  assert(
    electionWon === isElectionQuorum(state.joinVotes, last, rules),
    `election won is ${electionWon} with votes of ${[...state.joinVotes.keys()]} in ${last.committedConfig} and ${last.acceptedConfig}`,
  );
  assert(!electionWon || state.startedJoinSinceReboot, `election won in term ${currentTerm} that was not started here`);
  assert(
    electionWon ? lastPublishedVersion >= last.version : lastPublishedVersion === 0,
    `last published version ${lastPublishedVersion}, accepted ${last.version}, election won ${electionWon}`,
  );
  assert(state.publishVotes.size === 0 || electionWon, `publish votes without an election in term ${currentTerm}`);
  assert(
    (last.acceptedConfig.length === 0) === (last.committedConfig.length === 0),
    `configurations [${last.acceptedConfig}] and committed [${last.committedConfig}] of ${last.term}/${last.version}`,
  );
  for (const [voter, vote] of state.joinVotes) assertVote(vote, { voter, candidate: localId, term: currentTerm });
}

/** A counted vote is one of its voter, for this node, in this term: so nobody counts twice or for two candidates. */
function assertVote(
  vote: Join,
  counted: { readonly voter: NodeId; readonly candidate: NodeId; readonly term: number },
): void {
  assert(vote.from === counted.voter, `vote of [${vote.from}] is counted for voter [${counted.voter}]`);
  assert(vote.to === counted.candidate, `vote for [${vote.to}] is counted by [${counted.candidate}]`);
  assert(vote.term === counted.term, `vote of term ${vote.term} is counted in term ${counted.term}`);
}
