/**
 * Coordination of one node: candidate, leader or follower, and what each does with what arrives.
 *
 * Everything for liveness lives here and in the parts it holds; safety is the consensus steps' alone. No promises, no
 * clock, no random numbers: an event in, effects out, the same for the same events. The contract with the shell that
 * performs the effects stands in `coordination-events.ts`.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert, unreachable as neverHappens } from '@shoal/core';
import { Bootstrapper } from '../candidate/bootstrapper.ts';
import { Candidacy } from '../candidate/candidacy.ts';
import { describeMissing, FormationWarnings } from '../candidate/formation-diagnosis.ts';
import { PeerFinder } from '../candidate/peer-finder.ts';
import { type Attempt, ConsensusHolder } from '../effects/consensus-holder.ts';
import type {
  CoordinationConfig,
  CoordinationCore,
  CoordinationEffect,
  CoordinationEvent,
  CoordinationSnapshot,
  Mode,
} from '../effects/coordination-events.ts';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import { Outbox } from '../effects/outbox.ts';
import { StateApplier } from '../follower/committed-state-applier.ts';
import { Following } from '../follower/following.ts';
import { LeaderChecks } from '../follower/leader-checks.ts';
import { UNHEALTHY } from '../leader/follower-checks.ts';
import { Joining } from '../leader/joining.ts';
import { Leadership } from '../leader/leadership.ts';
import type { NodeId } from '../steps/accepted-state.ts';
import type { Join } from '../steps/coord-message.ts';
import { isEligible, isSameProcess } from '../steps/node-roles.ts';
import { assertModeInvariants } from './mode-invariants.ts';
import { PeerRequests } from './peer-requests.ts';

export function createCoordination<V>(config: CoordinationConfig<V>): CoordinationCore<V> {
  return new Coordination(config);
}

class Coordination<V> implements CoordinationCore<V> {
  private readonly config: CoordinationConfig<V>;
  private readonly local: DiscoveryNode;
  private settings: CoordinationSettings;
  private readonly outbox: Outbox<V>;
  private readonly consensus: ConsensusHolder<V>;
  private readonly peers: PeerFinder<V>;
  private readonly candidacy: Candidacy<V>;
  private readonly joining: Joining<V>;
  private readonly applier: StateApplier<V>;
  private readonly following: Following<V>;
  private readonly bootstrapper: Bootstrapper<V>;
  private readonly leaderChecks: LeaderChecks<V>;
  private readonly warnings: FormationWarnings<V>;
  private readonly requests: PeerRequests<V>;
  private currentMode: Mode = 'candidate';
  private leader: DiscoveryNode | null = null;
  /** Exists exactly while the mode is `leader`. */
  private leadership: Leadership<V> | null = null;
  private isHealthy = true;
  private isStarted = false;
  private isClosed = false;

  constructor(config: CoordinationConfig<V>) {
    this.config = config;
    this.local = config.local;
    this.settings = config.settings;
    this.outbox = new Outbox(config.local.id);
    this.consensus = new ConsensusHolder(config, this.outbox);
    this.applier = new StateApplier(this.outbox);
    this.warnings = new FormationWarnings(this.outbox, () => this.missing());
    const { outbox, consensus, local } = this;
    const { model, bootstrap: plan } = config;
    const settings = (): CoordinationSettings => this.settings;
    const isCandidate = (): boolean => this.currentMode === 'candidate';
    this.bootstrapper = new Bootstrapper({ outbox, local, plan, consensus });
    this.peers = new PeerFinder(outbox, local, {
      settings,
      term: () => consensus.term,
      leader: () => this.leader,
      peersChanged: () => this.peersChanged(),
      leaderFound: (leader, term) => this.leaderFound(leader, term),
    });
    this.candidacy = new Candidacy(
      { outbox, local, model, consensus },
      {
        settings,
        isCandidate,
        isHealthy: () => this.isHealthy,
        peers: () => this.peers.peers,
        vote: (candidate, term) => this.voteFor(candidate, term),
        termSeen: (term) => this.termSeen(term),
      },
    );
    this.joining = new Joining(
      config,
      { outbox, consensus },
      {
        settings,
        isCandidate,
        leadership: () => this.leadership,
        voteForItself: (term) => this.voteFor(local, term),
        electionWon: () => this.becomeLeader(),
        termSeen: (term) => this.termSeen(term),
      },
    );
    this.following = new Following(
      { outbox, consensus, joining: this.joining, applier: this.applier },
      {
        mode: () => this.currentMode,
        leader: () => this.leader,
        isHealthy: () => this.isHealthy,
        isKnown: (node) => this.isKnown(node),
        enterTerm: (leader, term) => this.enterLeadersTerm(leader, term),
        follow: (leader) => this.becomeFollower(leader),
      },
    );
    this.leaderChecks = new LeaderChecks(outbox, settings, (reason) => this.becomeCandidate(reason));
    this.requests = new PeerRequests(
      { outbox, peers: this.peers, candidacy: this.candidacy, joining: this.joining, following: this.following },
      {
        isHealthy: () => this.isHealthy,
        leader: () => this.leader,
        leadership: () => this.leadership,
        isKnown: (node) => this.isKnown(node),
        voteFor: (candidate, term) => this.voteFor(candidate, term),
        termSeen: (term) => this.termSeen(term),
      },
    );
  }

  get mode(): Mode {
    return this.currentMode;
  }

  step(event: CoordinationEvent<V>): readonly CoordinationEffect<V>[] {
    if (this.isClosed) return this.outbox.take();
    assert(event.kind !== 'start' || !this.isStarted, `started twice, in term ${this.consensus.term}`);
    this.isStarted ||= event.kind === 'start';
    this.handle(event);
    if (!this.isClosed) this.assertInvariants();
    return this.outbox.take();
  }

  acceptsFollowerCheck(from: NodeId, term: number): boolean {
    return (
      this.currentMode === 'follower' && this.isHealthy && this.leader?.id === from && term === this.consensus.term
    );
  }

  snapshot(): CoordinationSnapshot {
    const { accepted, term, state } = this.consensus;
    return {
      mode: this.currentMode,
      term,
      leader: this.leader,
      acceptedTerm: accepted.term,
      acceptedVersion: accepted.version,
      electionWon: state.electionWon,
      publicationRunning: this.leadership?.isPublishing ?? false,
      peers: this.peers.peers,
      unreachable: this.peers.unreachable,
      missing: this.currentMode === 'candidate' ? this.missing() : null,
    };
  }

  private handle(event: CoordinationEvent<V>): void {
    switch (event.kind) {
      case 'start':
        this.start();
        return;
      case 'close':
        this.close();
        return;
      case 'request':
        this.requests.requested(event.from, event.replyTo, event.request);
        return;
      case 'response':
        this.outbox.answered(event.requestId, event.response);
        return;
      case 'requestFailed':
        this.outbox.failed(event.requestId, event);
        return;
      case 'nodeDisconnected':
        this.disconnected({ id: event.node, ephemeralId: event.ephemeralId });
        return;
      case 'peerFound':
        this.peers.peerFound(event.node);
        return;
      case 'probeFailed':
        this.peers.probeFailed(event.address, event.reason);
        return;
      case 'timer':
        this.outbox.timerFired(event.id);
        return;
      case 'propose':
        this.propose(event);
        return;
      case 'applied':
        this.applier.applied(event.ticket, event.failure);
        return;
      case 'health':
        this.healthChanged(event.healthy, event.reason);
        return;
      case 'settings':
        this.settings = event.settings;
        return;
      case 'handOver':
        this.leadership?.handOver();
        return;
      default:
        neverHappens(event);
    }
  }

  private assertInvariants(): void {
    assertModeInvariants({
      mode: this.currentMode,
      localId: this.local.id,
      term: this.consensus.term,
      leader: this.leader,
      leadershipTerm: this.leadership?.term ?? null,
      electionWon: this.consensus.state.electionWon,
    });
  }

  private start(): void {
    const found = (): readonly DiscoveryNode[] | null => (this.currentMode === 'candidate' ? this.peers.peers : null);
    this.bootstrapper.start(this.settings.bestEffortBootstrapMs, found, () => this.peersChanged());
    this.search();
  }

  private close(): void {
    this.leadership?.stop('node is closing');
    this.outbox.close();
    this.isClosed = true;
  }

  private disconnected(process: { readonly id: NodeId; readonly ephemeralId: string }): void {
    this.peers.disconnected(process);
    this.leaderChecks.disconnected(process);
    this.leadership?.disconnected(process);
  }

  private healthChanged(healthy: boolean, reason: string): void {
    this.isHealthy = healthy;
    // A leader on a dead disk would hold the cluster without being able to change it.
    if (!healthy && this.currentMode === 'leader') this.becomeCandidate(`${UNHEALTHY}: ${reason}`);
    else this.peersChanged();
  }

  private becomeCandidate(reason: string): void {
    if (this.currentMode === 'candidate') return;
    this.outbox.log('info', 'becomes candidate', { reason, term: this.consensus.term });
    this.leadership?.stop(reason);
    this.leadership = null;
    this.leaderChecks.stop();
    this.enterMode('candidate', null);
    this.applier.applyWithoutManager();
    this.search();
  }

  private becomeLeader(): void {
    assert(this.currentMode === 'candidate', `a ${this.currentMode} wins the election of term ${this.consensus.term}`);
    const lost = this.leaderChecks.takeLost(this.peers.peers);
    this.leaveSearch();
    this.enterMode('leader', this.local);
    const leadership: Leadership<V> = new Leadership(
      { outbox: this.outbox, local: this.local, model: this.config.model, consensus: this.consensus },
      {
        settings: () => this.settings,
        stepDown: (reason) => this.becomeCandidate(reason),
        applyCommitted: (state, done) => this.applier.apply(state, this.local, done),
        committed: (state) => this.applier.committed(state),
        idle: () => this.catchUpTerm(),
        abdicateTo: (successor) => {
          this.outbox.log('info', 'hands over to another node', { successor: successor.name });
          this.candidacy.callElection(successor, this.consensus.nextTerm, this.voters());
        },
        termMissing: (term) => this.termSeen(term),
      },
    );
    this.leadership = leadership;
    if (lost !== null) leadership.remove({ node: lost, reason: 'disconnected' });
    for (const join of this.joining.waiting.takeAll()) leadership.addJoin(join);
    leadership.run();
  }

  private becomeFollower(leader: DiscoveryNode): void {
    if (this.currentMode === 'follower' && this.leader !== null && isSameProcess(this.leader, leader)) return;
    assert(this.currentMode !== 'leader', `a leader of term ${this.consensus.term} cannot follow [${leader.id}]`);
    this.leaveSearch();
    this.enterMode('follower', leader);
    this.joining.waiting.refuseAll(`follows [${leader.name}]`);
    this.leaderChecks.start(leader);
  }

  private enterMode(mode: Mode, leader: DiscoveryNode | null): void {
    this.currentMode = mode;
    this.leader = leader;
    this.outbox.emit({ kind: 'modeChanged', mode, term: this.consensus.term, leader });
  }

  private search(): void {
    if (this.config.bootstrap.kind !== 'singleNode') {
      this.peers.activate(this.config.model.nodes(this.consensus.accepted.value).values());
    }
    this.warnings.start(this.settings.formationWarningIntervalMs);
    this.peersChanged();
  }

  private leaveSearch(): void {
    this.peers.deactivate();
    this.candidacy.stop();
    this.warnings.stop();
  }

  private missing(): string {
    const { accepted, term } = this.consensus;
    const { peers, unreachable } = this.peers;
    return describeMissing({ local: this.local, peers, accepted, term, bootstrap: this.config.bootstrap, unreachable });
  }

  private peersChanged(): void {
    if (this.currentMode !== 'candidate') return;
    this.bootstrapper.peersChanged(this.peers.peers);
    this.candidacy.peersChanged();
  }

  /**
   * The leader that is followed, a node of the last accepted state or of its voting configurations, one that this node
   * found by dialling it or asked to take it in, and any as long as this node belongs to no cluster.
   */
  private isKnown({ id }: DiscoveryNode): boolean {
    const { acceptedConfig, committedConfig, clusterUuidCommitted, value } = this.consensus.accepted;
    return (
      !clusterUuidCommitted ||
      this.leader?.id === id ||
      [...acceptedConfig, ...committedConfig].includes(id) ||
      this.config.model.nodes(value).has(id) ||
      this.peers.hasFound(id) ||
      this.joining.hasAsked(id)
    );
  }

  /** @returns why not; null when this node is in the term now */
  private enterLeadersTerm(leader: DiscoveryNode, term: number): string | null {
    const attempt = this.enterTerm(leader.id, term, 'leader');
    if (attempt.kind === 'done') return null;
    this.outbox.log('warn', 'the term of a leader is not entered', { leader: leader.name, reason: attempt.reason });
    return attempt.reason;
  }

  private enterTerm(candidate: NodeId, term: number, why: 'election' | 'leader'): Attempt<Join> {
    const attempt = this.consensus.startJoin(candidate, term, why);
    if (attempt.kind === 'done') this.becomeCandidate(`entered term ${term}`);
    return attempt;
  }

  private voteFor(candidate: DiscoveryNode, term: number): Attempt<Join> {
    const attempt = this.enterTerm(candidate.id, term, 'election');
    if (attempt.kind === 'done') this.joining.send(candidate, attempt.output);
    return attempt;
  }

  private termSeen(term: number): void {
    this.consensus.termSeen(term);
    this.leadership?.run();
  }

  /** A leader that knows of a higher term (or lacks a vote) lets itself be elected above it. */
  private catchUpTerm(): boolean {
    if (!this.consensus.hasSeenHigherTerm) return false;
    this.becomeCandidate('a higher term was seen');
    this.candidacy.stand(this.consensus.nextTerm, this.voters());
    return true;
  }

  private voters(): readonly DiscoveryNode[] {
    return [...this.config.model.nodes(this.consensus.accepted.value).values()].filter(isEligible);
  }

  private leaderFound(leader: DiscoveryNode, term: number): void {
    // An unhealthy node would only be removed again.
    if (this.currentMode !== 'candidate' || !this.isHealthy) return;
    if (term > this.consensus.term && this.enterLeadersTerm(leader, term) !== null) return;
    this.joining.send(leader, this.consensus.voteFor(leader.id, this.consensus.term));
  }

  private propose(proposal: Extract<CoordinationEvent<V>, { kind: 'propose' }>): void {
    this.outbox.proposed(proposal.ticket);
    if (this.leadership === null) {
      this.outbox.complete(proposal.ticket, { kind: 'notManager', reason: 'this node is not the cluster manager' });
      return;
    }
    this.leadership.propose(proposal);
    this.leadership.run();
  }
}
