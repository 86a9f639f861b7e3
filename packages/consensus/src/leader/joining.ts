/**
 * Joins, both ways: this node's wish to be in a cluster with its vote, and the wishes and votes that come in.
 *
 * An elected cluster manager first lets the newcomer look at the cluster's state, so that a node that cannot live with it
 * never enters. A newcomer with the id of a member that still answers is a copy of that member's data path: were it let in,
 * the two would replace each other, and what one acknowledged would be missing in the other.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { ConsensusHolder } from '../effects/consensus-holder.ts';
import type { CoordinationConfig } from '../effects/coordination-events.ts';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { AcceptedState } from '../steps/accepted-state.ts';
import type { CoordRequest, Join } from '../steps/coord-message.ts';
import { duplicateOf, isDuplicateReason } from '../steps/duplicate-node.ts';
import { isTermInReach } from '../steps/term-reach.ts';
import type { Leadership } from './leadership.ts';
import { PendingJoins } from './pending-joins.ts';

export interface JoiningHooks<V> {
  settings(): CoordinationSettings;
  isCandidate(): boolean;
  leadership(): Leadership<V> | null;
  voteForItself(term: number): void;
  electionWon(): void;
  termSeen(term: number): void;
}

type JoinRequest = Extract<CoordRequest<unknown>, { kind: 'join' }>;

export class Joining<V> {
  /** Votes and wishes that came while an election is open. */
  readonly waiting: PendingJoins<V>;
  private readonly config: CoordinationConfig<V>;
  private readonly outbox: Outbox<V>;
  private readonly consensus: ConsensusHolder<V>;
  private readonly hooks: JoiningHooks<V>;
  private readonly underWay = new Set<string>();
  private lastAskedId: string | null = null;

  constructor(
    config: CoordinationConfig<V>,
    parts: { readonly outbox: Outbox<V>; readonly consensus: ConsensusHolder<V> },
    hooks: JoiningHooks<V>,
  ) {
    this.config = config;
    this.outbox = parts.outbox;
    this.consensus = parts.consensus;
    this.hooks = hooks;
    this.waiting = new PendingJoins(parts.outbox);
  }

  /** Asks `target` to take this node in; `join` null when its vote of this term is given already. */
  send(target: DiscoveryNode, join: Join | null): void {
    const { accepted, term } = this.consensus;
    this.lastAskedId = target.id;
    if (target.id === this.config.local.id) {
      this.process(this.config.local, null, { join, minimumTerm: term });
      return;
    }
    const key = `${target.id}/${target.ephemeralId}/${term}/${join === null ? '' : 'vote'}`;
    if (this.underWay.has(key)) return;
    this.underWay.add(key);
    const committedClusterUuid = accepted.clusterUuidCommitted ? accepted.clusterUuid : null;
    const request = { kind: 'join', join, minimumTerm: term, committedClusterUuid } as const;
    this.outbox.send(target, request, this.options(), {
      answered: () => {
        this.underWay.delete(key);
      },
      failed: ({ reason }) => {
        this.underWay.delete(key);
        this.outbox.log('debug', 'join failed', { target: target.name, term, reason });
        if (isDuplicateReason(reason)) this.outbox.emit({ kind: 'fatal', reason });
      },
    });
  }

  /** Whether this node asked the node last to take it in, whatever came of it: the answer may be lost, and the node be in all the same. */
  hasAsked(id: string): boolean {
    return this.lastAskedId === id;
  }

  asked(from: DiscoveryNode, replyTo: number, request: JoinRequest): void {
    const reason = this.reasonAgainst(from, request);
    if (reason !== null) {
      this.outbox.refuse(replyTo, reason);
      return;
    }
    const leadership = this.hooks.leadership();
    const other = leadership?.otherProcessOf(from) ?? null;
    if (leadership !== null && other !== null) this.askWhetherGone(other, leadership.term, { from, replyTo, request });
    else this.admit(from, replyTo, request);
  }

  /** Admits a node in place of the process that had its id, once that process is known to be gone. */
  private askWhetherGone(
    other: DiscoveryNode,
    term: number,
    {
      from,
      replyTo,
      request,
    }: { readonly from: DiscoveryNode; readonly replyTo: number; readonly request: JoinRequest },
  ): void {
    const options = { channel: 'ping', timeoutMs: this.hooks.settings().followerCheckTimeoutMs } as const;
    this.outbox.send(other, { kind: 'followerCheck', term }, options, {
      answered: () => this.outbox.refuse(replyTo, duplicateOf(other)),
      failed: ({ cause }) => {
        if (cause === 'refused') this.outbox.refuse(replyTo, duplicateOf(other));
        // Silence is no death: the checks of the members decide, and the newcomer asks again.
        else if (cause === 'timeout')
          this.outbox.refuse(replyTo, `the earlier process of [${from.name}] does not answer`);
        else this.admit(from, replyTo, request);
      },
    });
  }

  private admit(from: DiscoveryNode, replyTo: number, request: JoinRequest): void {
    if (this.hooks.leadership()?.isManager !== true) {
      this.process(from, replyTo, request);
      return;
    }
    this.outbox.send(from, { kind: 'joinValidate', state: this.consensus.accepted }, this.options(), {
      answered: () => this.process(from, replyTo, request),
      failed: (failure) => this.outbox.refuse(replyTo, `join validation failed: ${failure.reason}`),
    });
  }

  /** The joining side of the validation. */
  validate(replyTo: number, state: AcceptedState<V>): void {
    const reason = this.reasonAgainstState(state) ?? this.config.model.refuseState(state.value);
    if (reason === null) this.outbox.acknowledge(replyTo);
    else this.outbox.refuse(replyTo, reason);
  }

  /** A node that has been in one cluster for good refuses every other. */
  reasonAgainstState(state: AcceptedState<V>): string | null {
    const { clusterUuid, clusterUuidCommitted } = this.consensus.accepted;
    if (!clusterUuidCommitted || state.clusterUuid === clusterUuid) return null;
    return foreignCluster(clusterUuid, state.clusterUuid);
  }

  private process(
    from: DiscoveryNode,
    replyTo: number | null,
    request: { readonly join: Join | null; readonly minimumTerm: number },
  ): void {
    const { join } = request;
    let wonNow = false;
    if (join !== null) {
      // A vote in a term that this node was asked to stand in, and has not entered yet.
      const isAhead = join.to === this.config.local.id && join.term > this.consensus.term;
      if (isAhead) this.hooks.voteForItself(join.term);
      const alreadyWon = this.consensus.state.electionWon;
      const attempt = this.consensus.countJoin(join);
      if (attempt.kind === 'done') wonNow = attempt.output.wonNow;
      else if (!alreadyWon) {
        this.outbox.refuse(replyTo, attempt.reason);
        return;
      }
    }
    const leadership = this.hooks.leadership();
    assert(!wonNow || leadership === null, `wins term ${this.consensus.term} while it leads term ${leadership?.term}`);
    if (leadership !== null) leadership.addJoin({ node: from, replyTo });
    else if (this.hooks.isCandidate()) this.waiting.add(from, replyTo);
    else this.outbox.refuse(replyTo, 'this node follows a leader and is none');
    if (wonNow) this.hooks.electionWon();
    this.hooks.termSeen(request.minimumTerm);
  }

  private reasonAgainst(from: DiscoveryNode, request: JoinRequest): string | null {
    const { accepted, term } = this.consensus;
    if (from.id === this.config.local.id) return duplicateOf(this.config.local);
    const { join, minimumTerm, committedClusterUuid } = request;
    if (join !== null && join.from !== from.id) return `vote of [${join.from}] sent by [${from.id}]`;
    // It could never follow a leader of a term below its own.
    if (!isTermInReach(term, minimumTerm))
      return `term ${minimumTerm} of [${from.name}] is out of reach of term ${term}`;
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

  private options(): { readonly channel: 'state'; readonly timeoutMs: number } {
    return { channel: 'state', timeoutMs: this.hooks.settings().joinTimeoutMs };
  }
}

function foreignCluster(localUuid: string, otherUuid: string): string {
  return `join validation on cluster state with a different cluster uuid ${otherUuid} than local cluster uuid ${localUuid}, rejecting`;
}
