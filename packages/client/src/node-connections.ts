/**
 * Connections to some nodes of a cluster, one of which coordinates each request.
 *
 * Requests go round robin to the connected nodes. A read is asked of another node when a connection is lost under it; a
 * write only when it was never sent, since nobody knows whether a lost one was executed.
 *
 * Loaded when a `TransportClient` starts: who talks HTTP needs no channel of 9300.
 */
import {
  asShoalError,
  isAssertionFailure,
  isShoalError,
  randomUuid,
  SHOAL_VERSION,
  ShoalError,
  showHostPort,
} from '@shoal/core';
import { CLIENT_EXECUTE, CLIENT_NODES, type ClientRequest, type ClientResponse, isRead } from '@shoal/protocol';
import { type Address, type Cancel, createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { type Connection, handshakeFailure, requestWith, startTransport, type Transport } from '@shoal/transport';
import { parseAddress } from './parse-address.ts';

export interface TransportClientOptions {
  /** `host:port` of some nodes; 9300 without a port. */
  readonly addresses: readonly string[];
  /** Left out: any cluster is accepted. */
  readonly clusterName?: string;
  /** True to use the data nodes that these nodes know of too. Default false. */
  readonly sniff?: boolean;
  readonly name?: string;
  /** @internal Default: this process, without log and disk. */
  readonly runtime?: Runtime;
  /** @internal Must be exactly the version of the nodes; only tests say another one. */
  readonly version?: string;
}

const SAMPLE_INTERVAL_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Timeout above that of any operation, so that the node's own error arrives. */
const ANSWER_MARGIN_MS = 30_000;
const READ_TIMEOUT_MS = 300_000;
const UUID_BYTES = 16;
/** The node never got the request, or it did and its answer was lost. */
const NOT_SENT: readonly string[] = ['node_not_connected_exception', 'connect_transport_exception'];
const LOST: readonly string[] = ['node_disconnected_exception', 'receive_timeout_transport_exception'];

interface Node {
  readonly address: Address;
  readonly isConfigured: boolean;
  connection: Connection | null;
  connecting: Promise<void> | null;
}

export class NodeConnections {
  readonly #runtime: Runtime;
  readonly #transport: Transport;
  readonly #sniffs: boolean;
  readonly #nodes: Node[];
  #next: number;
  #stopSampling: Cancel = () => undefined;
  #lastRefusal: ShoalError | null = null;
  #isClosed = false;

  private constructor(runtime: Runtime, transport: Transport, options: TransportClientOptions) {
    this.#runtime = runtime;
    this.#transport = transport;
    this.#sniffs = options.sniff ?? false;
    this.#nodes = options.addresses.map((address) => newNode(parseAddress(address), true));
    this.#next = runtime.random.below(Math.max(this.#nodes.length, 1));
  }

  /** Resolves when each address was tried once. Nodes that do not answer yet are tried again every few seconds. */
  static async start(options: TransportClientOptions): Promise<NodeConnections> {
    const runtime = options.runtime ?? createNodeRuntime({ log: createSilentLog() });
    const transport = await startTransport(runtime, {
      bind: null,
      identity: {
        nodeId: randomUuid(runtime.random.bytes(UUID_BYTES)),
        ephemeralId: randomUuid(runtime.random.bytes(UUID_BYTES)),
        name: options.name ?? 'transport-client',
        clusterName: options.clusterName ?? '',
        version: options.version ?? SHOAL_VERSION,
        roles: [],
        kind: 'transport_client',
        attributes: {},
        httpAddress: null,
      },
    });
    const connections = new NodeConnections(runtime, transport, options);
    await connections.#sample();
    return connections;
  }

  /** Addresses of the nodes that are connected at the moment. */
  connectedNodes(): readonly string[] {
    return this.#connected().map((node) => showHostPort(node.address));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopSampling();
    await this.#transport.close();
  }

  async execute(request: ClientRequest): Promise<ClientResponse> {
    if (this.#isClosed) throw new ShoalError('illegal_state_exception', 500, 'the client is closed');
    if (this.#connected().length === 0) await this.#connectAll();
    const candidates = this.#inTurn();
    let lost: ShoalError | null = null;
    for (const connection of candidates) {
      try {
        return await requestWith(connection, CLIENT_EXECUTE, request, {
          channel: request.operation === 'bulk' ? 'bulk' : 'reg',
          timeoutMs: timeoutOf(request),
        });
      } catch (error) {
        if (!isShoalError(error) || !mayAskAnother(error, request)) throw error;
        lost = error;
      }
    }
    throw lost !== null && !NOT_SENT.includes(lost.type) ? lost : this.#noNodeAvailable(lost);
  }

  #connected(): readonly Node[] {
    return this.#nodes.filter((node) => node.connection !== null && !node.connection.isClosed);
  }

  /** Open connections, beginning with the next one in turn. */
  #inTurn(): readonly Connection[] {
    const open = this.#nodes.flatMap(({ connection }) =>
      connection === null || connection.isClosed ? [] : connection,
    );
    const first = this.#next++ % Math.max(open.length, 1);
    return [...open.slice(first), ...open.slice(0, first)];
  }

  async #sample(): Promise<void> {
    await this.#connectAll();
    if (this.#sniffs && !this.#isClosed) await this.#sniff();
    if (this.#isClosed) return;
    this.#stopSampling = this.#runtime.sched.after(SAMPLE_INTERVAL_MS, () => {
      this.#sample().catch((error: unknown) => {
        // #sample handles what the world does; what is left is a broken invariant.
        this.#runtime.sched.soon(() => {
          throw error;
        });
      });
    });
  }

  async #connectAll(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => this.#connect(node)));
  }

  #connect(node: Node): Promise<void> {
    if (node.connection !== null && !node.connection.isClosed) return Promise.resolve();
    node.connecting ??= this.#dial(node).finally(() => {
      node.connecting = null;
    });
    return node.connecting;
  }

  async #dial(node: Node): Promise<void> {
    try {
      node.connection = await this.#transport.connect(node.address, {
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        handshakeTimeoutMs: CONNECT_TIMEOUT_MS,
      });
      this.#lastRefusal = null;
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      node.connection = null;
      // A node answered and refused: more telling than silence, and shown as the reason.
      if (handshakeFailure(error) !== null) this.#lastRefusal = asShoalError(error);
      this.#runtime.log.debug('node not reached', {
        address: showHostPort(node.address),
        error: asShoalError(error).message,
      });
    }
  }

  /** Learns the data nodes from the first node that answers. */
  async #sniff(): Promise<void> {
    for (const connection of this.#inTurn()) {
      try {
        const options = { channel: 'reg', timeoutMs: CONNECT_TIMEOUT_MS } as const;
        const { nodes } = await requestWith(connection, CLIENT_NODES, { onlyData: true }, options);
        await this.#adopt(nodes);
        return;
      } catch (error) {
        if (isAssertionFailure(error)) throw error;
        this.#runtime.log.debug('node did not tell its cluster', { error: asShoalError(error).message });
      }
    }
  }

  async #adopt(found: readonly Address[]): Promise<void> {
    const wanted = new Map(found.map(({ host, port }) => [showHostPort({ host, port }), { host, port }]));
    for (const node of [...this.#nodes]) {
      const name = showHostPort(node.address);
      if (node.isConfigured || wanted.has(name)) wanted.delete(name);
      else {
        node.connection?.close('no longer a data node of the cluster');
        this.#nodes.splice(this.#nodes.indexOf(node), 1);
      }
    }
    for (const address of wanted.values()) this.#nodes.push(newNode(address, false));
    await this.#connectAll();
  }

  #noNodeAvailable(lost: ShoalError | null): ShoalError {
    const nodes = this.#nodes.map(
      ({ address }, i) => `{#transport#-${i + 1}}{${address.host}}{${showHostPort(address)}}`,
    );
    const cause = this.#lastRefusal ?? lost;
    const why = this.#lastRefusal === null ? '' : `: ${this.#lastRefusal.reason}`;
    return new ShoalError(
      'no_node_available_exception',
      503,
      `None of the configured nodes are available: [${nodes.join(', ')}]${why}`,
      cause === null ? {} : { causedBy: cause },
    );
  }
}

function newNode(address: Address, isConfigured: boolean): Node {
  return { address, isConfigured, connection: null, connecting: null };
}

function mayAskAnother(error: ShoalError, request: ClientRequest): boolean {
  return NOT_SENT.includes(error.type) || (LOST.includes(error.type) && isRead(request.operation));
}

function timeoutOf(request: ClientRequest): number {
  return 'timeoutMs' in request ? request.timeoutMs + ANSWER_MARGIN_MS : READ_TIMEOUT_MS;
}
