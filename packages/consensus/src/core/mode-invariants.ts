/**
 * Invariants of a node's mode after every event: who it follows, whether it leads, and that the consensus agrees.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { Mode } from '../effects/coordination-events.ts';

export interface ModeFacts {
  readonly mode: Mode;
  readonly localId: string;
  readonly term: number;
  /** The node that is followed, or this one while it leads. */
  readonly leader: DiscoveryNode | null;
  /** Term that the leadership of this node began in; null without one. */
  readonly leadershipTerm: number | null;
  readonly electionWon: boolean;
}

export function assertModeInvariants(facts: ModeFacts): void {
  const { mode, localId, term, leader, leadershipTerm, electionWon } = facts;
  const isLeader = mode === 'leader';
  assert((leadershipTerm !== null) === isLeader, `a ${mode} in term ${term} with a leadership of ${leadershipTerm}`);
  assert(!isLeader || electionWon, `leads term ${term} without an election`);
  assert(!isLeader || leadershipTerm === term, `leads since term ${leadershipTerm}, which is not term ${term}`);
  assert(!isLeader || leader?.id === localId, `leads term ${term} and shows [${leader?.id}] as leader`);
  assert(mode !== 'candidate' || leader === null, `a candidate in term ${term} that follows [${leader?.id}]`);
  assert(mode !== 'follower' || leader !== null, `a follower in term ${term} without a leader`);
  assert(mode !== 'follower' || leader?.id !== localId, `[${localId}] follows itself in term ${term}`);
}
