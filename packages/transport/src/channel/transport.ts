/**
 * The interfaces of the transport: what other packages send, receive and register. `start-transport.ts` builds it.
 */
import type { CancelFlag } from '@shoal/core';
import type { Address } from '@shoal/runtime';
import type { NodeIdentity } from './node-identity.ts';
import type { HandshakeFailure } from './transport-errors.ts';

/** Sockets of one logical connection, apart so that one kind of traffic never waits behind another. */
export type Channel = 'ping' | 'state' | 'recovery' | 'bulk' | 'reg';

/** Body of a message: `message` is any plain value (maps, lists, strings, numbers, bigints, bytes, null). */
export interface WireBody {
  readonly message: unknown;
  /** Typed arrays and raw documents: sent as they are, viewed in place at the other end, at offsets divisible by 8. */
  readonly sections?: readonly Uint8Array[];
}

export interface InboundRequest extends WireBody {
  readonly from: NodeIdentity;
  readonly action: string;
  /** Time that the sender waits; null when only a disconnect ends its wait. */
  readonly timeoutMs: number | null;
  /** `node:id` of the task that caused this request. */
  readonly parentTask: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly sections: readonly Uint8Array[];
  /** Set when the sender cancels or its connection is lost. Long work asks it every few milliseconds. */
  readonly signal: CancelFlag;
}

export interface InboundResponse {
  readonly message: unknown;
  readonly sections: readonly Uint8Array[];
}

export type RequestHandler = (request: InboundRequest) => Promise<WireBody> | WireBody;

/** Sees every request of others, so that what it does here can be listed and stopped. */
export interface RequestTracker {
  /** Called before the handler. null: this one is not followed. */
  began(request: InboundRequest): TrackedRequest | null;
}

export interface TrackedRequest {
  /** Request that the handler gets instead, such as one with a signal of its own. */
  readonly request: InboundRequest;
  /** Called once, when the handler has answered or failed. */
  ended(): void;
}

export interface SendOptions {
  readonly channel: Channel;
  /** Null: only for requests guarded by disconnect instead (recovery steps, publication). */
  readonly timeoutMs: number | null;
  readonly parentTask?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: CancelFlag;
}

/** All sockets to one node, as one thing that lives and dies. */
export interface Connection {
  /** The other end, as it said in the handshake. */
  readonly node: NodeIdentity;
  request(action: string, body: WireBody, options: SendOptions): Promise<InboundResponse>;
  close(reason: string): void;
  /** Resolves with the reason, once. */
  readonly closed: Promise<string>;
  readonly isClosed: boolean;
}

export interface ConnectOptions {
  /** Purpose of the connection: `node` opens every channel, `probe` one socket. Default `node`. */
  readonly kind?: 'node' | 'probe';
  /** Refuses another node at that address: addresses are reused. */
  readonly expectNodeId?: string;
  readonly connectTimeoutMs?: number;
  readonly handshakeTimeoutMs?: number;
}

export interface TransportStats {
  /** Sockets that others opened to this node and that are open now. */
  readonly inboundSockets: number;
  readonly outboundConnections: number;
  readonly rxFrames: number;
  readonly rxBytes: number;
  readonly txFrames: number;
  readonly txBytes: number;
  /** Requests of this node that wait for an answer. */
  readonly pendingRequests: number;
  /** Requests of others that are being handled. */
  readonly runningRequests: number;
  readonly inflightBytes: number;
  readonly inflightLimitBytes: number;
  /** Requests refused because they would pass the limit. */
  readonly breakerTrips: number;
  /** Sockets closed for what they sent: foreign protocols, broken frames. */
  readonly refusedSockets: number;
}

export interface ClosedConnection {
  readonly node: NodeIdentity;
  readonly reason: string;
}

/** A node that dialled this one and was turned away in the handshake. */
export interface RefusedPeer {
  readonly node: NodeIdentity;
  readonly failure: HandshakeFailure;
  readonly reason: string;
}

export interface Transport {
  /** Address it listens on; port 0 and an empty host when it does not. */
  readonly boundAddress: Address;
  readonly identity: NodeIdentity;
  /** One handler an action; a second one for the same action is a programming error. */
  handle(action: string, handler: RequestHandler): void;
  /** Sets who tracks requests; at most one for the life of the transport. */
  track(tracker: RequestTracker): void;
  connect(address: Address, options?: ConnectOptions): Promise<Connection>;
  /** Called once for each lost or closed connection that this node had dialled. */
  onConnectionClosed(fn: (closed: ClosedConnection) => void): void;
  /** Called when a node has opened the first socket of a connection to this one: it can be reached again, most likely. */
  onNodeConnected(fn: (node: NodeIdentity) => void): void;
  /** Called for each socket that is turned away in the handshake: a peer that tries again is told of again. */
  onPeerRefused(fn: (refused: RefusedPeer) => void): void;
  stats(): TransportStats;
  close(): Promise<void>;
}
