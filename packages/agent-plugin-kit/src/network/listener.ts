/**
 * What every plugin that listens has in common: its port, and its connections from their first byte on; also those whose TLS
 * handshake is not done, which no server hands out and which would keep a stop waiting.
 */
import type { Server, Socket } from 'node:net';
import { type TLSSocket, Server as TlsServer } from 'node:tls';
import type { PluginContext } from '../contract/plugin-definition.ts';

/** A port, or a socket of the file system. */
export type ListenAddress = { readonly host: string; readonly port: number } | { readonly path: string };

export class Listener {
  private readonly server: Server;
  private readonly context: PluginContext;
  private readonly sockets = new Set<Socket>();

  constructor(server: Server, context: PluginContext) {
    this.server = server;
    this.context = context;
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    if (!(server instanceof TlsServer)) return;
    server.on('tlsClientError', (error, socket) => {
      context.runtime.log.info('a TLS handshake failed', { peer: socket.remoteAddress ?? '', error: error.message });
      socket.destroy();
    });
    // Before the plugin sees it. A certificate may be left out where it is optional; a wrong one is no better than none.
    server.prependListener('secureConnection', (socket) => {
      if (socket.authorized || !hasCertificate(socket)) return;
      const error = String(socket.authorizationError);
      context.runtime.log.info('a client has a certificate of nobody known', {
        peer: socket.remoteAddress ?? '',
        error,
      });
      socket.destroy();
    });
  }

  /** Rejects when the address is taken. */
  async listen(address: ListenAddress): Promise<void> {
    const { server, context } = this;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ ...address }, () => {
        server
          .off('error', reject)
          .on('error', (error) => context.runtime.log.warn('a listener failed', { error: error.message }));
        resolve();
      });
    });
    publishPort(context, server.address());
  }

  /** Takes no more connections, and ends those that are there once `settled` is through. */
  async close(settled: () => Promise<unknown> = async () => {}): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    await settled();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

/** Port 0 asks for any: the one it got stands in the plugin's metrics. */
export function publishPort(context: PluginContext, address: unknown): void {
  if (typeof address !== 'object' || address === null || !('port' in address)) return;
  const { port } = address;
  if (typeof port === 'number') context.metrics.gauge('port', port);
}

/** Only servers that ask for certificates see any. */
function hasCertificate(socket: TLSSocket): boolean {
  return Object.keys(socket.getPeerCertificate()).length > 0;
}
