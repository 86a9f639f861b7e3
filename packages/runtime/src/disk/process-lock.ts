/**
 * A lock file that is exclusive between processes and that a killed process cannot leave behind.
 *
 * Node has no `flock` without a native addon. The file therefore names its owner: process id, the start time of that
 * process and a nonce. An owner that no longer runs (or whose id now belongs to a younger process) is dead, and its lock
 * may be taken over. Two processes that both find a dead owner must not both win, so a takeover is itself a lock: a file
 * named after the dead owner, made by `link`, which exactly one process can do. The winner checks that the dead owner is
 * still the one in the lock file, then moves its own claim over it. A dead claimant is the owner of the next link.
 *
 * Limit: processes that share a folder but not a table of processes (two containers on one volume) cannot see each
 * other's owners. One volume belongs to one container.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { DiskError, type DiskLock } from '../interfaces/disk.ts';
import { diskError, errnoCode } from './disk-errors.ts';

interface Owner {
  readonly pid: number;
  /** Clock ticks between boot and the start of the process, as text; empty where the system does not tell. */
  readonly startTime: string;
  readonly nonce: string;
}

/** Owners that died while taking over from each other; each needs a crash within microseconds. */
const CHAIN_MAX = 16;
const ATTEMPTS_MAX = 8;

/** Takes the lock at `path` (absolute) or rejects with `DiskError` kind `locked`, naming the process that holds it. */
export async function acquireProcessLock(path: string): Promise<DiskLock> {
  const me: Owner = { pid: process.pid, startTime: (await startTimeOf(process.pid)) ?? '', nonce: randomUUID() };
  const mine = `${path}.${me.pid}-${me.nonce}`;
  try {
    await writeFile(mine, ownerText(me), { flag: 'wx' });
    await acquire(path, mine);
  } catch (error) {
    throw diskError(error, path);
  } finally {
    await rm(mine, { force: true });
  }
  return { release: () => release(path, me) };
}

async function acquire(path: string, mine: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (await tryLink(mine, path)) return;
    const first = await readOwner(path);
    if (first === null) continue; // Released between the two steps.
    const last = await lastOfChain(path, first);
    if (await isRunning(last)) {
      throw new DiskError('locked', path, `${path}: held by process ${last.pid}`);
    }
    const claim = claimPath(path, last);
    if (!(await tryLink(mine, claim))) continue; // Another process took over first.
    const current = await readOwner(path);
    if (current?.nonce === first.nonce) {
      await rename(claim, path);
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

async function release(path: string, me: Owner): Promise<void> {
  const owner = await readOwner(path);
  if (owner?.nonce === me.nonce) await rm(path, { force: true });
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
  return `${owner.pid} ${owner.startTime === '' ? '-' : owner.startTime} ${owner.nonce}\n`;
}

async function readOwner(path: string): Promise<Owner | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errnoCode(error) === 'ENOENT') return null;
    throw error;
  }
  const parts = /^(\d+) (\d+|-) ([0-9a-f-]{36})\n$/.exec(text);
  if (parts === null) throw new DiskError('locked', path, `${path}: not a lock file of this program`);
  const [, pid = '', startTime = '', nonce = ''] = parts;
  return { pid: Number.parseInt(pid, 10), startTime: startTime === '-' ? '' : startTime, nonce };
}

async function isRunning(owner: Owner): Promise<boolean> {
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
