/**
 * Listens on an HTTP port and hands requests to a handler, with limits that keep slow or silent clients from holding
 * sockets for ever. Express and the HTTP modules of Node.js are loaded when the first server starts, not when this package is imported: a node
 * in a test may never have one.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { assert, isAssertionFailure, showHostPort } from '@shoal/core';
import { type Address, NetworkError, type Runtime } from '@shoal/runtime';
import type { AccessEntry } from '../logging/access-log.ts';
import type { HttpHandler } from '../message/http-message.ts';
import type { Framework } from './express-adapter.ts';
import { listenAtOnce } from './listen-at-once.ts';
import { nodeListener } from './node-listener.ts';

export interface HttpServerOptions {
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
  readonly handler: HttpHandler;
  readonly onAnswered?: (entry: AccessEntry) => void;
  /** Bytes of all request bodies in memory together. Default: a quarter of the machine's memory. */
  readonly inflightBytesMax?: number;
  /** Requests that go through Express. Default `express`: all but those of hot routes. */
  readonly adapter?: HttpAdapter;
  /** Serves HTTPS alone. Default: plain HTTP. */
  readonly tls?: TlsIdentity;
  /** Takes over a socket whose client asks for another protocol. Without it such requests are answered as HTTP. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** Requests that go through Express: all but those of hot routes, all of them, none. */
export type HttpAdapter = 'express' | 'express-all' | 'node';

/** Identity of a server: a PKCS#12 file, or a certificate and its key as PEM. */
export type TlsIdentity =
  | { readonly pfx: Uint8Array; readonly passphrase: string }
  | { readonly certificate: Uint8Array; readonly key: Uint8Array; readonly passphrase?: string };

/** TCP connections of clients. */
export interface HttpConnections {
  /** Open now. */
  readonly open: number;
  /** Opened since the start, those that are closed again included. */
  readonly opened: number;
}

export interface HttpServer {
  readonly address: Address;
  connections(): HttpConnections;
  /** Takes no new requests, lets running ones finish for a while, then cuts them. */
  close(): Promise<void>;
}

/** Longest time for the header block: a client that sends one byte a second is cut after it. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Longest time for a request with its body: 100 MB over a slow line. */
const REQUEST_TIMEOUT_MS = 300_000;
/** Idle time of a connection, above that of usual client pools, so that the client closes first. */
const KEEP_ALIVE_MS = 75_000;
const HEADER_BYTES_MAX = 64 * 1024;
const CONNECTIONS_MAX = 10_000;
/** Least budget of request bodies; also that of a machine whose memory is not known. */
const INFLIGHT_BYTES_MIN = 256 * 1024 * 1024;
const CLOSE_GRACE_MS = 5_000;

const BROKEN_REQUEST_STATUS: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

const SERVER_LIMITS = {
  maxHeaderSize: HEADER_BYTES_MAX,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
};

/** Rejects with a `NetworkError`, kind `addressInUse` when another process has the port. */
export async function startHttpServer(runtime: Runtime, options: HttpServerOptions): Promise<HttpServer> {
  const { adapter = 'express' } = options;
  const framework = adapter === 'node' ? null : (await import('./express-adapter.ts')).expressFramework();
  const listener = requestListener(runtime, options, framework);
  const server =
    options.tls === undefined
      ? (await import('node:http')).createServer(SERVER_LIMITS, listener)
      : (await import('node:https')).createServer({ ...SERVER_LIMITS, ...tlsOptions(options.tls) }, listener);
  const parts = prepare(server, options);
  await listen(server, options);
  return listening(runtime, server, { ...parts, host: options.host });
}

/**
 * Listens on a free port of 127.0.0.1 at once, for embedded nodes: the port is known when the call returns. Neither the listener
 * nor a connection keeps the process alive.
 *
 * @throws a `NetworkError` when the system gives no port
 */
export function openLoopbackServer(runtime: Runtime, handler: HttpHandler): HttpServer {
  const options: HttpServerOptions = { host: '127.0.0.1', port: 0, handler, adapter: 'node' };
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer(SERVER_LIMITS, requestListener(runtime, options, null));
  const parts = prepare(server, options);
  server.on('connection', (socket) => socket.unref());
  listenAtOnce(server, options.host);
  server.unref();
  return listening(runtime, server, { ...parts, host: options.host });
}

interface ServerParts {
  readonly running: RunningRequests;
  readonly connections: () => HttpConnections;
}

function prepare(server: Server, options: HttpServerOptions): ServerParts {
  server.maxConnections = CONNECTIONS_MAX;
  const running = new RunningRequests(server);
  const connections = countConnections(server);
  server.on('clientError', answerBrokenRequest);
  // Without this node:http asks for every body before anybody has looked whether it is wanted.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  if (options.onUpgrade !== undefined) server.on('upgrade', options.onUpgrade);
  return { running, connections };
}

function listening(
  runtime: Runtime,
  server: Server,
  { host, running, connections }: ServerParts & { readonly host: string },
): HttpServer {
  // After that an error concerns one connection that could not be taken, such as too many open files.
  server.on('error', (error) => runtime.log.warn('http connection not accepted', { error: error.message }));
  const bound = server.address();
  assert(bound !== null && typeof bound === 'object', `a server that listens on TCP has the address ${bound}`);
  return {
    address: { host, port: bound.port },
    connections,
    close: () => closeServer(runtime, server, running),
  };
}

function countConnections(server: Server): () => HttpConnections {
  let open = 0;
  let opened = 0;
  server.on('connection', (socket: Duplex) => {
    open++;
    opened++;
    socket.once('close', () => {
      open--;
    });
  });
  return () => ({ open, opened });
}

const TLS_VERSION_MIN = 'TLSv1.2';

/** Throws what Node says of a file that is no identity, or a passphrase that does not open it. */
function tlsOptions(identity: TlsIdentity): SecureContextOptions {
  const parts =
    'pfx' in identity
      ? { pfx: Buffer.from(identity.pfx), passphrase: identity.passphrase }
      : {
          cert: Buffer.from(identity.certificate),
          key: Buffer.from(identity.key),
          ...(identity.passphrase === undefined ? {} : { passphrase: identity.passphrase }),
        };
  return { ...parts, minVersion: TLS_VERSION_MIN };
}

function defaultInflightBytes(runtime: Runtime): number {
  return Math.max(INFLIGHT_BYTES_MIN, Math.floor(runtime.machine.totalMemoryBytes / 4));
}

/** Matches each request once, and then leads it past the framework or through it to its answer. */
function requestListener(runtime: Runtime, options: HttpServerOptions, framework: Framework | null): RequestListener {
  const { handler, adapter = 'express' } = options;
  const serve = nodeListener({
    inflightBytesMax: options.inflightBytesMax ?? defaultInflightBytes(runtime),
    onFailure: (error) => reportFailure(runtime, error),
    ...(options.onAnswered === undefined ? {} : { onAnswered: options.onAnswered }),
  });
  return (request, response) => {
    const matched = handler.match(request.method ?? 'GET', request.url ?? '/');
    const isPast = framework === null || (adapter === 'express' && matched.isHot);
    if (isPast) serve(request, response, matched);
    else framework(request, response, () => serve(request, response, matched));
  };
}

/** Logs a failure; a broken invariant is thrown from the event loop instead, where it stops the process. */
function reportFailure(runtime: Runtime, error: unknown): void {
  if (isAssertionFailure(error)) {
    runtime.sched.soon(() => {
      throw error;
    });
    return;
  }
  runtime.log.error('an http answer could not be sent', {
    error: error instanceof Error ? error.stack : String(error),
  });
}

function listen(server: Server, options: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, options)));
    server.listen({ host: options.host, port: options.port }, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, options: HttpServerOptions): NetworkError {
  const where = showHostPort(options);
  if (error.code === 'EADDRINUSE') return new NetworkError('addressInUse', `http port ${where} is in use`);
  if (error.code === 'ENOTFOUND') return new NetworkError('unresolved', `http host ${options.host} is not known`);
  return new NetworkError('other', `cannot listen for http on ${where}: ${error.message}`);
}

/** Answers bytes that are no HTTP request, when the socket is still writable. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = BROKEN_REQUEST_STATUS.get(error.code ?? '') ?? '400 Bad Request';
  const body = JSON.stringify({
    error: `malformed HTTP request: ${error.message}`,
    status: Number(status.slice(0, 3)),
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nX-Elastic-Product: Elasticsearch\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/**
 * Requests that run, so that a closing server can tell their clients to use the connection no more, and cut idle and silent
 * connections as soon as the last answer left.
 */
class RunningRequests {
  readonly #server: Server;
  readonly #responses = new Set<ServerResponse>();
  #isClosing = false;

  constructor(server: Server) {
    this.#server = server;
    // Before the listener that answers: what it sends at once must say `connection: close` too.
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.#responses.add(response);
      if (this.#isClosing) response.shouldKeepAlive = false;
      response.once('close', () => {
        this.#responses.delete(response);
        this.#cutWhenIdle();
      });
    });
  }

  startClosing(): void {
    this.#isClosing = true;
    // Else a client sends its next request on a connection that is cut a moment later, and cannot know what became of it.
    for (const response of this.#responses) response.shouldKeepAlive = false;
    this.#cutWhenIdle();
  }

  #cutWhenIdle(): void {
    if (this.#isClosing && this.#responses.size === 0) this.#server.closeAllConnections();
  }
}

function closeServer(runtime: Runtime, server: Server, running: RunningRequests): Promise<void> {
  return new Promise((resolve) => {
    const cancelGrace = runtime.sched.after(CLOSE_GRACE_MS, () => server.closeAllConnections());
    // An error means that the server was not open: it is closed either way.
    server.close(() => {
      cancelGrace();
      resolve();
    });
    running.startClosing();
  });
}
