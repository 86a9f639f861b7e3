/**
 * A port of the test's own in front of a server, whose connections the test can break; and when a port is open.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BreakablePort {
  readonly port: number;
  /** Breaks every connection that goes through the port. */
  shut(): void;
  close(): void;
}

/** @param connected makes a connection to the server behind it */
export async function openBreakablePort(connected: () => Socket): Promise<BreakablePort> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const inner = connected();
    for (const one of [socket, inner]) {
      sockets.add(one);
      one
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(one);
          (one === socket ? inner : socket).destroy();
        });
    }
    socket.pipe(inner).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const shut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    shut,
    close() {
      server.close();
      shut();
    },
  };
}

/** Whether somebody listens on a port of this machine. */
export async function isPortOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}
