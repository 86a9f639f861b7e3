/**
 * A lock file that is exclusive between processes and that a killed process cannot leave behind.
 *
 * Node has no `flock` without a native addon. The file therefore names its owner: process id, the start time of that
 * process and a nonce. An owner that no longer runs (or whose id now belongs to a younger process) is dead, and its lock
 * may be taken over. Two processes that both find a dead owner must not both win, so a takeover is itself a lock: a file
 * named after the dead owner, made by `link`, which exactly one process can do. The winner checks that the dead owner is
 * still the one in the lock file, then moves its own claim over it. A dead claimant is the owner of the next link.
 *
 * Processes that share a folder but not a table of processes (two containers on one volume) cannot see each other's process
 * ids. The owner therefore listens on a socket beside the file, named after its nonce: whoever answers there is alive.
 * Limit: machines that share a folder over a network see neither.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { DiskError, type DiskLock } from '../interfaces/disk.ts';
import { diskError, errnoCode } from './disk-errors.ts';
import { isAnswered, type LockSocket, listenBeside } from './lock-socket.ts';

interface Owner {
  readonly pid: number;
  /** Clock ticks between boot and the start of the process, as text; empty where the system does not tell. */
  readonly startTime: string;
  readonly nonce: string;
  /** Whether it listens on the socket of its nonce. */
  readonly hasSocket: boolean;
}

/** Owners that died while taking over from each other; each needs a crash within microseconds. */
const CHAIN_MAX = 16;
const ATTEMPTS_MAX = 8;

/** Takes the lock at `path` (absolute) or rejects with `DiskError` kind `locked`, naming the process that holds it. */
export async function acquireProcessLock(path: string): Promise<DiskLock> {
  const nonce = randomUUID();
  const startTime = (await startTimeOf(process.pid)) ?? '';
  let socket: LockSocket | null = null;
  const mine = `${path}.${process.pid}-${nonce}`;
  try {
    // Before anybody can read of it.
    socket = await listenBeside(socketPath(path, nonce));
    const me: Owner = { pid: process.pid, startTime, nonce, hasSocket: socket !== null };
    await writeFile(mine, ownerText(me), { flag: 'wx' });
    await acquire(path, mine);
  } catch (error) {
    await socket?.close();
    throw diskError(error, path);
  } finally {
    await rm(mine, { force: true });
  }
  let isHeld = true;
  return {
    release: async () => {
      if (!isHeld) return;
      isHeld = false;
      await release(path, nonce);
      await socket?.close();
    },
  };
}

function socketPath(path: string, nonce: string): string {
  return `${path}.${nonce}`;
}

async function acquire(path: string, mine: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (await tryLink(mine, path)) return;
    const first = await readOwner(path);
    if (first === null) continue; // Released between the two steps.
    const last = await lastOfChain(path, first);
    if (await isRunning(path, last)) {
      throw new DiskError('locked', path, `${path}: held by process ${last.pid}`);
    }
    const claim = claimPath(path, last);
    if (!(await tryLink(mine, claim))) continue; // Another process took over first.
    const current = await readOwner(path);
    if (current?.nonce === first.nonce) {
      await rename(claim, path);
      for (const dead of [first, last]) await rm(socketPath(path, dead.nonce), { force: true });
      return;
    }
    await rm(claim, { force: true });
  }
  throw new DiskError('locked', path, `${path}: other processes are taking it at this moment`);
}

/** The owner after all takeovers that were claimed but not finished. */
async function lastOfChain(path: string, first: Owner): Promise<Owner> {
  let owner = first;
  for (let depth = 0; depth < CHAIN_MAX; depth++) {
    const next = await readOwner(claimPath(path, owner));
    if (next === null) return owner;
    owner = next;
  }
  throw new DiskError('locked', path, `${path}: more than ${CHAIN_MAX} unfinished takeovers`);
}

async function release(path: string, nonce: string): Promise<void> {
  const owner = await readOwner(path);
  if (owner?.nonce === nonce) await rm(path, { force: true });
}

/** True when this process made `target`; false when it was there. */
async function tryLink(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (errnoCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function claimPath(path: string, dead: Owner): string {
  return `${path}.after-${dead.nonce}`;
}

function ownerText(owner: Owner): string {
  return `${owner.pid} ${owner.startTime === '' ? '-' : owner.startTime} ${owner.nonce}${owner.hasSocket ? ' socket' : ''}\n`;
}

async function readOwner(path: string): Promise<Owner | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errnoCode(error) === 'ENOENT') return null;
    throw error;
  }
  const parts = /^(\d+) (\d+|-) ([0-9a-f-]{36})( socket)?\n$/.exec(text);
  if (parts === null) throw new DiskError('locked', path, `${path}: not a lock file of this program`);
  const [, pid = '', startTime = '', nonce = '', socket = ''] = parts;
  return {
    pid: Number.parseInt(pid, 10),
    startTime: startTime === '-' ? '' : startTime,
    nonce,
    hasSocket: socket !== '',
  };
}

async function isRunning(path: string, owner: Owner): Promise<boolean> {
  if (owner.hasSocket) {
    const answered = await isAnswered(socketPath(path, owner.nonce));
    if (answered === true) return true;
    // Somebody may have removed the file of the socket: the process, where it is seen, has the last word.
    if (answered === false && owner.startTime === '') return false;
  }
  if (owner.startTime === '') return answersSignals(owner.pid);
  return (await startTimeOf(owner.pid)) === owner.startTime;
}

/** Null when no such process runs, or when it is dead and only its entry waits for its parent. */
async function startTimeOf(pid: number): Promise<string | null> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null; // No such process, or no /proc: the caller then asks by signal.
  }
  // The command in parentheses may hold spaces and parentheses, so fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return null;
  return fields[19] ?? null; // Field 22 of proc(5); the first two are before the parenthesis.
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoCode(error) === 'EPERM';
  }
}
