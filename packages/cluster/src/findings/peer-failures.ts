/**
 * Nodes that cannot join, or cannot be reached: what each failure means, and what mends it at that node.
 */
import { PEER_FAILURES, type PeerFailure } from '@shoal/protocol';
import type { Explanation } from '../mends/finding.ts';
import type { Mend } from '../mends/mend.ts';

export interface FailedPeer {
  /** What it calls itself, or null where it said nothing. */
  readonly name: string | null;
  readonly address: string;
  readonly failure: PeerFailure;
  readonly reason: string;
  /** Name of the cluster that it is asked to join. */
  readonly clusterName: string;
  /** Version of the nodes of that cluster. */
  readonly version: string;
}

/** The failure in a sentence, with what mends it. */
export function explainPeer(peer: FailedPeer): Explanation {
  const who = peer.name === null ? `The node at [${peer.address}]` : `The node [${peer.name}] at [${peer.address}]`;
  const [says, mend] = FAILURES[peer.failure](peer);
  return { reason: `${who} ${says}: ${peer.reason}`, mends: [mend] };
}

type Told = readonly [says: string, mend: Mend];

const FRESH_FOLDER: Mend = atNode(
  'shoal data-node --data EMPTY_FOLDER',
  'starts that node on an empty data folder, as a node of its own; what is in the other folder stays there',
);

function doctor({ address }: FailedPeer, text: string): Mend {
  return atNode(`shoal doctor ${address}`, text);
}

function atNode(command: string, text: string): Mend {
  return { kind: 'atNode', command, text };
}

const FAILURES: Readonly<Record<PeerFailure, (peer: FailedPeer) => Told>> = {
  clusterName: ({ clusterName }) => [
    'belongs to a cluster of another name',
    atNode(`shoal data-node --cluster.name ${clusterName}`, 'gives that node the name of this cluster [cluster.name]'),
  ],
  version: ({ version }) => [
    'has a version that cannot be in this cluster',
    atNode(`npm install shoal@${version}`, `installs version [${version}] at that node`),
  ],
  revision: ({ version }) => [
    'speaks another revision of the protocol between nodes',
    atNode(`npm install shoal@${version}`, `installs version [${version}] at that node`),
  ],
  sameNodeId: () => ['runs on a copy of the data folder of a node that is alive', FRESH_FOLDER],
  foreignCluster: () => ['runs on the data folder of a node of another cluster', FRESH_FOLDER],
  unexpectedNode: (peer) => [
    'is not the node that was expected at that address',
    doctor(peer, 'tells which node answers there: [transport.port] and [network.publish_host] say where a node is'),
  ],
  foreignProtocol: (peer) => [
    'speaks something else than the transport protocol, such as HTTP or TLS',
    doctor(peer, 'tells what listens there: [discovery.seed_hosts] wants transport ports, 9300 by default'),
  ],
  noAnswer: (peer) => [
    'accepts connections and does not answer the handshake',
    doctor(peer, 'tells whether a proxy or a firewall stands in front of port 9300, or the process hangs'),
  ],
  singleNode: () => [
    'was started to be alone',
    atNode('shoal data-node --set discovery.type=multi-node', 'lets that node be in a cluster [discovery.type]'),
  ],
  term: () => [
    'has a term that no election can follow',
    atNode('shoal node reset-term --data FOLDER', 'mends the term in the data folder of the stopped node'),
  ],
  refused: (peer) => [
    'refuses connections: nothing listens there',
    doctor(peer, 'tells what is there once the node was started, and whether [network.host] is more than loopback'),
  ],
  timeout: (peer) => [
    'does not answer: packets to it are dropped on the way',
    doctor(peer, 'tells from any machine whether port 9300 is open to it; firewalls must let it through both ways'),
  ],
  unreachable: (peer) => ['cannot be reached', doctor(peer, 'tells whether there is a way to it from a machine')],
  unresolved: (peer) => [
    'has a name that is not known here',
    doctor(peer, 'tells whether the name is known: [discovery.seed_hosts] has it'),
  ],
  other: (peer) => ['cannot be connected to', doctor(peer, 'tells what is in the way')],
};

export function isPeerFailure(text: string): text is PeerFailure {
  return PEER_FAILURES.some((failure) => failure === text);
}
