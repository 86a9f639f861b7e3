/**
 * One node's transport: the listener, the sockets others opened, the connections this node dialled, and the handlers.
 */
import { assert, ShoalError } from '@shoal/core';
import type { Address, Cancel, Listener, Runtime, Socket } from '@shoal/runtime';
import type { NodeIdentity } from '../channel/node-identity.ts';
import type {
  ClosedConnection,
  Connection,
  ConnectOptions,
  RefusedPeer,
  RequestHandler,
  RequestTracker,
  Transport,
  TransportStats,
} from '../channel/transport.ts';
import { type TransportSettings, transportSettings } from '../channel/transport-settings.ts';
import { LocalConnection } from '../connections/local-connection.ts';
import { openConnection } from '../connections/open-connection.ts';
import type { OutboundConnection } from '../connections/outbound-connection.ts';
import type { HandshakeRefusal, Hello } from '../sockets/handshake.ts';
import { InboundSocket, type InboundSocketEvents } from '../sockets/inbound-socket.ts';
import { RequestDispatcher } from '../sockets/request-dispatch.ts';
import { createTransportContext, type TransportContext } from '../sockets/transport-context.ts';

export interface StartTransportOptions {
  readonly identity: Omit<NodeIdentity, 'address'>;
  /** Null: a client that only dials. Port 0 asks for any free port. */
  readonly bind: Address | null;
  /** Host by which others reach this node, when it is not the bound one. */
  readonly publishHost?: string;
  readonly settings?: Partial<TransportSettings>;
}

/**
 * Sockets that have not said who they are. More are dropped at once. Every node of a cluster dials a newcomer at the same
 * moment, with all the sockets of its connection: well over a hundred nodes must find room.
 */
const STRANGERS_MAX = 1_024;
/** Interval of the check of all sockets for stalled writes and due pings. */
const CHECK_INTERVAL_MS_MIN = 20;
const CHECK_INTERVAL_MS_MAX = 1_000;
const NOWHERE: Address = { host: '', port: 0 };

/** Rejects with a `NetworkError` when the address cannot be bound. */
export async function startTransport(runtime: Runtime, options: StartTransportOptions): Promise<Transport> {
  const { identity, bind } = options;
  const settings = transportSettings(options.settings ?? {}, { kind: identity.kind, machine: runtime.machine });
  // The listener exists before the identity is complete: its port is part of it. Nobody is answered before that.
  const early: Socket[] = [];
  let accept = (socket: Socket): void => void early.push(socket);
  const listener = bind === null ? null : await runtime.net.listen(bind, (socket) => accept(socket));
  const bound = listener?.address ?? NOWHERE;
  const address = { host: options.publishHost ?? bound.host, port: bound.port };
  const context = createTransportContext(runtime, { ...identity, address }, settings);
  const transport = new NodeTransport(context, listener);
  accept = (socket) => transport.accept(socket);
  for (const socket of early) transport.accept(socket);
  return transport;
}

/** The node's connection to itself: same rules, no socket. One object for the life of the transport. */
export function localConnection(transport: Transport): Connection {
  assert(transport instanceof NodeTransport, 'a local connection needs a transport of startTransport');
  return transport.local;
}

class NodeTransport implements Transport, InboundSocketEvents {
  readonly boundAddress: Address;
  readonly local: LocalConnection;
  readonly #context: TransportContext;
  readonly #listener: Listener | null;
  readonly #dispatcher: RequestDispatcher;
  readonly #inbound = new Set<InboundSocket>();
  readonly #strangers = new Set<InboundSocket>();
  /** Inbound sockets by the logical connection they belong to. */
  readonly #groups = new Map<string, Set<InboundSocket>>();
  readonly #outbound = new Set<OutboundConnection>();
  readonly #listeners: ((closed: ClosedConnection) => void)[] = [];
  readonly #arrivals: ((node: NodeIdentity) => void)[] = [];
  readonly #refusals: ((refused: RefusedPeer) => void)[] = [];
  #stopCheck: Cancel = () => undefined;
  #isClosed = false;

  constructor(context: TransportContext, listener: Listener | null) {
    this.#context = context;
    this.#listener = listener;
    this.boundAddress = listener?.address ?? NOWHERE;
    this.#dispatcher = new RequestDispatcher(context.runtime.sched, context.log);
    this.local = new LocalConnection(context, this.#dispatcher);
    this.#scheduleCheck();
  }

  get identity(): NodeIdentity {
    return this.#context.identity;
  }

  handle(action: string, handler: RequestHandler): void {
    this.#dispatcher.register(action, handler);
  }

  track(tracker: RequestTracker): void {
    this.#dispatcher.track(tracker);
  }

  onConnectionClosed(fn: (closed: ClosedConnection) => void): void {
    this.#listeners.push(fn);
  }

  onNodeConnected(fn: (node: NodeIdentity) => void): void {
    this.#arrivals.push(fn);
  }

  onPeerRefused(fn: (refused: RefusedPeer) => void): void {
    this.#refusals.push(fn);
  }

  async connect(address: Address, options: ConnectOptions = {}): Promise<Connection> {
    if (this.#isClosed) throw transportClosed();
    const connection = await openConnection(this.#context, address, options, (closed, reason) =>
      this.#connectionClosed(closed, reason),
    );
    if (this.#isClosed) {
      connection.close('transport closed');
      throw transportClosed();
    }
    if (!connection.isClosed) this.#outbound.add(connection);
    return connection;
  }

  accept(socket: Socket): void {
    if (this.#isClosed || this.#strangers.size >= STRANGERS_MAX) {
      socket.on({ data: () => undefined, closed: () => undefined });
      socket.destroy();
      return;
    }
    const inbound = new InboundSocket(socket, this.#context, this.#dispatcher, this);
    this.#inbound.add(inbound);
    this.#strangers.add(inbound);
  }

  opened(socket: InboundSocket, hello: Hello): void {
    this.#strangers.delete(socket);
    const key = groupKey(hello);
    const group = this.#groups.get(key) ?? new Set();
    group.add(socket);
    this.#groups.set(key, group);
    if (group.size === 1 && hello.purpose === 'node') for (const tell of this.#arrivals) tell(hello.identity);
  }

  refused({ identity: node }: Hello, refusal: HandshakeRefusal): void {
    for (const tell of this.#refusals) tell({ node, ...refusal });
  }

  closed(socket: InboundSocket): void {
    this.#inbound.delete(socket);
    this.#strangers.delete(socket);
    if (socket.hello === null) return;
    const key = groupKey(socket.hello);
    const group = this.#groups.get(key);
    if (group === undefined) return;
    // One socket of a connection is gone: the rest would only carry half of what the other side sends.
    this.#groups.delete(key);
    for (const other of group) if (other !== socket) other.destroy('another socket of the connection was lost');
  }

  stats(): TransportStats {
    const { counters, inflight } = this.#context;
    return {
      ...counters,
      inboundSockets: this.#inbound.size,
      outboundConnections: this.#outbound.size,
      inflightBytes: inflight.usedBytes,
      inflightLimitBytes: inflight.limitBytes,
      breakerTrips: inflight.trips,
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopCheck();
    await this.#listener?.close();
    for (const connection of [...this.#outbound]) connection.close('transport closed');
    for (const socket of [...this.#inbound]) socket.destroy('transport closed');
    // Unfinished handshakes have sockets too.
    for (const socket of [...this.#context.sockets]) socket.destroy('transport closed');
    this.local.close('transport closed');
  }

  #connectionClosed(connection: OutboundConnection, reason: string): void {
    this.#outbound.delete(connection);
    for (const listener of this.#listeners) listener({ node: connection.node, reason });
  }

  #scheduleCheck(): void {
    const { pingScheduleMs, livenessPingMs, stalledWriteMs } = this.#context.settings;
    const shortestMs = Math.min(...[pingScheduleMs, livenessPingMs, stalledWriteMs].filter((ms) => ms > 0));
    const intervalMs = Math.min(CHECK_INTERVAL_MS_MAX, Math.max(CHECK_INTERVAL_MS_MIN, shortestMs / 2));
    this.#stopCheck = this.#context.runtime.sched.after(intervalMs, () => {
      const nowMs = this.#context.runtime.clock.monotonicMs();
      for (const socket of [...this.#context.sockets]) socket.check(nowMs);
      this.#scheduleCheck();
    });
  }
}

function groupKey(hello: Hello): string {
  return `${hello.identity.nodeId}/${hello.identity.ephemeralId}/${hello.nonce}`;
}

function transportClosed(): ShoalError {
  return new ShoalError('node_closed_exception', 500, 'transport is closed');
}
