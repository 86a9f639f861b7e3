/**
 * TCP of the operating system behind the `Network` interface.
 *
 * Every socket has Nagle's delay off (requests are small and answered at once) and keep-alive on. A socket event never
 * throws into Node: failures arrive at the owner as `closed(reason)` or as a `NetworkError`.
 */
import { lookup } from 'node:dns/promises';
import { type AddressInfo, connect, createServer, isIP, type Server, type Socket as TcpSocket } from 'node:net';
import { assert, showHostPort } from '@shoal/core';
import type { Log } from '../interfaces/log.ts';
import {
  type Address,
  type DialOptions,
  type Listener,
  type Network,
  NetworkError,
  type NetworkErrorKind,
  type Socket,
  type SocketHandlers,
} from '../interfaces/network.ts';

const KEEP_ALIVE_IDLE_MS = 300_000;

const ERROR_KINDS: ReadonlyMap<string, NetworkErrorKind> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['ETIMEDOUT', 'timeout'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EADDRINUSE', 'addressInUse'],
  ['ENOTFOUND', 'unresolved'],
  ['EAI_AGAIN', 'unresolved'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
]);

export function createNodeNetwork(log: Log): Network {
  return {
    listen: (at, onSocket) => listen(at, onSocket, log),
    dial,
    resolve,
  };
}

function listen(at: Address, onSocket: (socket: Socket) => void, log: Log): Promise<Listener> {
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_IDLE_MS });
  return new Promise((resolveListener, reject) => {
    const failed = (error: Error): void => reject(networkError(error, `cannot listen on ${showHostPort(at)}`));
    server.once('error', failed);
    server.listen({ host: at.host, port: at.port, exclusive: true }, () => {
      server.off('error', failed);
      // After the start an error means one failed accept (no file descriptor left): the next one may succeed.
      server.on('error', (error) => log.warn('accepting a connection failed', { reason: error.message }));
      server.on('connection', (tcp) => onSocket(new NodeSocket(tcp)));
      resolveListener({ address: boundAddress(server, at), close: () => closeServer(server) });
    });
  });
}

function boundAddress(server: Server, asked: Address): Address {
  const bound = server.address() as AddressInfo | string | null;
  assert(bound !== null && typeof bound === 'object', `no bound address for ${showHostPort(asked)}`);
  return { host: bound.address, port: bound.port };
}

/** Stops accepting. Open sockets stay with their owner, so this does not wait for them. */
function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((done) => {
    server.close();
    setImmediate(done);
  });
}

function dial(to: Address, options: DialOptions): Promise<Socket> {
  return new Promise((resolveSocket, reject) => {
    const tcp = connect({
      host: to.host,
      port: to.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_IDLE_MS,
    });
    const timer = setTimeout(() => {
      tcp.destroy();
      reject(
        new NetworkError('timeout', `connect to ${showHostPort(to)} timed out after ${options.connectTimeoutMs}ms`),
      );
    }, options.connectTimeoutMs);
    const failed = (error: Error): void => {
      clearTimeout(timer);
      tcp.destroy();
      reject(networkError(error, `connect to ${showHostPort(to)} failed`));
    };
    tcp.once('error', failed);
    tcp.once('connect', () => {
      clearTimeout(timer);
      const socket = new NodeSocket(tcp);
      tcp.off('error', failed);
      resolveSocket(socket);
    });
  });
}

async function resolve(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    const found = await lookup(host, { all: true, verbatim: true });
    return found.map((entry) => entry.address);
  } catch (error) {
    throw networkError(error, `cannot resolve host ${host}`);
  }
}

function networkError(error: unknown, what: string): NetworkError {
  const code = errorCode(error);
  const detail = error instanceof Error && error.message !== '' ? error.message : code;
  return new NetworkError(ERROR_KINDS.get(code) ?? 'other', `${what}: ${detail}`);
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return 'unknown';
  return typeof error.code === 'string' ? error.code : 'unknown';
}

class NodeSocket implements Socket {
  readonly remote: Address;
  readonly local: Address;
  readonly #tcp: TcpSocket;
  #handlers: SocketHandlers | null = null;
  #reason = 'closed by the other side';
  #isClosed = false;
  #wantsDrain = false;

  constructor(tcp: TcpSocket) {
    this.#tcp = tcp;
    this.remote = { host: tcp.remoteAddress ?? '', port: tcp.remotePort ?? 0 };
    this.local = { host: tcp.localAddress ?? '', port: tcp.localPort ?? 0 };
    tcp.on('error', (error) => {
      this.#reason = error.message;
    });
    tcp.once('close', () => {
      this.#isClosed = true;
      this.#handlers?.closed(this.#reason);
    });
  }

  get pendingBytes(): number {
    return this.#tcp.writableLength;
  }

  on(handlers: SocketHandlers): void {
    assert(this.#handlers === null, 'socket handlers are set once');
    this.#handlers = handlers;
    if (this.#isClosed) {
      setImmediate(() => handlers.closed(this.#reason));
      return;
    }
    this.#tcp.on('data', (chunk: Uint8Array) => handlers.data(chunk));
  }

  write(chunks: readonly Uint8Array[]): void {
    const tcp = this.#tcp;
    if (chunks.length === 0 || !tcp.writable) return;
    // Corked, so that the parts of one frame leave in one system call instead of one each.
    tcp.cork();
    const last = chunks.length - 1;
    for (let i = 0; i < last; i++) tcp.write(chunks[i] as Uint8Array);
    tcp.write(chunks[last] as Uint8Array, () => this.#afterWrite());
    tcp.uncork();
    if (tcp.writableLength > 0) this.#wantsDrain = true;
  }

  #afterWrite(): void {
    if (!this.#wantsDrain || this.#tcp.writableLength > 0) return;
    this.#wantsDrain = false;
    this.#handlers?.drain?.();
  }

  pause(): void {
    this.#tcp.pause();
  }

  resume(): void {
    this.#tcp.resume();
  }

  end(): void {
    this.#reason = 'closed here';
    this.#tcp.end();
  }

  destroy(): void {
    if (!this.#isClosed && !this.#tcp.destroyed) this.#reason = 'closed here';
    this.#tcp.destroy();
  }
}
