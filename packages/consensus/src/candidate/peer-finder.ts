/**
 * Discovery of the other eligible nodes while no cluster manager is known, and answers to nodes that search.
 *
 * Each round probes the seed hosts and every known address that is no peer yet, and asks each peer for its peers and its
 * leader. A leader reported by somebody else is only probed: it must say itself that it leads.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { Address } from '@shoal/runtime';
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox } from '../effects/outbox.ts';
import type { NodeId } from '../steps/accepted-state.ts';
import type { CoordResponse } from '../steps/coord-message.ts';
import { duplicateOf } from '../steps/duplicate-node.ts';
import { addressText, isEligible, isSameProcess } from '../steps/node-roles.ts';

const ROUND_TIMER = 'findPeers';

/** Rounds begin this close to each other and double up to the interval: nodes that start together meet at once. */
const FIRST_ROUND_DELAY_MS = 100;

/** Addresses learnt from others beyond this are not remembered until there is room again. */
const LEARNT_ADDRESSES_MAX = 1_000;

export interface PeerFinderHooks {
  settings(): CoordinationSettings;
  term(): number;
  /** The cluster manager this node follows or is. */
  leader(): DiscoveryNode | null;
  peersChanged(): void;
  /** A node says of itself that it leads. */
  leaderFound(leader: DiscoveryNode, term: number): void;
}

export class PeerFinder<V> {
  private readonly outbox: Outbox<V>;
  private readonly local: DiscoveryNode;
  private readonly hooks: PeerFinderHooks;
  private active = false;
  private roundCount = 0;
  /** Number of searches begun; the first follows the start of the process. */
  private searchCount = 0;
  /** Address of this node when it was last in a cluster, as `host:port`; null: unknown or the same. */
  private formerAddress: string | null = null;
  private readonly found = new Map<NodeId, DiscoveryNode>();
  private readonly asking = new Set<NodeId>();
  /** Eligible members of the accepted state by `host:port`, probed in every round. */
  private members = new Map<string, Address>();
  /** Addresses that peers named, by `host:port`; removed when a probe fails. */
  private readonly learnt = new Map<string, Address>();
  private readonly failures = new Map<string, string>();

  constructor(outbox: Outbox<V>, local: DiscoveryNode, hooks: PeerFinderHooks) {
    this.outbox = outbox;
    this.local = local;
    this.hooks = hooks;
  }

  get peers(): readonly DiscoveryNode[] {
    return [...this.found.values()];
  }

  /** This node has dialled that one, and it said its id there. */
  hasFound(id: NodeId): boolean {
    return this.found.has(id);
  }

  get unreachable(): readonly { readonly address: string; readonly reason: string }[] {
    return [...this.failures].map(([address, reason]) => ({ address, reason }));
  }

  activate(members: Iterable<DiscoveryNode>): void {
    this.deactivate();
    this.active = true;
    this.roundCount = 0;
    this.searchCount += 1;
    const all = [...members];
    const others = all.filter((node) => isEligible(node) && node.id !== this.local.id);
    if (this.searchCount === 1) this.probeFormerAddress(all.find((node) => node.id === this.local.id));
    this.members = new Map(others.map((node) => [addressText(node), node.address]));
    this.round();
  }

  deactivate(): void {
    this.active = false;
    this.found.clear();
    this.asking.clear();
    this.learnt.clear();
    this.failures.clear();
    this.outbox.cancel(ROUND_TIMER);
  }

  /** Where this node was last: whoever answers there with its id runs on the data path that this one is a copy of. */
  private probeFormerAddress(former: DiscoveryNode | undefined): void {
    if (former === undefined || addressText(former) === addressText(this.local)) return;
    this.formerAddress = addressText(former);
    this.outbox.emit({ kind: 'probe', address: former.address });
  }

  peerFound(node: DiscoveryNode): void {
    // Only while it has just started: of two processes with one id, the one that was in the cluster before stays.
    if (node.id === this.local.id && !isSameProcess(node, this.local) && this.searchCount <= 1) {
      this.outbox.emit({ kind: 'fatal', reason: duplicateOf(node) });
    }
    if (!this.active || node.id === this.local.id || !isEligible(node)) return;
    this.failures.delete(addressText(node));
    const known = this.found.get(node.id);
    if (known !== undefined && isSameProcess(known, node)) return;
    this.found.set(node.id, node);
    this.asking.delete(node.id);
    this.ask(node);
    this.hooks.peersChanged();
  }

  probeFailed(address: string, reason: string): void {
    if (!this.active || address === this.formerAddress) return;
    this.learnt.delete(address);
    if (this.failures.size < LEARNT_ADDRESSES_MAX || this.failures.has(address)) this.failures.set(address, reason);
  }

  disconnected(process: { readonly id: NodeId; readonly ephemeralId: string }): void {
    const known = this.found.get(process.id);
    if (known !== undefined && isSameProcess(known, process)) this.drop(known);
  }

  /** Answers a node that searches. While this one searches too, the asker and its peers are probed. */
  requestPeers(from: DiscoveryNode, knownPeers: readonly DiscoveryNode[]): CoordResponse {
    if (this.active) for (const node of [from, ...knownPeers]) this.learn(node);
    return { kind: 'peers', leader: this.hooks.leader(), knownPeers: this.peers, term: this.hooks.term() };
  }

  private round(): void {
    this.outbox.emit({ kind: 'probeSeeds' });
    const connected = new Set([...this.found.values()].map(addressText));
    for (const [text, address] of new Map([...this.members, ...this.learnt])) {
      if (!connected.has(text)) this.outbox.emit({ kind: 'probe', address });
    }
    for (const peer of this.peers) this.ask(peer);
    const delayMs = Math.min(this.hooks.settings().findPeersIntervalMs, FIRST_ROUND_DELAY_MS * 2 ** this.roundCount);
    this.roundCount += 1;
    this.outbox.schedule(ROUND_TIMER, delayMs, () => this.round());
  }

  private ask(peer: DiscoveryNode): void {
    if (this.asking.has(peer.id)) return;
    this.asking.add(peer.id);
    const options = { channel: 'reg', timeoutMs: this.hooks.settings().requestPeersTimeoutMs } as const;
    const isCurrent = (): boolean => this.active && this.found.get(peer.id) === peer && this.asking.delete(peer.id);
    this.outbox.send(peer, { kind: 'requestPeers', knownPeers: this.peers }, options, {
      answered: (response) => {
        if (isCurrent() && response.kind === 'peers') this.peersTold(peer, response);
        else this.forgetQuestion(peer);
      },
      failed: ({ cause }) => {
        // A peer that refuses is there; one that is silent must be probed again.
        if (isCurrent() && cause !== 'refused') this.drop(peer);
        else this.forgetQuestion(peer);
      },
    });
  }

  private forgetQuestion(peer: DiscoveryNode): void {
    if (this.found.get(peer.id) !== peer) this.asking.delete(peer.id);
  }

  private peersTold(
    peer: DiscoveryNode,
    told: {
      readonly leader: DiscoveryNode | null;
      readonly knownPeers: readonly DiscoveryNode[];
      readonly term: number;
    },
  ): void {
    if (told.leader === null) {
      for (const node of told.knownPeers) this.learn(node);
    } else if (told.leader.id === peer.id) {
      this.hooks.leaderFound(peer, told.term);
    } else {
      this.learn(told.leader);
    }
  }

  /** Probes a node that is not known yet at once, so that forming does not wait for the next round. */
  private learn(node: DiscoveryNode): void {
    if (node.id === this.local.id || !isEligible(node)) return;
    const known = this.found.get(node.id);
    if (known !== undefined && isSameProcess(known, node)) return;
    const text = addressText(node);
    if (this.learnt.has(text) || this.learnt.size >= LEARNT_ADDRESSES_MAX) return;
    this.learnt.set(text, node.address);
    this.outbox.emit({ kind: 'probe', address: node.address });
  }

  private drop(peer: DiscoveryNode): void {
    this.found.delete(peer.id);
    this.asking.delete(peer.id);
    this.learnt.delete(addressText(peer));
    this.hooks.peersChanged();
  }
}
