/**
 * A TCP server of an input: knows its connections, so that stopping ends them, and publishes the port it got.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { PluginContext } from '../../plugin/plugin-definition.ts';
import { ServerConnections } from '../server-connections.ts';

export interface SocketServerOptions {
  readonly host: string;
  readonly port: number;
  /** null: without TLS. */
  readonly tls: TlsOptions | null;
}

export class SocketServer {
  private readonly options: SocketServerOptions;
  private readonly context: PluginContext;
  private readonly onSocket: (socket: Socket) => void;
  private server: Server | null = null;
  private connections: ServerConnections | null = null;

  constructor(options: SocketServerOptions, context: PluginContext, onSocket: (socket: Socket) => void) {
    this.options = options;
    this.context = context;
    this.onSocket = onSocket;
  }

  /** Rejects when the port is taken. */
  async start(): Promise<void> {
    const { tls, host, port } = this.options;
    const accept = (socket: Socket): void => {
      if (socket.destroyed) return;
      // A peer that goes away is no error of ours; `close` follows and ends what belongs to it.
      socket.on('error', (error) => this.context.runtime.log.debug('a connection failed', { error: error.message }));
      this.onSocket(socket);
    };
    const server = tls === null ? createServer(accept) : createTlsServer(tls, accept);
    this.server = server;
    this.connections = new ServerConnections(server, this.context);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server
          .off('error', reject)
          .on('error', (error) => this.context.runtime.log.warn('a listener failed', { error: error.message }));
        resolve();
      });
    });
    publishPort(this.context, server.address());
  }

  /** Takes no more connections and ends those there are. */
  async stop(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.connections?.endAll();
    await closed;
  }
}

/** Port 0 asks for any: the one it got stands in the plugin's metrics. */
export function publishPort(context: PluginContext, address: unknown): void {
  if (typeof address !== 'object' || address === null || !('port' in address)) return;
  const { port } = address;
  if (typeof port === 'number') context.metrics.gauge('port', port);
}
