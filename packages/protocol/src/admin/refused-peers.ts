/** Nodes that a node turned away of late, or that turned it away. Any node → any node. Channel `reg`. */
import { ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';

/** Why two nodes do not come together: failures of the dial, of the handshake, of the join. */
export const PEER_FAILURES = [
  'clusterName',
  'version',
  'revision',
  'sameNodeId',
  'unexpectedNode',
  'foreignProtocol',
  'noAnswer',
  'foreignCluster',
  'singleNode',
  'term',
  'refused',
  'timeout',
  'unreachable',
  'unresolved',
  'other',
] as const;

export type PeerFailure = (typeof PEER_FAILURES)[number];

export interface RefusedPeer {
  readonly nodeId: string;
  readonly name: string;
  /** `host:port` of its transport. */
  readonly address: string;
  readonly failure: PeerFailure;
  readonly reason: string;
  /** False: it turned the node away that remembers it. */
  readonly isIncoming: boolean;
  /** Tries since it was first remembered. */
  readonly times: number;
  /** Time of the last try, in ms since 1970. */
  readonly lastMs: number;
}

/** Peers that one node remembers at most. */
export const REFUSED_PEERS_MAX = 50;

export const LIST_REFUSED_PEERS: ActionCodec<
  Readonly<Record<string, never>>,
  { readonly peers: readonly RefusedPeer[] }
> = {
  name: 'cluster:monitor/health/refused_peers[n]',
  writeRequest: () => ({ message: {} }),
  readRequest: () => ({}),
  writeResponse: ({ peers }) => ({ message: { peers } }),
  readResponse: (body) => ({
    peers: ValueReader.of(body.message).list('peers', readRefusedPeer, REFUSED_PEERS_MAX),
  }),
};

function readRefusedPeer(value: unknown, field: string): RefusedPeer {
  const r = ValueReader.of(value, field);
  return {
    nodeId: r.string('nodeId'),
    name: r.string('name'),
    address: r.string('address'),
    failure: r.oneOf('failure', PEER_FAILURES),
    reason: r.string('reason'),
    isIncoming: r.boolean('isIncoming'),
    times: r.integer('times', 1, Number.MAX_SAFE_INTEGER),
    lastMs: r.integer('lastMs', 0, Number.MAX_SAFE_INTEGER),
  };
}
