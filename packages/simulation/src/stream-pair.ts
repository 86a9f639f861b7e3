/**
 * The two ends of one simulated TCP connection.
 *
 * Each direction is a queue of chunks with their times of arrival, which never overtake each other. A chunk that arrives
 * while the way is blocked, or while the receiver is paused, waits at the front and holds the rest.
 */
import type { Address, Socket, SocketHandlers } from '@shoal/runtime';
import type { Wires } from './simulated-network.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** Bytes under way that the kernels of both sides take; the rest is `pendingBytes` of the writer. */
const WINDOW_BYTES = 65_536;

/** Larger writes arrive in pieces, so that readers meet every cut. */
const CHUNK_BYTES_MAX = 16_384;

interface Place {
  readonly process: SimulatedProcess;
  readonly address: Address;
}

export interface StreamEnd {
  readonly process: SimulatedProcess;
  readonly peer: StreamEnd;
  readonly socket: Socket;
  /** Tries again to deliver what waits at this end. */
  kick(): void;
  /** Ends both sides now. */
  lose(reason: string): void;
  /** The other side is gone: this one hears of it after some time. */
  loseLater(reason: string): void;
}

/** @returns the dialling end and the accepting end */
export function connectStreams(wires: Wires, near: Place, far: Place): readonly [StreamEnd, StreamEnd] {
  const port = far.address.port;
  const nearEnd = new End(wires, near, far.address, port);
  const farEnd = new End(wires, far, near.address, port);
  nearEnd.join(farEnd);
  farEnd.join(nearEnd);
  return [nearEnd, farEnd];
}

class End implements StreamEnd {
  readonly process: SimulatedProcess;
  readonly socket: Socket;
  readonly #wires: Wires;
  readonly #port: number;
  #peer: End | null = null;
  #handlers: SocketHandlers | null = null;
  /** What has arrived, or is on its way here; null is the end of the stream. */
  readonly #incoming: { readonly atMs: number; readonly bytes: Uint8Array | null }[] = [];
  #lastArrivalMs = 0;
  #bytesUnderWay = 0;
  #wantsDrain = false;
  #isPaused = false;
  #isWritable = true;
  #isClosed = false;

  constructor(wires: Wires, place: Place, remote: Address, port: number) {
    this.#wires = wires;
    this.process = place.process;
    this.#port = port;
    wires.streams.add(this);
    const pending = (): number => Math.max(0, this.#bytesUnderWay - WINDOW_BYTES);
    this.socket = {
      remote,
      local: place.address,
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

  get peer(): End {
    if (this.#peer === null) throw new Error('a stream end without its other end');
    return this.#peer;
  }

  join(peer: End): void {
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
    this.process.post(this.#wires.latencyMs(), 'stream lost', () => {
      // The news does not pass a partition either: this end stays half open until it writes after healing.
      if (this.#wires.passes(this.peer.process.name, this.process.name, this.#port)) this.#close(reason);
    });
  }

  #write(chunks: readonly Uint8Array[]): void {
    if (!this.#isWritable || this.#isClosed) return;
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.byteLength; at += CHUNK_BYTES_MAX) this.#send(chunk.slice(at, at + CHUNK_BYTES_MAX));
    }
    if (this.peer.#isClosed || !this.peer.process.isAlive) this.#writeToTheDead();
  }

  /** Only a machine that is up can say that nobody has this connection. */
  #writeToTheDead(): void {
    if (!this.#wires.silentMachines.has(this.peer.process.name)) this.loseLater('connection reset by peer');
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
    const { nowMs } = this.#wires.time;
    peer.#lastArrivalMs = Math.max(peer.#lastArrivalMs, nowMs + this.#wires.latencyMs());
    peer.#incoming.push({ atMs: peer.#lastArrivalMs, bytes });
    this.#bytesUnderWay += bytes?.byteLength ?? 0;
    if (this.socket.pendingBytes > 0) this.#wantsDrain = true;
    peer.process.post(peer.#lastArrivalMs - nowMs, 'stream', () => peer.#deliver());
  }

  #deliver(): void {
    const { peer } = this;
    while (!this.#isClosed && !this.#isPaused && this.#handlers !== null) {
      const first = this.#incoming[0];
      if (first === undefined || first.atMs > this.#wires.time.nowMs) return;
      if (!this.#wires.passes(peer.process.name, this.process.name, this.#port)) return;
      this.#incoming.shift();
      if (first.bytes === null) {
        this.#close('closed by the peer');
        peer.loseLater('closed');
        return;
      }
      peer.#taken(first.bytes.byteLength);
      this.#handlers.data(first.bytes);
    }
  }

  #taken(bytes: number): void {
    this.#bytesUnderWay -= bytes;
    if (!this.#wantsDrain || this.socket.pendingBytes > 0) return;
    this.#wantsDrain = false;
    this.process.post(0, 'drain', () => {
      if (!this.#isClosed) this.#handlers?.drain?.();
    });
  }

  #close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wires.streams.delete(this);
    if (this.process.isAlive) this.#handlers?.closed(reason);
  }
}
