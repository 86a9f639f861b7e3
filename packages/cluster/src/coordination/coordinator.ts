/**
 * The coordinator of one node: candidate, leader or follower, and what each does with what arrives.
 *
 * Everything for liveness lives here and in the parts it holds; safety is the consensus steps' alone. No promises, no
 * clock, no random numbers: an event in, effects out, the same for the same events. The contract with the shell that
 * performs the effects stands in `coordinator-types.ts`.
 */
import { assert, unreachable } from '@shoal/core';
import type { DiscoveryNode } from '@shoal/protocol';
import type { AcceptedState, NodeId } from './accepted-state.ts';
import { decideBootstrap } from './bootstrap.ts';
import { type Attempt, ConsensusKeeper } from './consensus-keeper.ts';
import type { CoordRequest, Join } from './coord-message.ts';
import type { CoordinationSettings } from './coordination-settings.ts';
import type {
  CoordinatorConfig,
  CoordinatorCore,
  CoordinatorEffect,
  CoordinatorEvent,
  CoordinatorSnapshot,
  Mode,
} from './coordinator-types.ts';
import { ElectionScheduler } from './election.ts';
import { UNHEALTHY } from './follower-checks.ts';
import { describeMissing } from './formation-diagnosis.ts';
import { LeaderChecks } from './leader-checks.ts';
import { Leadership } from './leadership.ts';
import { isEligible, isSameProcess, mayLead } from './node-roles.ts';
import { Outbox } from './outbox.ts';
import { PeerFinder } from './peer-finder.ts';
import { PendingJoins } from './pending-joins.ts';
import { PreVoteCollector } from './pre-vote.ts';
import { votingConfig } from './voting-config.ts';

const BOOTSTRAP_TIMER = 'bootstrap';
const WARNING_TIMER = 'formationWarning';

/** How long a peer may take to say that it heard a `startJoin`; its vote comes on its own. */
const START_JOIN_TIMEOUT_MS = 10_000;

export function createCoordinator<V>(config: CoordinatorConfig<V>): CoordinatorCore<V> {
  return new Coordinator(config);
}

class Coordinator<V> implements CoordinatorCore<V> {
  private readonly config: CoordinatorConfig<V>;
  private readonly local: DiscoveryNode;
  private settings: CoordinationSettings;
  private readonly outbox: Outbox<V> = new Outbox();
  private readonly consensus: ConsensusKeeper<V>;
  private readonly peers: PeerFinder<V>;
  private readonly election: ElectionScheduler<V>;
  private readonly preVotes: PreVoteCollector<V>;
  private readonly leaderChecks: LeaderChecks<V>;
  /** Votes and wishes to join that came while an election is open. */
  private readonly waitingJoins: PendingJoins<V>;
  private currentMode: Mode = 'candidate';
  private leader: DiscoveryNode | null = null;
  /** Exists exactly while the mode is `leader`. */
  private leadership: Leadership<V> | null = null;
  /** Highest term heard of: the next election goes above it. */
  private maxTermSeen: number;
  private lastCommitted: AcceptedState<V> | null = null;
  private readonly applying = new Map<number, (failure: string | null) => void>();
  private nextApplyTicket = 1;
  private readonly joinsUnderWay = new Set<string>();
  private isHealthy = true;
  private isClosed = false;
  private lastBootstrapRefusal = '';

  constructor(config: CoordinatorConfig<V>) {
    this.config = config;
    this.local = config.local;
    this.settings = config.settings;
    this.consensus = new ConsensusKeeper(config, this.outbox);
    this.maxTermSeen = config.durable.currentTerm;
    this.waitingJoins = new PendingJoins(this.outbox);
    const settings = (): CoordinationSettings => this.settings;
    this.peers = new PeerFinder(this.outbox, config.local, {
      settings,
      term: () => this.consensus.term,
      leader: () => this.leader,
      peersChanged: () => this.peersChanged(),
      leaderFound: (leader, term) => this.leaderFound(leader, term),
    });
    this.election = new ElectionScheduler(this.outbox, settings, () => this.electionDue());
    this.preVotes = new PreVoteCollector(this.outbox, this.consensus, (term) => this.termSeen(term));
    this.leaderChecks = new LeaderChecks(this.outbox, settings, (reason) => this.becomeCandidate(reason));
  }

  get mode(): Mode {
    return this.currentMode;
  }

  step(event: CoordinatorEvent<V>): readonly CoordinatorEffect<V>[] {
    if (!this.isClosed) this.handle(event);
    return this.outbox.take();
  }

  acceptsFollowerCheck(from: NodeId, term: number): boolean {
    return (
      this.currentMode === 'follower' && this.isHealthy && this.leader?.id === from && term === this.consensus.term
    );
  }

  snapshot(): CoordinatorSnapshot {
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

  private handle(event: CoordinatorEvent<V>): void {
    switch (event.kind) {
      case 'start':
        this.start();
        return;
      case 'close':
        this.close();
        return;
      case 'request':
        this.requested(event.from, event.replyTo, event.request);
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
        this.applied(event.ticket, event.failure);
        return;
      case 'health':
        this.healthChanged(event.healthy, event.reason);
        return;
      case 'settings':
        this.settings = event.settings;
        return;
      default:
        unreachable(event);
    }
  }

  private requested(from: DiscoveryNode, replyTo: number, request: CoordRequest<V>): void {
    switch (request.kind) {
      case 'requestPeers':
        this.outbox.reply(replyTo, this.peers.requestPeers(from, request.knownPeers));
        return;
      case 'preVote':
        this.preVoteAsked(from, replyTo, request.currentTerm);
        return;
      case 'startJoin':
        this.startJoinAsked(replyTo, request.candidate, request.term);
        return;
      case 'join':
        this.joinAsked(from, replyTo, request);
        return;
      case 'joinValidate':
        this.joinValidated(replyTo, request.state);
        return;
      case 'publish':
        this.published(from, replyTo, request.state);
        return;
      case 'applyCommit':
        this.commitTold(replyTo, request);
        return;
      case 'followerCheck':
        this.followerChecked(from, replyTo, request.term);
        return;
      case 'leaderCheck':
        this.leaderChecked(from, replyTo);
        return;
      default:
        unreachable(request);
    }
  }

  // Life

  private start(): void {
    if (this.config.bootstrap.kind === 'singleNode') this.setInitialNodes([]);
    if (this.config.bootstrap.kind === 'bestEffort') {
      this.outbox.schedule(BOOTSTRAP_TIMER, this.settings.bestEffortBootstrapMs, () => {
        if (this.currentMode !== 'candidate') return;
        this.setInitialNodes(this.peers.peers);
        this.peersChanged();
      });
    }
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

  // Modes

  private becomeCandidate(reason: string): void {
    if (this.currentMode === 'candidate') return;
    this.outbox.log('info', 'becomes candidate', { reason, term: this.consensus.term });
    this.leadership?.stop(reason);
    this.leadership = null;
    this.leaderChecks.stop();
    this.enterMode('candidate', null);
    if (this.lastCommitted !== null) this.apply(this.lastCommitted, null, () => undefined);
    this.search();
  }

  private becomeLeader(): void {
    this.leaveSearch();
    this.enterMode('leader', this.local);
    const leadership: Leadership<V> = new Leadership(
      { outbox: this.outbox, local: this.local, model: this.config.model, consensus: this.consensus },
      {
        settings: () => this.settings,
        stepDown: (reason) => this.becomeCandidate(reason),
        applyCommitted: (state, done) => this.apply(state, this.local, done),
        committed: (state) => {
          this.lastCommitted = state;
        },
        idle: () => this.catchUpTerm(),
        abdicateTo: (successor) => this.abdicateTo(successor),
        termMissing: (term) => this.termSeen(term),
      },
    );
    this.leadership = leadership;
    for (const join of this.waitingJoins.takeAll()) leadership.addJoin(join);
    leadership.run();
  }

  private becomeFollower(leader: DiscoveryNode): void {
    if (this.currentMode === 'follower' && this.leader !== null && isSameProcess(this.leader, leader)) return;
    assert(this.currentMode !== 'leader', `a leader of term ${this.consensus.term} cannot follow [${leader.id}]`);
    this.leaveSearch();
    this.enterMode('follower', leader);
    this.waitingJoins.refuseAll(`follows [${leader.name}]`);
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
    this.warnLater();
    this.peersChanged();
  }

  private leaveSearch(): void {
    this.peers.deactivate();
    this.election.stop();
    this.preVotes.cancel();
    this.outbox.cancel(WARNING_TIMER);
  }

  private warnLater(): void {
    this.outbox.schedule(WARNING_TIMER, this.settings.formationWarningIntervalMs, () => {
      this.outbox.log('warn', 'no cluster manager yet', { missing: this.missing() });
      this.warnLater();
    });
  }

  private missing(): string {
    const { local, peers, consensus, config } = this;
    const { accepted, term } = consensus;
    const { unreachable: failed } = peers;
    return describeMissing({
      local,
      peers: peers.peers,
      accepted,
      term,
      bootstrap: config.bootstrap,
      unreachable: failed,
    });
  }

  // Discovery and elections

  private peersChanged(): void {
    if (this.currentMode !== 'candidate') return;
    this.bootstrapFromList();
    const found = new Set([this.local.id, ...this.peers.peers.map((peer) => peer.id)]);
    if (this.mayStand() && this.consensus.isElectionQuorum(found)) this.election.start();
    else this.election.stop();
  }

  private bootstrapFromList(): void {
    const { bootstrap } = this.config;
    if (bootstrap.kind !== 'initialNodes' || !this.canBootstrap()) return;
    const decision = decideBootstrap(bootstrap.names, this.local, this.peers.peers);
    if (decision.kind === 'set') {
      const attempt = this.consensus.setInitialConfiguration(decision.config);
      this.outbox.log('info', 'voting configuration is set', {
        config: decision.config,
        done: attempt.kind === 'done',
      });
    } else if (decision.kind === 'refused' && decision.reason !== this.lastBootstrapRefusal) {
      this.lastBootstrapRefusal = decision.reason;
      this.outbox.log('warn', 'cannot bootstrap a cluster', { reason: decision.reason });
    }
  }

  private setInitialNodes(others: readonly DiscoveryNode[]): void {
    if (!this.canBootstrap()) return;
    const config = votingConfig([this.local, ...others].filter(isEligible).map((node) => node.id));
    this.consensus.setInitialConfiguration(config);
  }

  private canBootstrap(): boolean {
    return isEligible(this.local) && this.consensus.accepted.acceptedConfig.length === 0;
  }

  private mayStand(): boolean {
    const { acceptedConfig, committedConfig, value } = this.consensus.accepted;
    const isVoter = acceptedConfig.includes(this.local.id) || committedConfig.includes(this.local.id);
    return (
      this.isHealthy && mayLead(this.local) && (isVoter || !this.config.model.excludedIds(value).has(this.local.id))
    );
  }

  private electionDue(): void {
    if (this.currentMode !== 'candidate' || !this.mayStand()) return;
    this.preVotes.collect(this.local.id, this.peers.peers, () => this.startElection(this.peers.peers));
  }

  /** Asks these nodes and this one to enter a term above all that were heard of, and to vote for this node. */
  private startElection(voters: readonly DiscoveryNode[]): void {
    if (this.currentMode !== 'candidate' || !this.mayStand()) return;
    const term = Math.max(this.consensus.term, this.maxTermSeen) + 1;
    this.outbox.log('debug', 'starts an election', { term });
    this.sendStartJoin(this.local, term, voters);
    this.voteFor(this.local, term);
  }

  private sendStartJoin(candidate: DiscoveryNode, term: number, voters: readonly DiscoveryNode[]): void {
    const options = { channel: 'reg', timeoutMs: START_JOIN_TIMEOUT_MS } as const;
    const ignored = { answered: () => undefined, failed: () => undefined };
    for (const voter of voters) {
      if (voter.id !== this.local.id) this.outbox.send(voter, { kind: 'startJoin', term, candidate }, options, ignored);
    }
  }

  private enterTerm(candidate: NodeId, term: number): Attempt<Join> {
    const attempt = this.consensus.startJoin(candidate, term);
    if (attempt.kind === 'done') {
      this.maxTermSeen = Math.max(this.maxTermSeen, term);
      this.becomeCandidate(`entered term ${term}`);
    }
    return attempt;
  }

  private voteFor(candidate: DiscoveryNode, term: number): Attempt<Join> {
    const attempt = this.enterTerm(candidate.id, term);
    if (attempt.kind === 'done') this.sendJoin(candidate, attempt.output);
    return attempt;
  }

  private termSeen(term: number): void {
    this.maxTermSeen = Math.max(this.maxTermSeen, term);
    this.leadership?.run();
  }

  /** A leader that knows of a higher term (or lacks a vote) lets itself be elected above it. */
  private catchUpTerm(): boolean {
    if (this.maxTermSeen <= this.consensus.term) return false;
    const members = [...this.config.model.nodes(this.consensus.accepted.value).values()].filter(isEligible);
    this.becomeCandidate(`term ${this.maxTermSeen} was seen`);
    this.startElection(members);
    return true;
  }

  private abdicateTo(successor: DiscoveryNode): void {
    const members = [...this.config.model.nodes(this.consensus.accepted.value).values()].filter(isEligible);
    const term = Math.max(this.consensus.term, this.maxTermSeen) + 1;
    this.outbox.log('info', 'hands over to another node', { successor: successor.name, term });
    this.sendStartJoin(successor, term, members);
    this.voteFor(successor, term);
  }

  private preVoteAsked(from: DiscoveryNode, replyTo: number, term: number): void {
    const { leader } = this;
    if (!this.isHealthy) this.outbox.refuse(replyTo, UNHEALTHY);
    // The leader itself asking means that it has restarted.
    else if (leader !== null && leader.id !== from.id)
      this.outbox.refuse(replyTo, `there is a leader [${leader.name}]`);
    else this.outbox.reply(replyTo, this.preVotes.answer());
    this.termSeen(term);
  }

  private startJoinAsked(replyTo: number, candidate: DiscoveryNode, term: number): void {
    const attempt = this.voteFor(candidate, term);
    if (attempt.kind === 'done') this.outbox.acknowledge(replyTo);
    else this.outbox.refuse(replyTo, attempt.reason);
  }

  // Joins

  private leaderFound(leader: DiscoveryNode, term: number): void {
    if (this.currentMode !== 'candidate') return;
    if (term > this.consensus.term) this.enterTerm(leader.id, term);
    this.sendJoin(leader, this.consensus.voteFor(leader.id, this.consensus.term));
  }

  private sendJoin(target: DiscoveryNode, join: Join | null): void {
    const { accepted, term } = this.consensus;
    if (target.id === this.local.id) {
      this.processJoin(this.local, null, { join, minimumTerm: term });
      return;
    }
    const key = `${target.id}/${target.ephemeralId}/${term}/${join === null ? '' : 'vote'}`;
    if (this.joinsUnderWay.has(key)) return;
    this.joinsUnderWay.add(key);
    const committedClusterUuid = accepted.clusterUuidCommitted ? accepted.clusterUuid : null;
    const request = { kind: 'join', join, minimumTerm: term, committedClusterUuid } as const;
    this.outbox.send(
      target,
      request,
      { channel: 'state', timeoutMs: this.settings.joinTimeoutMs },
      {
        answered: () => {
          this.joinsUnderWay.delete(key);
        },
        failed: ({ reason }) => {
          this.joinsUnderWay.delete(key);
          this.outbox.log('debug', 'join failed', { target: target.name, term, reason });
        },
      },
    );
  }

  private joinAsked(from: DiscoveryNode, replyTo: number, request: Extract<CoordRequest<V>, { kind: 'join' }>): void {
    const reason = this.reasonAgainst(from, request.committedClusterUuid);
    if (reason !== null) {
      this.outbox.refuse(replyTo, reason);
      return;
    }
    const { leadership } = this;
    if (leadership === null || !leadership.isManager) {
      this.processJoin(from, replyTo, request);
      return;
    }
    const options = { channel: 'state', timeoutMs: this.settings.joinTimeoutMs } as const;
    this.outbox.send(from, { kind: 'joinValidate', state: this.consensus.accepted }, options, {
      answered: () => this.processJoin(from, replyTo, request),
      failed: (failure) => this.outbox.refuse(replyTo, `join validation failed: ${failure.reason}`),
    });
  }

  private reasonAgainst(from: DiscoveryNode, committedClusterUuid: string | null): string | null {
    const { accepted } = this.consensus;
    if (this.config.bootstrap.kind === 'singleNode') return 'discovery.type is single-node here';
    if (
      committedClusterUuid !== null &&
      accepted.clusterUuidCommitted &&
      committedClusterUuid !== accepted.clusterUuid
    ) {
      return foreignCluster(accepted.clusterUuid, committedClusterUuid);
    }
    return this.config.model.refuseJoin(accepted.value, from);
  }

  private processJoin(
    from: DiscoveryNode,
    replyTo: number | null,
    request: { readonly join: Join | null; readonly minimumTerm: number },
  ): void {
    const { join } = request;
    let wonNow = false;
    if (join !== null) {
      // The answer to an election that this node's own queue has not come to yet.
      if (join.to === this.local.id && join.term > this.consensus.term) this.voteFor(this.local, join.term);
      const alreadyWon = this.consensus.state.electionWon;
      const attempt = this.consensus.countJoin(join);
      if (attempt.kind === 'done') wonNow = attempt.output.wonNow;
      else if (!alreadyWon) {
        this.outbox.refuse(replyTo, attempt.reason);
        return;
      }
    }
    if (this.leadership !== null) this.leadership.addJoin({ node: from, replyTo });
    else if (this.currentMode === 'candidate') this.waitingJoins.add(from, replyTo);
    else this.outbox.refuse(replyTo, `is no leader and follows [${this.leader?.name ?? ''}]`);
    if (wonNow) this.becomeLeader();
    this.termSeen(request.minimumTerm);
  }

  private joinValidated(replyTo: number, state: AcceptedState<V>): void {
    const reason = this.foreignState(state) ?? this.config.model.refuseState(state.value);
    if (reason === null) this.outbox.acknowledge(replyTo);
    else this.outbox.refuse(replyTo, reason);
  }

  private foreignState(state: AcceptedState<V>): string | null {
    const { clusterUuid, clusterUuidCommitted } = this.consensus.accepted;
    if (!clusterUuidCommitted || state.clusterUuid === clusterUuid) return null;
    return foreignCluster(clusterUuid, state.clusterUuid);
  }

  // Publications

  private propose(proposal: Extract<CoordinatorEvent<V>, { kind: 'propose' }>): void {
    if (this.leadership === null) {
      const result = { kind: 'notManager', reason: 'this node is not the cluster manager' } as const;
      this.outbox.emit({ kind: 'complete', ticket: proposal.ticket, result });
      return;
    }
    this.leadership.propose(proposal);
    this.leadership.run();
  }

  private published(from: DiscoveryNode, replyTo: number, state: AcceptedState<V>): void {
    const reason = this.foreignState(state) ?? this.reasonAgainstLeader(from, state.term);
    if (reason !== null) {
      this.outbox.refuse(replyTo, reason);
      return;
    }
    if (state.term > this.consensus.term) this.enterTerm(from.id, state.term);
    const attempt = this.consensus.accept(state);
    if (attempt.kind === 'refused') {
      this.outbox.refuse(replyTo, attempt.reason);
      return;
    }
    this.becomeFollower(from);
    this.outbox.reply(replyTo, {
      kind: 'publish',
      ...attempt.output,
      join: this.consensus.voteFor(from.id, state.term),
    });
  }

  private reasonAgainstLeader(from: DiscoveryNode, term: number): string | null {
    if (term < this.consensus.term) return `term ${term} of [${from.name}] is below term ${this.consensus.term} here`;
    const leadsItself = this.currentMode === 'leader' && term === this.consensus.term;
    return leadsItself ? `this node leads term ${term} itself` : null;
  }

  private commitTold(replyTo: number, commit: { readonly term: number; readonly version: number }): void {
    const attempt = this.consensus.commit(commit);
    if (attempt.kind === 'refused') {
      this.outbox.refuse(replyTo, attempt.reason);
      return;
    }
    this.lastCommitted = attempt.output;
    this.apply(attempt.output, this.currentMode === 'follower' ? this.leader : null, (failure) => {
      if (failure === null) this.outbox.acknowledge(replyTo);
      else this.outbox.refuse(replyTo, failure);
    });
  }

  private apply(state: AcceptedState<V>, manager: DiscoveryNode | null, done: (failure: string | null) => void): void {
    const ticket = this.nextApplyTicket++;
    this.applying.set(ticket, done);
    this.outbox.emit({ kind: 'apply', ticket, state, manager });
  }

  private applied(ticket: number, failure: string | null): void {
    const done = this.applying.get(ticket);
    assert(done !== undefined, `apply ${ticket} was reported twice or never asked for`);
    this.applying.delete(ticket);
    done(failure);
  }

  // Checks

  private followerChecked(from: DiscoveryNode, replyTo: number, term: number): void {
    const reason = this.isHealthy ? this.reasonAgainstLeader(from, term) : UNHEALTHY;
    if (reason !== null) {
      this.outbox.refuse(replyTo, reason);
      return;
    }
    if (term > this.consensus.term) this.enterTerm(from.id, term);
    // Once a state of this term was accepted, only a publication makes a candidate follow again.
    if (this.consensus.accepted.term < term) this.becomeFollower(from);
    if (this.currentMode === 'follower') this.outbox.acknowledge(replyTo);
    else this.outbox.refuse(replyTo, `is ${this.currentMode} in term ${term}`);
  }

  private leaderChecked(from: DiscoveryNode, replyTo: number): void {
    if (!this.isHealthy) this.outbox.refuse(replyTo, UNHEALTHY);
    else if (this.leadership === null) this.outbox.refuse(replyTo, 'is not the leader');
    else if (!this.leadership.hasMember(from)) this.outbox.refuse(replyTo, `[${from.name}] is not in the cluster`);
    else this.outbox.acknowledge(replyTo);
  }
}

function foreignCluster(localUuid: string, otherUuid: string): string {
  return `join validation on cluster state with a different cluster uuid ${otherUuid} than local cluster uuid ${localUuid}, rejecting`;
}
