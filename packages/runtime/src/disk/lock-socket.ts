/**
 * A socket beside a lock file, which listens as long as the lock's owner lives.
 *
 * It tells whether the owner lives also to processes that do not see its process id: two containers on one volume. The kernel
 * closes it with the process, and nobody can leave it behind alive. It does not reach another machine that shares the folder.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { errnoCode } from './disk-errors.ts';

/** Longest path of a socket: 108 bytes with the closing zero on Linux, 104 elsewhere. */
const PATH_BYTES_MAX = 103;
/** What a connection to a socket of a dead process, or to none, fails with. */
const DEAD: readonly string[] = ['ECONNREFUSED', 'ENOENT'];

export interface LockSocket {
  close(): Promise<void>;
}

/** null where the file system has no sockets. The file is removed by `close`; after a crash it stays, and nobody answers. */
export async function listenBeside(path: string): Promise<LockSocket | null> {
  // The folder is held open until the socket is closed: its file may be reached by a short name through it.
  const folder = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  const address = shortPath(path, folder);
  const server = address === null ? null : await listen(address);
  if (server === null) {
    await folder.close();
    return null;
  }
  return {
    close: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(path, { force: true });
      await folder.close();
    },
  };
}

/** Whether a process listens on the socket; null where that cannot be told. */
export async function isAnswered(path: string): Promise<boolean | null> {
  const folder = await open(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const address = shortPath(path, folder);
    return address === null ? null : await dial(address);
  } finally {
    await folder.close();
  }
}

function shortPath(path: string, folder: FileHandle): string | null {
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return path;
  return process.platform === 'linux' ? `/proc/self/fd/${folder.fd}/${basename(path)}` : null;
}

function listen(address: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', () => resolve(null));
    server.listen(address, () => {
      server.removeAllListeners('error');
      // A connection that could not be accepted changes nothing: the other side was answered by the kernel.
      server.on('error', () => {});
      resolve(server);
    });
  });
}

function dial(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Any other failure (a full queue, missing rights) comes from a socket that somebody has.
    socket.once('error', (error) => resolve(!DEAD.includes(errnoCode(error))));
  });
}
