/**
 * What a node does while it leads: one publication at a time, made of everything that waits.
 *
 * Made when an election is won, thrown away when the node steps down. Only when the first publication is
 * committed is the node the cluster manager for clients. Then joins, leaves and proposals that wait become one state
 * together; with none waiting, the voting configuration is improved, an excluded leader hands over, a term that somebody
 * else has seen higher is caught up with.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { Attempt, ConsensusHolder } from '../effects/consensus-holder.ts';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox } from '../effects/outbox.ts';
import type {
  AcceptedState,
  NodeId,
  NodeRemoval,
  StateHeader,
  ValueModel,
  VotingConfig,
} from '../steps/accepted-state.ts';
import type { Join } from '../steps/coord-message.ts';
import { isEligible, isSameProcess } from '../steps/node-roles.ts';
import { stateUuidOf } from '../steps/state-uuid.ts';
import {
  betterConfig,
  dependsOnOneOfTwo,
  type LeaderView,
  otherVoter,
  successorOfExcluded,
} from './configuration-changes.ts';
import { FollowerChecks } from './follower-checks.ts';
import { LagDetector } from './lag-detector.ts';
import { memberChanges } from './member-changes.ts';
import { acknowledgeJoins, type PendingJoin, PendingJoins, refuseJoins } from './pending-joins.ts';
import { Publication, type PublicationEnd } from './publication.ts';

/** Proposals beyond this are refused: something feeds them faster than the cluster can agree. */
const PROPOSALS_WAITING_MAX = 10_000;

export interface Proposal<V> {
  readonly ticket: number;
  readonly source: string;
  readonly update: (value: V) => V;
}

export interface LeadershipHooks<V> {
  settings(): CoordinationSettings;
  /** The publication is lost: this node no longer leads. */
  stepDown(reason: string): void;
  /** Brings a committed state into force here; `done` with the next `applied` event of it. */
  applyCommitted(state: AcceptedState<V>, done: () => void): void;
  /** A commit is decided, whatever happens to this leader afterwards. */
  committed(state: AcceptedState<V>): void;
  /** Called when nothing runs and nothing waits: a new term or a new leader may follow. True: this leadership is over. */
  idle(): boolean;
  abdicateTo(successor: DiscoveryNode): void;
  termMissing(term: number): void;
}

interface Batch<V> {
  readonly joins: readonly PendingJoin[];
  readonly proposals: readonly Proposal<V>[];
}

export class Leadership<V> {
  /** Term in which it was won; it ends with it. */
  readonly term: number;
  private readonly outbox: Outbox<V>;
  private readonly local: DiscoveryNode;
  private readonly model: ValueModel<V>;
  private readonly consensus: ConsensusHolder<V>;
  private readonly hooks: LeadershipHooks<V>;
  private readonly joins: PendingJoins<V>;
  private readonly followers: FollowerChecks<V>;
  private readonly lag: LagDetector<V>;
  private removals: NodeRemoval[] = [];
  private proposals: Proposal<V>[] = [];
  private publication: Publication<V> | null = null;
  /** The first publication is committed: this node is the cluster manager. */
  private isElected = false;
  private isOver = false;
  /** This node is about to end. */
  private isLeaving = false;

  constructor(
    parts: {
      readonly outbox: Outbox<V>;
      readonly local: DiscoveryNode;
      readonly model: ValueModel<V>;
      readonly consensus: ConsensusHolder<V>;
    },
    hooks: LeadershipHooks<V>,
  ) {
    this.outbox = parts.outbox;
    this.local = parts.local;
    this.model = parts.model;
    this.consensus = parts.consensus;
    this.hooks = hooks;
    this.term = parts.consensus.term;
    this.joins = new PendingJoins(parts.outbox);
    const settings = (): CoordinationSettings => hooks.settings();
    this.followers = new FollowerChecks(parts.outbox, settings, this.term, (removal) => this.nodeGone(removal));
    this.lag = new LagDetector(parts.outbox, settings, (node) => this.nodeGone({ node, reason: 'lagging' }));
  }

  get isManager(): boolean {
    return this.isElected;
  }

  get isPublishing(): boolean {
    return this.publication !== null;
  }

  /** Members of the newest state, committed or not: who may ask whether this node leads. */
  hasMember(node: DiscoveryNode): boolean {
    const member = this.model.nodes(this.consensus.accepted.value).get(node.id);
    return member !== undefined && isSameProcess(member, node);
  }

  /** The member that has the id of `node` and is another process; null when there is none. */
  otherProcessOf(node: DiscoveryNode): DiscoveryNode | null {
    const member = this.model.nodes(this.consensus.accepted.value).get(node.id);
    return member === undefined || isSameProcess(member, node) ? null : member;
  }

  addJoin(join: PendingJoin): void {
    this.joins.add(join.node, join.replyTo);
  }

  /** Removes a member of the inherited state that is known to be gone, with the first publication. Its own join undoes it. */
  remove(removal: NodeRemoval): void {
    this.removals.push(removal);
  }

  propose(proposal: Proposal<V>): void {
    if (this.proposals.length >= PROPOSALS_WAITING_MAX) {
      const reason = `${PROPOSALS_WAITING_MAX} changes of the cluster state wait already`;
      this.outbox.complete(proposal.ticket, { kind: 'notManager', reason });
      return;
    }
    this.proposals.push(proposal);
  }

  disconnected(process: { readonly id: NodeId; readonly ephemeralId: string }): void {
    this.followers.disconnected(process);
  }

  /** Starts the next publication when none runs and something waits. */
  run(): void {
    if (this.isOver || this.publication !== null) return;
    if (!this.isElected) {
      this.publishBatch(this.local, []);
      return;
    }
    // Before anything else: what an excluded leader publishes upon its last configuration, and only it holds, would make
    // it fresher than the voters it leaves behind, and then nobody could be elected.
    if (this.abdicate()) return;
    if (this.joins.size > 0 || this.removals.length > 0 || this.proposals.length > 0) {
      this.publishBatch(null, this.proposals.splice(0));
      if (this.publication !== null || this.isOver) return;
    }
    if (this.hooks.idle()) return;
    const config = this.nextConfig();
    if (config !== null) this.publish(this.consensus.accepted.value, config, { joins: [], proposals: [] });
  }

  /** Another voter is to lead, as soon as no publication runs; without another one this node leads on. */
  handOver(): void {
    this.isLeaving = true;
    this.run();
  }

  /** Ends this leadership: nothing of it may act any more. */
  stop(reason: string): void {
    this.isOver = true;
    this.followers.stop();
    this.lag.stop();
    this.publication?.cancel(reason);
    this.joins.refuseAll(reason);
    for (const { ticket } of this.proposals) this.outbox.complete(ticket, { kind: 'notManager', reason });
    this.proposals = [];
    this.removals = [];
  }

  private publishBatch(newManager: DiscoveryNode | null, proposals: readonly Proposal<V>[]): void {
    const before = this.consensus.accepted.value;
    const joins = this.joins.takeAll();
    const removals = this.removals;
    this.removals = [];
    const joining = joins.map((join) => join.node);
    const changes = memberChanges(this.model.nodes(before), {
      joins: newManager === null ? joining : [newManager, ...joining.filter((node) => node.id !== newManager.id)],
      removals,
      newManager,
    });
    const isMemberChange = newManager !== null || changes.joined.length > 0 || changes.left.length > 0;
    let value = isMemberChange ? this.model.withNodes(before, changes) : before;
    for (const { update } of proposals) value = update(value);
    if (value === before && newManager === null) {
      acknowledgeJoins(this.outbox, joins);
      this.completeAll(proposals, { kind: 'committed', allApplied: true });
      return;
    }
    this.publish(value, this.consensus.accepted.acceptedConfig, { joins, proposals });
  }

  private publish(value: V, acceptedConfig: VotingConfig, batch: Batch<V>): void {
    const { term, state } = this.consensus;
    const last = state.accepted;
    assert(!this.isOver && term === this.term, `a leader of term ${this.term} publishes in term ${term}`);
    assert(
      this.publication === null,
      `version ${last.version + 1} is published beside ${this.publication?.state.version}`,
    );
    const version = last.version + 1;
    const header: StateHeader = {
      term,
      version,
      stateUuid: stateUuidOf(this.local, term, version),
      clusterUuid: last.clusterUuid,
      clusterUuidCommitted: last.clusterUuidCommitted,
      acceptedConfig,
      committedConfig: last.committedConfig,
    };
    const stamped = { ...header, value: this.model.stamp(value, header) };
    const proposed = outputOf(this.consensus.propose(stamped), `proposal ${term}/${version}`);
    const nodes = this.model.nodes(proposed.value);
    const others = [...nodes.values()].filter((node) => node.id !== this.local.id);
    const publication: Publication<V> = new Publication(
      this.outbox,
      this.local.id,
      { state: proposed, nodes },
      {
        settings: () => this.hooks.settings(),
        acceptLocally: () => this.acceptOwn(proposed),
        countVote: (from, response) => {
          const counted = this.consensus.countPublishVote(from, response);
          return counted.kind === 'done' && counted.output.committed;
        },
        voteReceived: (from, vote) => this.voteReceived(from, vote),
        canCommitWith: (ids) => this.consensus.isPublishQuorum(ids),
        commitLocally: () => this.commitOwn(proposed),
        nodeApplied: (id) => this.lag.applied(id, version),
        ended: (end) => this.publicationEnded(proposed, batch, end),
      },
    );
    this.publication = publication;
    this.lag.track(others);
    publication.start();
    // A publication that failed at once has ended this leadership.
    if (!this.isOver) this.followers.watch(others);
  }

  private acceptOwn(state: AcceptedState<V>): void {
    outputOf(this.consensus.accept(state), 'publication');
  }

  private commitOwn(state: AcceptedState<V>): void {
    this.hooks.committed(outputOf(this.consensus.commit(state), 'commit'));
  }

  /** A member that accepted without a vote that is counted here could never enter the voting configuration: new term. */
  private voteReceived(from: DiscoveryNode, vote: Join | null): void {
    // Nobody votes for another.
    if (vote !== null && vote.from === from.id) this.consensus.countJoin(vote);
    else if (isEligible(from) && !this.consensus.state.joinVotes.has(from.id)) {
      this.hooks.termMissing(this.consensus.term + 1);
    }
  }

  private publicationEnded(state: AcceptedState<V>, batch: Batch<V>, end: PublicationEnd): void {
    if (end.kind === 'failed') {
      this.publication = null;
      refuseJoins(this.outbox, batch.joins, end.reason);
      this.completeAll(batch.proposals, { kind: 'unknown', reason: end.reason });
      if (!this.isOver) this.hooks.stepDown(`publication of version ${state.version} failed: ${end.reason}`);
      return;
    }
    const finish = (): void => {
      acknowledgeJoins(this.outbox, batch.joins);
      this.completeAll(batch.proposals, end);
    };
    if (this.isOver) {
      finish();
      return;
    }
    const { accepted } = this.consensus;
    assert(
      accepted.stateUuid === state.stateUuid,
      `version ${state.version} is committed, accepted is ${accepted.term}/${accepted.version}`,
    );
    this.lag.expect(state.version);
    // The leader applies last, so that no node is behind what the leader shows to clients.
    this.hooks.applyCommitted(accepted, () => {
      finish();
      if (this.isOver) return;
      this.publication = null;
      this.isElected = true;
      this.run();
    });
  }

  private completeAll(
    proposals: readonly Proposal<V>[],
    end: PublicationEnd | { kind: 'unknown'; reason: string },
  ): void {
    for (const { ticket } of proposals) {
      const result = end.kind === 'failed' ? ({ kind: 'unknown', reason: end.reason } as const) : end;
      this.outbox.complete(ticket, result);
    }
  }

  private nodeGone(removal: NodeRemoval): void {
    this.outbox.log('info', 'node is removed from the cluster', { node: removal.node.name, reason: removal.reason });
    this.removals.push(removal);
    this.publication?.nodeFailed(removal.node.id);
    this.run();
  }

  private nextConfig(): VotingConfig | null {
    const view = this.view();
    const { autoShrinkVotingConfiguration } = this.hooks.settings();
    const config = betterConfig(view, this.consensus.state.joinVotes, autoShrinkVotingConfiguration);
    if (config !== null && dependsOnOneOfTwo(view, config)) {
      const voter = config.join(',');
      this.outbox.log('info', 'two eligible nodes: one alone votes, and losing it stops the cluster', { voter });
    }
    return config;
  }

  /**
   * A leader that is out of the voting configuration and excluded, or about to end, leads only until a voter can. What waits here is asked
   * of the next leader by those who want it. True: this leadership is over.
   */
  private abdicate(): boolean {
    const view = this.view();
    const gone = new Set(this.removals.map((removal) => removal.node.id));
    const successor = this.isLeaving ? otherVoter(view, gone) : successorOfExcluded(view, gone);
    if (successor === null) return false;
    this.hooks.abdicateTo(successor);
    return true;
  }

  private view(): LeaderView {
    const { accepted } = this.consensus;
    return {
      localId: this.local.id,
      accepted,
      members: this.model.nodes(accepted.value),
      excluded: this.model.excludedIds(accepted.value),
    };
  }
}

/** Output of a step that a leader takes with its own state, and that must not be refused. */
function outputOf<Output>(attempt: Attempt<Output>, what: string): Output {
  if (attempt.kind === 'done') return attempt.output;
  assert(false, `own ${what} refused: ${attempt.reason}`);
}
