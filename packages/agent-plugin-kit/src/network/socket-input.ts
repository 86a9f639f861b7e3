/**
 * An input that is a server of connections: it gives each connection to the plugin, and stopping waits for what connections gave.
 */
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { EventSink, Input, PluginContext } from '../contract/plugin-definition.ts';
import { type ListenAddress, Listener } from './listener.ts';

export type SocketInputOptions = ListenAddress & {
  /** null: without TLS. */
  readonly tls: TlsOptions | null;
};

/** `serve` resolves when the connection is closed and all it gave is in the queue. */
export function socketInput(
  { tls, ...address }: SocketInputOptions,
  context: PluginContext,
  serve: (socket: Socket, sink: EventSink) => Promise<void>,
): Input {
  const open = new Set<Promise<void>>();
  let listener: Listener | null = null;
  return {
    finished: null,
    start(sink) {
      const accept = (socket: Socket): void => {
        if (socket.destroyed) return;
        // A peer that goes away is no error of ours; `close` follows and ends what belongs to it.
        socket.on('error', (error) => context.runtime.log.debug('a connection failed', { error: error.message }));
        const done = serve(socket, sink)
          // What could not be pushed is known to the sink; anything else is a fault that a new start may mend.
          .catch((error: unknown) => sink.failed?.(error))
          .finally(() => open.delete(done));
        open.add(done);
      };
      listener = new Listener(tls === null ? createServer(accept) : createTlsServer(tls, accept), context);
      return listener.listen(address);
    },
    async stop() {
      await listener?.close();
      await Promise.all(open);
    },
  };
}
