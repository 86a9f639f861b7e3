/**
 * The connections of a listening plugin, from their first byte on: also those whose TLS handshake is not done, which no server
 * hands out and which would keep a stop waiting.
 */
import type { Server, Socket } from 'node:net';
import { type TLSSocket, Server as TlsServer } from 'node:tls';
import type { PluginContext } from '../plugin/plugin-definition.ts';

export class ServerConnections {
  private readonly sockets = new Set<Socket>();

  constructor(server: Server, context: PluginContext) {
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

  endAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

/** Only servers that ask for certificates see any. */
function hasCertificate(socket: TLSSocket): boolean {
  return Object.keys(socket.getPeerCertificate()).length > 0;
}
