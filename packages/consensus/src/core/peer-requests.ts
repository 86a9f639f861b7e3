/**
 * Requests of other nodes: each goes to the part that answers it; the few that need the whole node are answered here.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { unreachable as neverHappens } from '@shoal/core';
import type { Candidacy } from '../candidate/candidacy.ts';
import type { PeerFinder } from '../candidate/peer-finder.ts';
import type { Attempt } from '../effects/consensus-holder.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { Following } from '../follower/following.ts';
import { UNHEALTHY } from '../leader/follower-checks.ts';
import type { Joining } from '../leader/joining.ts';
import type { Leadership } from '../leader/leadership.ts';
import type { CoordRequest, Join } from '../steps/coord-message.ts';
import { mayLead } from '../steps/node-roles.ts';

export interface PeerRequestParts<V> {
  readonly outbox: Outbox<V>;
  readonly peers: PeerFinder<V>;
  readonly candidacy: Candidacy<V>;
  readonly joining: Joining<V>;
  readonly following: Following<V>;
}

export interface PeerRequestHooks<V> {
  isHealthy(): boolean;
  /** The node that is followed, or this one while it leads. */
  leader(): DiscoveryNode | null;
  leadership(): Leadership<V> | null;
  /** A node of the cluster as this one knows it, or one that it has found by itself. */
  isKnown(node: DiscoveryNode): boolean;
  voteFor(candidate: DiscoveryNode, term: number): Attempt<Join>;
  termSeen(term: number): void;
}

export class PeerRequests<V> {
  private readonly parts: PeerRequestParts<V>;
  private readonly hooks: PeerRequestHooks<V>;

  constructor(parts: PeerRequestParts<V>, hooks: PeerRequestHooks<V>) {
    this.parts = parts;
    this.hooks = hooks;
  }

  requested(from: DiscoveryNode, replyTo: number, request: CoordRequest<V>): void {
    const { outbox, peers, joining, following } = this.parts;
    outbox.asked(replyTo);
    switch (request.kind) {
      case 'requestPeers':
        outbox.reply(replyTo, peers.requestPeers(from, request.knownPeers));
        return;
      case 'preVote':
        this.preVoteAsked(from, replyTo, request.currentTerm);
        return;
      case 'startJoin':
        this.startJoinAsked(from, replyTo, request);
        return;
      case 'join':
        joining.asked(from, replyTo, request);
        return;
      case 'joinValidate':
        joining.validate(replyTo, request.state);
        return;
      case 'publish':
        following.published(from, replyTo, request.state);
        return;
      case 'applyCommit':
        following.commitTold(replyTo, request);
        return;
      case 'followerCheck':
        following.checked(from, replyTo, request.term);
        return;
      case 'leaderCheck':
        this.leaderChecked(from, replyTo);
        return;
      default:
        neverHappens(request);
    }
  }

  private preVoteAsked(from: DiscoveryNode, replyTo: number, term: number): void {
    const { outbox, candidacy } = this.parts;
    const leader = this.hooks.leader();
    if (!this.hooks.isHealthy()) outbox.refuse(replyTo, UNHEALTHY);
    else if (!mayLead(from)) outbox.refuse(replyTo, `[${from.name}] cannot be cluster manager`);
    // The leader itself asking means that it has restarted.
    else if (leader !== null && leader.id !== from.id) outbox.refuse(replyTo, `there is a leader [${leader.name}]`);
    else outbox.reply(replyTo, candidacy.preVoteAnswer());
    // An answer changes nothing here, so that whoever asks gets one; a term of a stranger is not believed.
    if (this.hooks.isKnown(from)) this.hooks.termSeen(term);
  }

  private startJoinAsked(
    from: DiscoveryNode,
    replyTo: number,
    { candidate, term }: { readonly candidate: DiscoveryNode; readonly term: number },
  ): void {
    const reason = this.reasonAgainstElection(from, candidate);
    const attempt: Attempt<Join> = reason === null ? this.hooks.voteFor(candidate, term) : { kind: 'refused', reason };
    if (attempt.kind === 'done') this.parts.outbox.acknowledge(replyTo);
    else this.parts.outbox.refuse(replyTo, attempt.reason);
  }

  /** Whoever asks for votes asks for itself, except a leader that hands over. */
  private reasonAgainstElection(from: DiscoveryNode, candidate: DiscoveryNode): string | null {
    if (!this.hooks.isHealthy()) return UNHEALTHY;
    if (!mayLead(candidate)) return `[${candidate.name}] cannot be cluster manager`;
    if (!this.hooks.isKnown(from)) return `[${from.name}] is not known here`;
    if (candidate.id === from.id || this.hooks.leader()?.id === from.id) return null;
    return `[${from.name}] asks for votes for [${candidate.name}] and does not lead`;
  }

  private leaderChecked(from: DiscoveryNode, replyTo: number): void {
    const { outbox } = this.parts;
    const leadership = this.hooks.leadership();
    if (!this.hooks.isHealthy()) outbox.refuse(replyTo, UNHEALTHY);
    else if (leadership === null) outbox.refuse(replyTo, 'is not the leader');
    else if (!leadership.hasMember(from)) outbox.refuse(replyTo, `[${from.name}] is not in the cluster`);
    else outbox.acknowledge(replyTo);
  }
}
