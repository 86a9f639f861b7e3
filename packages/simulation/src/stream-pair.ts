/**
 * The two ends of one simulated TCP connection.
 *
 * Each direction is a queue of chunks with their times of arrival, which never overtake each other. A chunk that arrives
 * while its direction is blocked, or while the receiver is paused, waits at the front and holds the rest.
 */
import type { Address, Socket, SocketHandlers } from '@shoal/runtime';
import type { NetworkState, StreamEnd } from './network-state.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** Bytes in flight that the kernels of both sides buffer; the rest is `pendingBytes` of the writer. */
const WINDOW_BYTES = 65_536;

/** Larger writes arrive in pieces, so that readers meet every cut. */
const CHUNK_BYTES_MAX = 16_384;

interface Endpoint {
  readonly process: SimulatedProcess;
  readonly address: Address;
}

/** @returns the dialling end and the accepting end */
export function connectStreams(network: NetworkState, near: Endpoint, far: Endpoint): readonly [StreamEnd, StreamEnd] {
  const port = far.address.port;
  const nearEnd = new StreamEndpoint(network, near, far.address, port);
  const farEnd = new StreamEndpoint(network, far, near.address, port);
  nearEnd.join(farEnd);
  farEnd.join(nearEnd);
  return [nearEnd, farEnd];
}

class StreamEndpoint implements StreamEnd {
  readonly process: SimulatedProcess;
  readonly socket: Socket;
  readonly #network: NetworkState;
  readonly #port: number;
  #peer: StreamEndpoint | null = null;
  #handlers: SocketHandlers | null = null;
  /** Chunks that have arrived or are in flight; null is the end of the stream. */
  readonly #incoming: { readonly atMs: number; readonly bytes: Uint8Array | null }[] = [];
  #lastArrivalMs = 0;
  #bytesInFlight = 0;
  #wantsDrain = false;
  #isPaused = false;
  #isWritable = true;
  #isClosed = false;

  constructor(network: NetworkState, own: Endpoint, remote: Address, port: number) {
    this.#network = network;
    this.process = own.process;
    this.#port = port;
    network.streams.add(this);
    const pending = (): number => Math.max(0, this.#bytesInFlight - WINDOW_BYTES);
    this.socket = {
      remote,
      local: own.address,
      get pendingBytes(): number {
        return pending();
      },
      write: (chunks) => this.#write(chunks),
      pause: () => {
        this.#isPaused = true;
      },
      resume: () => {
        this.#isPaused = false;
        this.kick();
      },
      end: () => this.#end(),
      destroy: () => this.#destroy(),
      on: (handlers) => {
        this.#handlers = handlers;
        this.kick();
      },
    };
  }

  get peer(): StreamEndpoint {
    if (this.#peer === null) throw new Error('a stream end without its other end');
    return this.#peer;
  }

  join(peer: StreamEndpoint): void {
    this.#peer = peer;
  }

  kick(): void {
    this.process.post(0, 'stream', () => this.#deliver());
  }

  lose(reason: string): void {
    this.#close(reason);
    this.peer.#close(reason);
  }

  loseLater(reason: string): void {
    this.process.postAt(this.peer.process.nowMs + this.#network.latencyMs(), 'stream lost', () => {
      // A reset does not pass a partition either: this end stays half open until it writes after healing.
      if (this.#network.passes(this.peer.process.name, this.process.name, this.#port)) this.#close(reason);
    });
  }

  #write(chunks: readonly Uint8Array[]): void {
    if (!this.#isWritable || this.#isClosed) return;
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.byteLength; at += CHUNK_BYTES_MAX) this.#send(chunk.slice(at, at + CHUNK_BYTES_MAX));
    }
    if (this.peer.#isClosed || !this.peer.process.isAlive) this.#writeToDeadPeer();
  }

  /** Only a machine that is up can say that nobody has this connection. */
  #writeToDeadPeer(): void {
    if (!this.#network.silentMachines.has(this.peer.process.name)) this.loseLater('connection reset by peer');
  }

  #end(): void {
    if (!this.#isWritable || this.#isClosed) return;
    this.#isWritable = false;
    this.#send(null);
  }

  #destroy(): void {
    if (this.#isClosed) return;
    this.#isWritable = false;
    this.peer.loseLater('connection reset by peer');
    this.process.post(0, 'stream destroyed', () => this.#close('destroyed'));
  }

  #send(bytes: Uint8Array | null): void {
    const { peer } = this;
    const { nowMs } = this.process;
    peer.#lastArrivalMs = Math.max(peer.#lastArrivalMs, nowMs + this.#network.latencyMs());
    peer.#incoming.push({ atMs: peer.#lastArrivalMs, bytes });
    this.#bytesInFlight += bytes?.byteLength ?? 0;
    if (this.socket.pendingBytes > 0) this.#wantsDrain = true;
    if (bytes !== null) this.process.trace(bytes);
    peer.process.postAt(peer.#lastArrivalMs, 'stream', () => peer.#deliver());
  }

  #deliver(): void {
    const { peer } = this;
    while (!this.#isClosed && !this.#isPaused && this.#handlers !== null) {
      const first = this.#incoming[0];
      if (first === undefined || first.atMs > this.process.nowMs) return;
      if (!this.#network.passes(peer.process.name, this.process.name, this.#port)) return;
      this.#incoming.shift();
      if (first.bytes === null) {
        this.#close('closed by the peer');
        peer.loseLater('closed');
        return;
      }
      peer.#acknowledge(first.bytes.byteLength);
      this.#handlers.data(first.bytes);
    }
  }

  #acknowledge(bytes: number): void {
    this.#bytesInFlight -= bytes;
    if (!this.#wantsDrain || this.socket.pendingBytes > 0) return;
    this.#wantsDrain = false;
    this.process.post(0, 'drain', () => {
      if (!this.#isClosed) this.#handlers?.drain?.();
    });
  }

  #close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#network.streams.delete(this);
    if (this.process.isAlive) this.#handlers?.closed(reason);
  }
}
