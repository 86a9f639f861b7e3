/**
 * Memory of the nodes that this one turned away of late, and of those that turned this one away: what an operator asks who misses a node.
 *
 * A peer that is refused tries again every second: it is one entry, with the number and the time of its tries.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { showHostPort } from '@shoal/core';
import { type PeerFailure, REFUSED_PEERS_MAX, type RefusedPeer } from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';

/** Time after the last try in which a peer is told of: by then it has given up, or is in the cluster. */
const TOLD_MS = 300_000;

export class RefusedPeers {
  readonly #runtime: Pick<Runtime, 'clock'>;
  /** The one refused longest ago first: it is forgotten first. */
  readonly #peers = new Map<string, RefusedPeer>();

  constructor(runtime: Pick<Runtime, 'clock'>) {
    this.#runtime = runtime;
  }

  note(refused: {
    readonly node: Pick<DiscoveryNode, 'id' | 'name' | 'address'>;
    readonly failure: PeerFailure;
    readonly reason: string;
    /** False: this node was turned away by that one. */
    readonly isIncoming: boolean;
  }): void {
    const { node, failure, reason, isIncoming } = refused;
    const address = showHostPort(node.address);
    const key = `${isIncoming}/${failure}/${address}`;
    const times = 1 + (this.#peers.get(key)?.times ?? 0);
    this.#peers.delete(key);
    const lastMs = this.#runtime.clock.wallMs();
    this.#peers.set(key, { nodeId: node.id, name: node.name, address, failure, reason, isIncoming, times, lastMs });
    const [oldest] = this.#peers.keys();
    if (this.#peers.size > REFUSED_PEERS_MAX && oldest !== undefined) this.#peers.delete(oldest);
  }

  /** Those of the last minutes, the newest last. */
  recent(): readonly RefusedPeer[] {
    const sinceMs = this.#runtime.clock.wallMs() - TOLD_MS;
    return [...this.#peers.values()].filter(({ lastMs }) => lastMs >= sinceMs);
  }
}
