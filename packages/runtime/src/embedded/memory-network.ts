/**
 * A network in memory, for embedded nodes: listeners and byte streams between those who share the object, and no socket of the
 * operating system.
 *
 * Bytes arrive in a later turn, in order and whole; nothing is lost and nothing is late.
 */
import { assert, showHostPort } from '@shoal/core';
import {
  type Address,
  type Listener,
  type Network,
  NetworkError,
  type Socket,
  type SocketHandlers,
} from '../interfaces/network.ts';
import type { Scheduler } from '../interfaces/scheduler.ts';

/** First port given to those who ask for any; ports of a memory network are of no use outside it. */
const FREE_PORT_FIRST = 49_152;

export function createMemoryNetwork(sched: Scheduler): Network {
  const accepting = new Map<string, (socket: Socket) => void>();
  let nextPort = FREE_PORT_FIRST;
  return {
    listen: async (at, onSocket): Promise<Listener> => {
      const address = { host: at.host, port: at.port === 0 ? nextPort++ : at.port };
      const key = showHostPort(address);
      if (accepting.has(key)) throw new NetworkError('addressInUse', `${key} is in use`);
      accepting.set(key, onSocket);
      return {
        address,
        close: async () => {
          if (accepting.get(key) === onSocket) accepting.delete(key);
        },
      };
    },
    dial: async (to): Promise<Socket> => {
      const accept = accepting.get(showHostPort(to));
      if (accept === undefined) throw new NetworkError('refused', `${showHostPort(to)}: connection refused`);
      const near = new MemorySocket(sched, { local: { host: to.host, port: nextPort++ }, remote: to });
      const far = new MemorySocket(sched, { local: to, remote: near.local });
      near.join(far);
      far.join(near);
      sched.soon(() => accept(far));
      return near;
    },
    resolve: async (host) => [host],
  };
}

type Arrival =
  | { readonly kind: 'data'; readonly chunk: Uint8Array }
  | { readonly kind: 'closed'; readonly reason: string };

/** One end of a stream. What the other end wrote waits here until it is read. */
class MemorySocket implements Socket {
  readonly local: Address;
  readonly remote: Address;
  readonly #sched: Scheduler;
  readonly #arrivals: Arrival[] = [];
  #peer: MemorySocket | null = null;
  #handlers: SocketHandlers | null = null;
  #isPaused = false;
  /** Nothing is written any more, by us. */
  #isEnded = false;
  #isClosed = false;
  #bytesWaiting = 0;

  constructor(sched: Scheduler, { local, remote }: { readonly local: Address; readonly remote: Address }) {
    this.#sched = sched;
    this.local = local;
    this.remote = remote;
  }

  join(peer: MemorySocket): void {
    this.#peer = peer;
  }

  /** Bytes that the other end has not read. */
  get pendingBytes(): number {
    return this.#other().#bytesWaiting;
  }

  on(handlers: SocketHandlers): void {
    assert(this.#handlers === null, 'socket handlers are set once');
    this.#handlers = handlers;
    this.#deliverSoon();
  }

  write(chunks: readonly Uint8Array[]): void {
    if (this.#isEnded || this.#isClosed) return;
    // The writer's memory may be a view of what it uses again: a real socket copies as well.
    for (const chunk of chunks) this.#other().#arrive({ kind: 'data', chunk: chunk.slice() });
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#deliverSoon();
  }

  end(): void {
    if (this.#isEnded || this.#isClosed) return;
    this.#isEnded = true;
    this.#other().#arrive({ kind: 'closed', reason: 'closed by the other side' });
  }

  destroy(): void {
    if (this.#isClosed) return;
    this.#isEnded = true;
    this.#arrivals.length = 0;
    this.#bytesWaiting = 0;
    this.#other().#arrive({ kind: 'closed', reason: 'closed by the other side' });
    this.#sched.soon(() => this.#close('closed here'));
  }

  #other(): MemorySocket {
    assert(this.#peer !== null, 'a stream has two ends');
    return this.#peer;
  }

  #arrive(arrival: Arrival): void {
    if (this.#isClosed) return;
    this.#arrivals.push(arrival);
    if (arrival.kind === 'data') this.#bytesWaiting += arrival.chunk.byteLength;
    this.#deliverSoon();
  }

  #deliverSoon(): void {
    this.#sched.soon(() => this.#deliver());
  }

  #deliver(): void {
    while (this.#handlers !== null && !this.#isPaused && !this.#isClosed) {
      const next = this.#arrivals.shift();
      if (next === undefined) return;
      if (next.kind === 'closed') {
        // There is no half-open end, as with real sockets here: what is queued still leaves.
        this.end();
        this.#close(next.reason);
        return;
      }
      this.#bytesWaiting -= next.chunk.byteLength;
      this.#handlers.data(next.chunk);
      if (this.#bytesWaiting === 0) this.#other().#drained();
    }
  }

  #drained(): void {
    this.#sched.soon(() => {
      if (!this.#isClosed) this.#handlers?.drain?.();
    });
  }

  #close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#handlers?.closed(reason);
  }
}
