/**
 * Why there is no cluster manager, and which nodes cannot join: from what a node knows by itself.
 */
import type { PeerFailure, RefusedPeer } from '@shoal/protocol';
import { counted, type Finding, named } from '../mends/finding.ts';
import type { Mend } from '../mends/mend.ts';
import { explainPeer } from './peer-failures.ts';

export interface Voter {
  readonly id: string;
  /** null: it was never seen. */
  readonly name: string | null;
  /** `host:port`; null: it was never seen. */
  readonly address: string | null;
  /** It answers this node now, or is this node. */
  readonly isFound: boolean;
}

export interface MembershipView {
  readonly clusterName: string;
  readonly version: string;
  /** `host:port` of this node, and of the nodes of its cluster. */
  readonly members: readonly { readonly id: string; readonly address: string }[];
  readonly hasManager: boolean;
  /** What is missing to elect a cluster manager, in words; null when there is one. */
  readonly missing: string | null;
  readonly voters: readonly Voter[];
  /** Addresses that were dialled and failed, the last time each. */
  readonly failedDials: readonly { readonly address: string; readonly failure: PeerFailure; readonly reason: string }[];
  readonly refused: readonly RefusedPeer[];
}

export function membershipFindings(view: MembershipView): readonly Finding[] {
  // A node that has found its cluster was refused by those that were not up yet: no news.
  const dials = view.hasManager ? [] : failedDials(view);
  return [...(view.hasManager ? [] : [noManager(view)]), ...refusedPeers(view), ...dials];
}

function noManager({ voters, missing }: MembershipView): Finding {
  const found = voters.filter(({ isFound }) => isFound);
  const lost = voters.filter(({ isFound }) => !isFound);
  const needed = Math.floor(voters.length / 2) + 1;
  const shown = lost.map(({ id, name, address }) => (name === null ? id : `${name} at ${address}`));
  const hasQuorum = voters.length > 0 && found.length >= needed;
  return {
    cause: voters.length === 0 ? 'no_cluster' : hasQuorum ? 'no_cluster_manager' : 'no_quorum',
    status: 'red',
    indices: [],
    copies: 0,
    reason:
      voters.length === 0
        ? `No cluster manager is elected, and this node was in no cluster yet: ${missing ?? 'it is starting'}`
        : hasQuorum
          ? `No cluster manager is elected yet, though ${found.length} of the ${counted(voters.length, 'voting node')} are found, which is enough`
          : `No cluster manager can be elected: ${needed} of the ${counted(voters.length, 'voting node')} must reach each other, and this node reaches ${found.length}; missing: ${named(shown)}`,
    effect: 'changes and, by [cluster.no_master_block], writes are refused with 503; what started copies have is found',
    mends: hasQuorum
      ? [{ kind: 'wait', index: null, until: 'an election takes seconds' }]
      : lost.map(({ id }): Mend => ({ kind: 'startNode', node: { id, name: null } })),
  };
}

/** Peers that tried to join of late and are not in the cluster now. */
function refusedPeers(view: MembershipView): readonly Finding[] {
  const isIn = (peer: RefusedPeer): boolean =>
    view.members.some(({ id, address }) => address === peer.address && id === peer.nodeId);
  return view.refused
    .filter((peer) => !isIn(peer))
    .map((peer) => {
      const own = peer.isIncoming ? '' : ', which this node asked to join,';
      const { reason, mends } = explainPeer({ ...peer, clusterName: view.clusterName, version: view.version });
      return {
        cause: 'node_refused',
        status: 'yellow',
        indices: [],
        copies: 0,
        reason: own === '' ? reason : reason.replace(`[${peer.address}]`, `[${peer.address}]${own}`),
        effect: `it is not in the cluster; it was turned away ${counted(peer.times, 'time')}`,
        mends,
      };
    });
}

function failedDials(view: MembershipView): readonly Finding[] {
  const nameAt = (address: string): string | null =>
    view.voters.find((voter) => voter.address === address)?.name ?? null;
  return view.failedDials.map((dial) => ({
    cause: 'node_unreachable',
    status: 'yellow',
    indices: [],
    copies: 0,
    ...explainPeer({ ...dial, name: nameAt(dial.address), clusterName: view.clusterName, version: view.version }),
    effect: 'this node and that one are in no cluster together',
  }));
}
