/**
 * Makes a server listen on a free port of loopback before the call returns.
 *
 * `server.listen(0, '127.0.0.1')` looks its host up in a later turn even when it is an address, so that nobody knows the port until
 * then; without a host it binds at once, but on every address of the machine, where nothing here may be reachable, not for a moment.
 * So the look-up is answered at once while the call runs: nothing else runs in between that could meet the answer.
 */
import type { Server } from 'node:http';
import { NetworkError } from '@shoal/runtime';

/** @throws a `NetworkError` when the system gives no port, or this Node.js binds in another way */
export function listenAtOnce(server: Server, address: string): void {
  let failure: Error | null = null;
  const keep = (error: Error): void => {
    failure = error;
  };
  server.once('error', keep);
  const dns = process.getBuiltinModule('node:dns');
  const { lookup } = dns;
  const answered = (_host: string, ...rest: unknown[]): void => {
    const [asked, done] = [rest[0], rest.at(-1)];
    // Newer versions of Node.js ask for all addresses of the host.
    const asksAll = typeof asked === 'object' && asked !== null && 'all' in asked && asked.all === true;
    if (typeof done !== 'function') return;
    if (asksAll) done(null, [{ address, family: 4 }]);
    else done(null, address, 4);
  };
  try {
    // `exclusive`: in a process of node:cluster the primary would bind, and answer later.
    Reflect.set(dns, 'lookup', answered);
    server.listen({ host: address, port: 0, exclusive: true });
  } finally {
    Reflect.set(dns, 'lookup', lookup);
  }
  server.off('error', keep);
  const bound = server.address();
  if (bound !== null && typeof bound === 'object' && bound.address === address) return;
  server.on('error', () => undefined); // Told here already.
  server.close();
  const why = failure === null ? `Node.js ${process.version} does not bind at once` : String(failure);
  throw new NetworkError('other', `cannot listen for http on ${address}: ${why}`);
}
