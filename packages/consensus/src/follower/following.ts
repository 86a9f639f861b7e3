/**
 * What a leader asks of this node: to accept a state, to apply it, to say that it follows.
 *
 * A node of the cluster that has a higher term is believed at once; one that has a lower term is refused, and so learns
 * of the higher.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { ConsensusHolder } from '../effects/consensus-holder.ts';
import type { Mode } from '../effects/coordination-events.ts';
import type { Outbox } from '../effects/outbox.ts';
import { UNHEALTHY } from '../leader/follower-checks.ts';
import type { Joining } from '../leader/joining.ts';
import type { AcceptedState } from '../steps/accepted-state.ts';
import type { StateApplier } from './committed-state-applier.ts';

export interface FollowingHooks {
  mode(): Mode;
  leader(): DiscoveryNode | null;
  isHealthy(): boolean;
  /** A node of the cluster as this one knows it, or one that it has found by itself. */
  isKnown(node: DiscoveryNode): boolean;
  /** Enters the term of a leader. @returns why not; null when it did */
  enterTerm(leader: DiscoveryNode, term: number): string | null;
  follow(leader: DiscoveryNode): void;
}

export class Following<V> {
  private readonly outbox: Outbox<V>;
  private readonly consensus: ConsensusHolder<V>;
  private readonly joining: Joining<V>;
  private readonly applier: StateApplier<V>;
  private readonly hooks: FollowingHooks;

  constructor(
    parts: {
      readonly outbox: Outbox<V>;
      readonly consensus: ConsensusHolder<V>;
      readonly joining: Joining<V>;
      readonly applier: StateApplier<V>;
    },
    hooks: FollowingHooks,
  ) {
    this.outbox = parts.outbox;
    this.consensus = parts.consensus;
    this.joining = parts.joining;
    this.applier = parts.applier;
    this.hooks = hooks;
  }

  published(from: DiscoveryNode, replyTo: number, state: AcceptedState<V>): void {
    const reason = this.joining.reasonAgainstState(state) ?? this.reasonAgainst(from, state.term);
    if (reason !== null) {
      this.outbox.refuse(replyTo, reason);
      return;
    }
    const unentered = this.reach(from, state.term);
    if (unentered !== null) {
      this.outbox.refuse(replyTo, unentered);
      return;
    }
    const attempt = this.consensus.accept(state);
    if (attempt.kind === 'refused') {
      this.outbox.refuse(replyTo, attempt.reason);
      return;
    }
    this.hooks.follow(from);
    const join = this.consensus.voteFor(from.id, state.term);
    this.outbox.reply(replyTo, { kind: 'publish', ...attempt.output, join });
  }

  /** A candidate applies a commit too, but shows no manager: it has lost this one already. */
  commitTold(replyTo: number, commit: { readonly term: number; readonly version: number }): void {
    const attempt = this.consensus.commit(commit);
    if (attempt.kind === 'refused') {
      this.outbox.refuse(replyTo, attempt.reason);
      return;
    }
    this.applier.committed(attempt.output);
    const manager = this.hooks.mode() === 'follower' ? this.hooks.leader() : null;
    this.applier.apply(attempt.output, manager, (failure) => {
      if (failure === null) this.outbox.acknowledge(replyTo);
      else this.outbox.refuse(replyTo, failure);
    });
  }

  checked(from: DiscoveryNode, replyTo: number, term: number): void {
    const reason = this.hooks.isHealthy() ? (this.reasonAgainst(from, term) ?? this.reach(from, term)) : UNHEALTHY;
    if (reason !== null) {
      this.outbox.refuse(replyTo, reason);
      return;
    }
    // Once a state of this term was accepted, only a publication makes a candidate follow again.
    if (this.consensus.accepted.term < term) this.hooks.follow(from);
    if (this.hooks.mode() === 'follower') this.outbox.acknowledge(replyTo);
    else this.outbox.refuse(replyTo, `is ${this.hooks.mode()} in term ${term}`);
  }

  /** @returns why this node does not come to be in the leader's term; null when it is */
  private reach(leader: DiscoveryNode, term: number): string | null {
    return term > this.consensus.term ? this.hooks.enterTerm(leader, term) : null;
  }

  private reasonAgainst(from: DiscoveryNode, term: number): string | null {
    if (term < this.consensus.term) return `term ${term} of [${from.name}] is below term ${this.consensus.term} here`;
    // A stranger may lead all the same: this node will see that its own leader does not, search, and find it.
    if (!this.hooks.isKnown(from)) return `[${from.name}] is not known here, nor that it leads term ${term}`;
    const leadsItself = this.hooks.mode() === 'leader' && term === this.consensus.term;
    return leadsItself ? `this node leads term ${term} itself` : null;
  }
}
