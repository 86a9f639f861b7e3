/**
 * Connections of this node to the others: one each, opened when first needed, and kept to every node of the applied state.
 *
 * A lost connection is told at once; it is dialled again when somebody sends, when that node has dialled this one, with
 * the next applied state, and every `RECONNECT_INTERVAL_MS`. A connection to a node that was taken out of the cluster is
 * closed, so that what still waits for its answer fails.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert, isAssertionFailure, messageOf, ShoalError, showHostPort } from '@shoal/core';
import type { Cancel, Runtime } from '@shoal/runtime';
import type { Connection, Transport } from '@shoal/transport';
import { nodeClosed } from './node-closed.ts';

const RECONNECT_INTERVAL_MS = 10_000;
/** Short: a dial that began before a partition healed would go on waiting for its next attempt. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Time after a failed dial in which requests to the node do not dial again. */
const REDIAL_PAUSE_MS = 100;
/** A connection to a node outside the applied state is closed after this time without use. */
const IDLE_STRANGER_MS = 60_000;

export type ConnectionLost = (node: { readonly id: string; readonly ephemeralId: string }, reason: string) => void;

interface Entry {
  readonly connection: Connection;
  lastUsedMs: number;
}

export class NodeConnections {
  readonly #runtime: Runtime;
  readonly #transport: Transport;
  readonly #onLost: ConnectionLost;
  readonly #open = new Map<string, Entry>();
  readonly #opening = new Map<string, Promise<Connection>>();
  /** Times of the last failed dials, by member. */
  readonly #failedMs = new Map<string, number>();
  #members: ReadonlyMap<string, DiscoveryNode> = new Map();
  #stopTimer: Cancel;
  #isClosed = false;

  constructor(runtime: Runtime, transport: Transport, onLost: ConnectionLost) {
    this.#runtime = runtime;
    this.#transport = transport;
    this.#onLost = onLost;
    this.#stopTimer = runtime.sched.after(RECONNECT_INTERVAL_MS, () => this.#tick());
    transport.onNodeConnected(({ nodeId }) => {
      const missing = this.#missing().find((node) => node.id === nodeId);
      if (missing !== undefined) void this.#tryOpen(missing);
    });
  }

  /** The open connection to a node; null when there is none. */
  find(nodeId: string): Connection | null {
    const entry = this.#open.get(nodeId);
    if (entry === undefined || entry.connection.isClosed) return null;
    entry.lastUsedMs = this.#runtime.clock.monotonicMs();
    return entry.connection;
  }

  /** The connection to this process of the node; dials when there is none. */
  async open(node: DiscoveryNode): Promise<Connection> {
    const known = this.find(node.id);
    if (known !== null && known.node.ephemeralId === node.ephemeralId) return known;
    const key = `${node.id}/${node.ephemeralId}`;
    const running = this.#opening.get(key);
    if (running !== undefined) return running;
    const opening = this.#dial(node).finally(() => this.#opening.delete(key));
    this.#opening.set(key, opening);
    return opening;
  }

  /** The connection to a node; dials when there is none and waits for it. Null when there is none within the time. */
  async reach(node: DiscoveryNode, withinMs: number): Promise<Connection | null> {
    const failedMs = this.#failedMs.get(node.id);
    const isPaused = failedMs !== undefined && this.#runtime.clock.monotonicMs() - failedMs < REDIAL_PAUSE_MS;
    if (!isPaused) {
      await new Promise<void>((resolve) => {
        const stopTimer = this.#runtime.sched.after(withinMs, resolve);
        void this.#tryOpen(node).then(() => {
          stopTimer();
          resolve();
        });
      });
    }
    return this.find(node.id);
  }

  /** Sets the nodes to stay connected to. Resolves when each was dialled once. */
  async keep(members: ReadonlyMap<string, DiscoveryNode>): Promise<void> {
    for (const [id, { ephemeralId }] of this.#members) {
      const open = this.#open.get(id)?.connection;
      if (members.get(id)?.ephemeralId === ephemeralId || open?.node.ephemeralId !== ephemeralId) continue;
      open.close('the node is not in the cluster any more');
    }
    this.#members = members;
    for (const id of this.#failedMs.keys()) if (!members.has(id)) this.#failedMs.delete(id);
    await Promise.all(this.#missing().map((node) => this.#tryOpen(node)));
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer();
    for (const { connection } of this.#open.values()) connection.close('node closes');
    this.#open.clear();
  }

  async #dial(node: DiscoveryNode): Promise<Connection> {
    const connection = await this.#transport.connect(node.address, {
      kind: 'node',
      expectNodeId: node.id,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    });
    if (this.#isClosed) {
      connection.close('node closes');
      throw nodeClosed();
    }
    assert(connection.node.nodeId === node.id, `[${node.id}] was dialled, [${connection.node.nodeId}] answers`);
    const before = this.#open.get(node.id);
    if (before !== undefined && !before.connection.isClosed) {
      // Two processes of one node: the one that answers its address now is the live one.
      before.connection.close('a newer process of the node was found');
    }
    this.#open.set(node.id, { connection, lastUsedMs: this.#runtime.clock.monotonicMs() });
    void connection.closed.then((reason) => this.#lost(connection, reason));
    if (connection.node.ephemeralId !== node.ephemeralId) {
      throw new ShoalError(
        'connect_transport_exception',
        500,
        `[${node.name}][${showHostPort(node.address)}] another process of the node answers`,
      );
    }
    return connection;
  }

  #lost(connection: Connection, reason: string): void {
    const { nodeId, ephemeralId } = connection.node;
    if (this.#open.get(nodeId)?.connection === connection) this.#open.delete(nodeId);
    if (!this.#isClosed) this.#onLost({ id: nodeId, ephemeralId }, reason);
  }

  #missing(): readonly DiscoveryNode[] {
    const own = this.#transport.identity.nodeId;
    return [...this.#members.values()].filter((node) => {
      if (node.id === own) return false;
      const entry = this.#open.get(node.id);
      return entry === undefined || entry.connection.isClosed || entry.connection.node.ephemeralId !== node.ephemeralId;
    });
  }

  async #tryOpen(node: DiscoveryNode): Promise<void> {
    try {
      await this.open(node);
      this.#failedMs.delete(node.id);
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      if (this.#members.has(node.id)) this.#failedMs.set(node.id, this.#runtime.clock.monotonicMs());
      // The failure detector decides what it means; here it is only tried again later.
      const reason = messageOf(error);
      this.#runtime.log.debug('cannot connect to node of the cluster', { node: node.name, reason });
    }
  }

  #tick(): void {
    const now = this.#runtime.clock.monotonicMs();
    for (const [id, entry] of this.#open) {
      if (!this.#members.has(id) && now - entry.lastUsedMs > IDLE_STRANGER_MS)
        entry.connection.close('not in the cluster');
    }
    void this.keep(this.#members);
    this.#stopTimer = this.#runtime.sched.after(RECONNECT_INTERVAL_MS, () => this.#tick());
  }
}
