/**
 * `/_node/stats/stream?interval=1s`: the stats, pushed over a WebSocket. A client that does not read misses some.
 */
import { parseTimeValue } from '@shoal/core';
import type { HttpServerOptions, RequestGate } from '@shoal/http';
import type { Cancel, Runtime } from '@shoal/runtime';
import type { WebSocket, WebSocketServer } from 'ws';
import type { View } from '../format/view.ts';
import { type ApiUsers, CHALLENGE } from './api-security.ts';

type Upgrade = NonNullable<HttpServerOptions['onUpgrade']>;

const PATH = '/_node/stats/stream';
const CLIENTS_MAX = 64;
const INTERVAL_MS_DEFAULT = 1_000;
const INTERVAL_MS_MIN = 100;
const INTERVAL_MS_MAX = 3_600_000;
/** More that a client has not taken: it is passed over. */
const PENDING_BYTES_MAX = 1024 * 1024;
/** Clients only listen. */
const MESSAGE_BYTES_MAX = 1024;

export interface StatsStreamOptions {
  readonly stats: () => Promise<View | null>;
  /** null: everybody may listen. */
  readonly users: ApiUsers | null;
  readonly gate: RequestGate;
}

export class StatsStream {
  readonly #runtime: Runtime;
  readonly #options: StatsStreamOptions;
  /** Made for the first client: most agents never have one, and start faster and smaller without. */
  #server: Promise<WebSocketServer> | null = null;
  #isClosed = false;
  readonly #timers = new Map<WebSocket, Cancel>();

  constructor(runtime: Runtime, options: StatsStreamOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  readonly upgrade: Upgrade = (request, socket, head) => {
    const [path, query] = (request.url ?? '/').split('?');
    const refuse = (status: string, header = ''): void => {
      socket.end(`HTTP/1.1 ${status}\r\n${header}content-length: 0\r\nconnection: close\r\n\r\n`);
    };
    const { users, gate } = this.#options;
    const headers = { ...request.headers, 'set-cookie': undefined };
    if (gate.admit({ method: 'GET', target: request.url ?? '/', headers }).kind === 'refused')
      return refuse('403 Forbidden');
    if (users !== null && !users.admits(request.headers.authorization)) {
      return refuse('401 Unauthorized', `www-authenticate: ${CHALLENGE}\r\n`);
    }
    if (path !== PATH) return refuse('404 Not Found');
    // A page of any site could open a socket to this machine: browsers say who asks.
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
      return refuse('403 Forbidden');
    if (this.#timers.size >= CLIENTS_MAX) return refuse('503 Service Unavailable');
    const intervalMs = intervalOf(query ?? '');
    if (intervalMs === null) return refuse('400 Bad Request');
    const gone = (): void => void socket.destroy();
    socket.once('error', gone);
    this.#server ??= openServer();
    this.#server
      .then((server) => {
        if (this.#isClosed || socket.destroyed) return gone();
        socket.off('error', gone);
        server.handleUpgrade(request, socket, head, (client) => this.#serve(client, intervalMs));
      })
      .catch((error: unknown) => {
        this.#runtime.log.error('no WebSocket server', { error: String(error) });
        gone();
      });
  };

  close(): void {
    for (const [client, cancel] of this.#timers) {
      cancel();
      client.terminate();
    }
    this.#timers.clear();
    this.#isClosed = true;
    void this.#server?.then((server) => server.close());
  }

  #serve(client: WebSocket, intervalMs: number): void {
    client.on('error', () => client.terminate());
    client.on('close', () => {
      this.#timers.get(client)?.();
      this.#timers.delete(client);
    });
    const push = (): void => {
      this.#timers.set(client, this.#runtime.sched.after(intervalMs, push));
      if (client.bufferedAmount > PENDING_BYTES_MAX) return;
      this.#options
        .stats()
        .then((view) => {
          if (client.readyState === client.OPEN) client.send(JSON.stringify(view));
        })
        .catch((error: unknown) => this.#runtime.log.warn('stats not pushed', { error: String(error) }));
    };
    push();
  }
}

async function openServer(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import('ws');
  return new Server({ noServer: true, maxPayload: MESSAGE_BYTES_MAX });
}

/** null for text that is no duration. */
function intervalOf(query: string): number | null {
  const text = new URLSearchParams(query).get('interval');
  if (text === null || text === '') return INTERVAL_MS_DEFAULT;
  try {
    return Math.min(Math.max(parseTimeValue(text, 'interval'), INTERVAL_MS_MIN), INTERVAL_MS_MAX);
  } catch {
    return null;
  }
}
