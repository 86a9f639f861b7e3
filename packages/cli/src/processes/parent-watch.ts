/**
 * The end of whoever started this process: what was started for a test ends with it, however it was ended.
 *
 * A signal to `npx` reaches neither the shell that it runs nor the command in that shell, and nobody passes on a SIGKILL. So the
 * starter is recognised by walking up from this process: shells that run one command (`sh -c`) and package runners (npm, npx, pnpm,
 * yarn, bun) only pass on what they were told, and the first ancestor that is none of them is the starter. The end of any of these
 * is the end of all. A process that leads a session of its own (`setsid`, `detached: true`) or whose parent is init was cut loose on
 * purpose: it has no starter.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const WATCH_EVERY_MS = 200;
/** Longest chain of shells and package runners that is followed. */
const LAUNCHERS_MAX = 12;
const INIT = 1;

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** Session that it belongs to, named by the pid of its leader. */
  readonly session: number;
  /** What it was started with, program first; a program may have written a title over it. */
  readonly command: readonly string[];
  /** When it was started, in whatever unit the machine has: tells it from a later process with the same pid. */
  readonly started: string;
}

/** Facts of a live process; null for none, and for one that ended and waits to be collected. */
export type ProcessTable = (pid: number) => ProcessFacts | null;

const PACKAGE_RUNNER = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)(?:-cli)?(?:\.c?js)?$/;
const SHELL = /^(?:sh|bash|dash|ash|zsh|ksh|busybox)$/;

/**
 * Processes whose end is the end of `pid`, nearest first: launchers, then the starter. Empty when it was cut loose.
 */
export function startersOf(pid: number, table: ProcessTable): readonly ProcessFacts[] {
  const own = table(pid);
  if (own === null || own.session === pid) return [];
  const starters: ProcessFacts[] = [];
  for (let next = own.parent; next > INIT && starters.length < LAUNCHERS_MAX; ) {
    const facts = table(next);
    if (facts === null) break;
    starters.push(facts);
    if (!isLauncher(facts.command)) break;
    next = facts.parent;
  }
  return starters;
}

/** True for a process that only runs the command it was given and waits for it. */
function isLauncher(command: readonly string[]): boolean {
  const [program = '', first = ''] = command;
  const name = basename(program).replace(/^-/, '');
  // npm writes what it runs over its own arguments: `npm exec shoal up`.
  if (PACKAGE_RUNNER.test(name.split(' ')[0] ?? '')) return true;
  if (SHELL.test(name)) return first === '-c' || (name === 'busybox' && command[2] === '-c');
  return name === 'node' && PACKAGE_RUNNER.test(basename(first));
}

/** Resolves with a sentence when the process that started this one has ended; never when there is none. Keeps no process alive. */
export function untilStarterEnds(table: ProcessTable = machineTable()): Promise<string> {
  const starters = startersOf(process.pid, table);
  return new Promise((resolve) => {
    const parent = process.ppid;
    if (starters.length === 0) return;
    const timer = setInterval(() => {
      const gone = starters.find(({ pid, started }) => table(pid)?.started !== started);
      if (gone === undefined && process.ppid === parent) return;
      clearInterval(timer);
      resolve(`the process that started this one ended (pid ${gone?.pid ?? parent})`);
    }, WATCH_EVERY_MS);
    timer.unref();
  });
}

function machineTable(): ProcessTable {
  if (process.platform === 'linux') return linuxProcess;
  if (process.platform === 'win32') return parentOnly;
  return portableProcess;
}

/** Reads /proc: 20 µs a process. */
export function linuxProcess(pid: number): ProcessFacts | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything, parentheses too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent = '', , session = ''] = fields;
    if (state === 'Z' || state === 'X') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { pid, parent: Number(parent), session: Number(session), command, started: fields[19] ?? '' };
  } catch {
    // It ended before or while it was looked at.
    return null;
  }
}

/** What `ps` said of a process. */
const known = new Map<number, ProcessFacts>();

/** Asks `ps`, which every other Unix has: 5 ms a process, so once for the chain, and afterwards only whether it is there. */
export function portableProcess(pid: number): ProcessFacts | null {
  const before = known.get(pid);
  if (before !== undefined) return isThere(pid) ? before : null;
  try {
    const text = execFileSync('ps', ['-o', 'ppid=,sess=,stat=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, parent = '', session = '', state = '', command = ''] = /^\s*(\d+)\s+(\S+)\s+(\S+)\s+(.*)/.exec(text) ?? [];
    if (parent === '' || state.startsWith('Z')) return null;
    // On macOS a session is an address; its leader is marked by an `s` in the state.
    const leader = state.includes('s') ? pid : Number(session) || 0;
    const facts = { pid, parent: Number(parent), session: leader, command: command.split(' '), started: '' };
    known.set(pid, facts);
    return facts;
  } catch {
    // No such process, or no `ps`: nothing is known, so nothing is watched.
    return null;
  }
}

/** Windows names no sessions and keeps the pid of a parent that ended: the parent alone is watched. */
function parentOnly(pid: number): ProcessFacts | null {
  const isSelf = pid === process.pid;
  if (!isSelf && !isThere(pid)) return null;
  return { pid, parent: isSelf ? process.ppid : 0, session: 0, command: [], started: '' };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be signalled, and is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
