/**
 * Standing for election: when enough voters are in sight, ask who would vote, then ask for the votes.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { ConsensusHolder } from '../effects/consensus-holder.ts';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { ValueModel } from '../steps/accepted-state.ts';
import type { CoordResponse } from '../steps/coord-message.ts';
import { mayLead } from '../steps/node-roles.ts';
import { ElectionScheduler } from './election-scheduler.ts';
import { PreVoteCollector } from './pre-vote.ts';

/** Longest wait for the acknowledgement of a `startJoin`; the vote itself comes as a `join`. */
const START_JOIN_TIMEOUT_MS = 10_000;

export interface CandidacyHooks {
  settings(): CoordinationSettings;
  isCandidate(): boolean;
  isHealthy(): boolean;
  peers(): readonly DiscoveryNode[];
  /** Enter the term and give this node's vote to the candidate. */
  vote(candidate: DiscoveryNode, term: number): void;
  termSeen(term: number): void;
}

export class Candidacy<V> {
  private readonly outbox: Outbox<V>;
  private readonly local: DiscoveryNode;
  private readonly model: ValueModel<V>;
  private readonly consensus: ConsensusHolder<V>;
  private readonly hooks: CandidacyHooks;
  private readonly scheduler: ElectionScheduler<V>;
  private readonly preVotes: PreVoteCollector<V>;

  constructor(
    parts: {
      readonly outbox: Outbox<V>;
      readonly local: DiscoveryNode;
      readonly model: ValueModel<V>;
      readonly consensus: ConsensusHolder<V>;
    },
    hooks: CandidacyHooks,
  ) {
    this.outbox = parts.outbox;
    this.local = parts.local;
    this.model = parts.model;
    this.consensus = parts.consensus;
    this.hooks = hooks;
    this.scheduler = new ElectionScheduler(
      this.outbox,
      () => hooks.settings(),
      () => this.due(),
    );
    this.preVotes = new PreVoteCollector(this.outbox, this.consensus, (term) => hooks.termSeen(term));
  }

  /** Elections are tried exactly while the peers in sight could elect this node. */
  peersChanged(): void {
    const inSight = new Set([this.local.id, ...this.hooks.peers().map((peer) => peer.id)]);
    if (this.mayStand() && this.consensus.isElectionQuorum(inSight)) this.scheduler.start(this.isOnlyVoter());
    else this.scheduler.stop();
  }

  stop(): void {
    this.scheduler.stop();
    this.preVotes.cancel();
  }

  preVoteAnswer(): CoordResponse {
    return this.preVotes.answer();
  }

  /** Asks these nodes and this one to enter the term and to vote for this node. */
  stand(term: number, voters: readonly DiscoveryNode[]): void {
    if (this.hooks.isCandidate() && this.mayStand()) this.callElection(this.local, term, voters);
  }

  /** Asks all for their vote for the candidate, and gives this node's. */
  callElection(candidate: DiscoveryNode, term: number, voters: readonly DiscoveryNode[]): void {
    this.outbox.log('debug', 'an election is called', { candidate: candidate.name, term });
    const options = { channel: 'reg', timeoutMs: START_JOIN_TIMEOUT_MS } as const;
    const ignored = { answered: () => undefined, failed: () => undefined };
    for (const voter of voters) {
      if (voter.id !== this.local.id) this.outbox.send(voter, { kind: 'startJoin', term, candidate }, options, ignored);
    }
    this.hooks.vote(candidate, term);
  }

  private isOnlyVoter(): boolean {
    const { acceptedConfig, committedConfig } = this.consensus.accepted;
    return [...acceptedConfig, ...committedConfig].every((id) => id === this.local.id);
  }

  private due(): void {
    if (!this.hooks.isCandidate() || !this.mayStand()) return;
    this.preVotes.collect(this.local.id, this.hooks.peers(), () =>
      this.stand(this.consensus.nextTerm, this.hooks.peers()),
    );
  }

  /** A node outside the configuration that is excluded from it stays outside. */
  private mayStand(): boolean {
    const { acceptedConfig, committedConfig, value } = this.consensus.accepted;
    const isVoter = acceptedConfig.includes(this.local.id) || committedConfig.includes(this.local.id);
    return (
      this.hooks.isHealthy() && mayLead(this.local) && (isVoter || !this.model.excludedIds(value).has(this.local.id))
    );
  }
}
