/**
 * Answers commands to a running `shoal up` on a port of loopback: one line of JSON asks, one answers.
 *
 * What was begun is ended whether or not the asker stays: a node that is down must not stay down because a terminal was closed.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { messageOf } from '@shoal/core';
import { removeControl, writeControl } from './control-file.ts';

/** A node of the cluster as its supervisor knows it. */
export interface SupervisedNode {
  readonly name: string;
  readonly command: string;
  /** Address of HTTP, with user and password where the nodes ask for them. */
  readonly http: string;
  readonly pid: number;
}

export interface Supervised {
  nodes(): readonly SupervisedNode[];
  /** Ends the node, starts it again, and resolves when its ports listen. */
  restart(name: string): Promise<void>;
}

export type ControlRequest =
  | { readonly secret: string; readonly command: 'nodes' }
  | { readonly secret: string; readonly command: 'restart'; readonly node: string };

export type ControlAnswer =
  | { readonly nodes: readonly SupervisedNode[] }
  | { readonly restarted: string }
  | { readonly error: string };

export interface ControlServer {
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const SECRET_BYTES = 32;
/** Whoever sends more without an end of line sends no command. */
const LINE_CHARS_MAX = 10_000;

export async function startControl(dataPath: string, supervised: Supervised): Promise<ControlServer> {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const server = createServer((socket) => serve(socket, secret, supervised));
  const port = await listen(server);
  await writeControl(dataPath, { port, secret });
  return {
    close: async () => {
      await removeControl(dataPath);
      server.close();
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // It keeps no process alive that has nothing else to do.
    server.unref();
    server.listen({ host: HOST, port: 0 }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function serve(socket: Socket, secret: string, supervised: Supervised): void {
  socket.unref();
  // Whoever asked may be gone when the answer comes.
  socket.on('error', () => socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    const end = text.indexOf('\n');
    if (end < 0) {
      if (text.length > LINE_CHARS_MAX) socket.destroy();
      return;
    }
    // One command a connection.
    socket.removeAllListeners('data').resume();
    void answer(text.slice(0, end), secret, supervised).then((answered) => {
      if (!socket.destroyed) socket.end(`${JSON.stringify(answered)}\n`);
    });
  });
}

async function answer(line: string, secret: string, supervised: Supervised): Promise<ControlAnswer> {
  try {
    const request = JSON.parse(line) as ControlRequest;
    if (!isSame(String(request.secret), secret)) return { error: 'the secret is not that of this cluster' };
    switch (request.command) {
      case 'nodes':
        return { nodes: supervised.nodes() };
      case 'restart':
        await supervised.restart(String(request.node));
        return { restarted: request.node };
      default:
        return { error: 'no such command' };
    }
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
