/**
 * Pre-votes, a question before an election: a node that could not win does not disturb those that have a cluster manager.
 *
 * Nothing durable changes on either side, so a partitioned node cannot drive terms up.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { ConsensusHolder } from '../effects/consensus-holder.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { NodeId } from '../steps/accepted-state.ts';
import { isAtMostAsFresh } from '../steps/consensus-state.ts';
import type { CoordResponse } from '../steps/coord-message.ts';

/** Longest wait for a pre-vote: by then the next attempt has begun. */
const PRE_VOTE_TIMEOUT_MS = 10_000;

export class PreVoteCollector<V> {
  private readonly outbox: Outbox<V>;
  private readonly consensus: ConsensusHolder<V>;
  private readonly termSeen: (term: number) => void;
  /** Pre-votes of the open round, which tells its answers from late ones; null: no round is open. */
  private votes: Set<NodeId> | null = null;

  constructor(outbox: Outbox<V>, consensus: ConsensusHolder<V>, termSeen: (term: number) => void) {
    this.outbox = outbox;
    this.consensus = consensus;
    this.termSeen = termSeen;
  }

  /** Asks all peers; `won` runs at most once, when enough would vote. A new round ends the last. */
  collect(local: NodeId, peers: readonly DiscoveryNode[], won: () => void): void {
    const votes = new Set([local]);
    this.votes = votes;
    const check = (): void => {
      if (this.votes !== votes || !this.consensus.isElectionQuorum(votes)) return;
      this.votes = null;
      won();
    };
    const request = { kind: 'preVote', currentTerm: this.consensus.term } as const;
    for (const peer of peers) {
      this.outbox.send(
        peer,
        request,
        { channel: 'reg', timeoutMs: PRE_VOTE_TIMEOUT_MS },
        {
          answered: (response) => {
            if (response.kind !== 'preVote') return;
            this.termSeen(response.currentTerm);
            const { term, version } = this.consensus.accepted;
            // A fresher peer would refuse its real vote.
            if (
              !isAtMostAsFresh({ term: response.acceptedTerm, version: response.acceptedVersion }, { term, version })
            ) {
              return;
            }
            votes.add(peer.id);
            check();
          },
          failed: () => undefined,
        },
      );
    }
    check();
  }

  cancel(): void {
    this.votes = null;
  }

  answer(): CoordResponse {
    const { term, version } = this.consensus.accepted;
    return { kind: 'preVote', currentTerm: this.consensus.term, acceptedTerm: term, acceptedVersion: version };
  }
}
