/**
 * A program of others, as `scripts/fetch-programs.mjs` fetched it, run to its end against a cluster.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithTests } from '../support/end-with-tests.test-support.ts';

const folder = fileURLToPath(new URL('../../node_modules/.cache/programs', import.meta.url));

export interface FetchedProgram {
  /** Folder of what was fetched. */
  readonly home: string;
  /** Title of the tests; says why they are skipped where they are. */
  readonly title: string;
  readonly isHere: boolean;
}

export function fetchedProgram(name: string): FetchedProgram {
  const home = join(folder, name);
  const isHere = existsSync(join(home, 'fetched'));
  return { home, isHere, title: isHere ? name : `${name} (it is not here: node scripts/fetch-programs.mjs)` };
}

/** Command of a package of npm. */
export function npmCommand({ home }: FetchedProgram, name: string): string {
  return join(home, 'node_modules/.bin', name);
}

/** Command of a package of PyPI, or `python` itself. */
export function pythonCommand({ home }: FetchedProgram, name: string): string {
  return join(home, 'venv/bin', name);
}

export interface ProgramRun {
  readonly status: number | null;
  /** Both outputs, in the order they came. */
  readonly output: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface StartedProgram {
  readonly process: ChildProcess;
  readonly end: Promise<ProgramRun>;
}

export function startProgram(command: string, args: readonly string[], options: RunOptions = {}): StartedProgram {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
  });
  endWithTests(child);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return { process: child, end: once(child, 'close').then(([status]) => ({ status, output })) };
}

/** Runs a command to its end. */
export function runProgram(command: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramRun> {
  return startProgram(command, args, options).end;
}

/** JSON of an answer, whatever its status. */
export async function ask<T>(url: string, method = 'GET', body?: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  return (await response.json()) as T;
}
