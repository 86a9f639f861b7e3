/**
 * The real command as tests start it: `shoal …` as a child process, ended by its pid whatever the test did.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithTests } from './end-with-tests.test-support.ts';

export const shoalBinary = fileURLToPath(new URL('../../packages/cli/bin/shoal.js', import.meta.url));

const OUTPUT_LINES_KEPT = 400;
/** Below the time a hook has, so that what did not start is ended here and says why. */
const READY_WITHIN_MS = 180_000;

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export async function runShoal(
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  // Colours depend on where the tests run; what they look at does not.
  const child = spawn(process.execPath, [shoalBinary, ...args], {
    env: { ...process.env, NO_COLOR: '1', ...options.env },
  });
  endWithTests(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [status] = await once(child, 'close');
  return { status, stdout, stderr };
}

export interface ReadyEvent {
  readonly event: 'ready';
  readonly http: readonly string[];
  readonly transport: readonly string[];
  /** The process to signal: it ends the others. */
  readonly pid: number;
  readonly pids: Readonly<Record<string, number>>;
  /** With `--agent` only. */
  readonly agent?: { readonly http?: string; readonly pid: number; readonly error?: string };
}

export interface RunningCluster extends ReadyEvent {
  /** HTTP of the coordinator, or of the only node. */
  readonly url: string;
  readonly process: ChildProcess;
  /** What the nodes wrote, for messages of failed tests. */
  output(): string;
  /** Asks it to end and waits until it did. */
  end(): Promise<void>;
}

/** `shoal up --json` on ports of its own. */
export async function startUp(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<RunningCluster> {
  const child = spawn(
    process.execPath,
    [shoalBinary, 'up', '--json', '--http-port', '0', '--transport-port', '0', ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } },
  );
  endWithTests(child);
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
    if (lines.length > OUTPUT_LINES_KEPT) lines.shift();
  };
  createInterface({ input: child.stderr }).on('line', keep);
  const ready = await new Promise<ReadyEvent>((resolve, reject) => {
    const stopTimer = setTimeout(() => child.kill('SIGTERM'), READY_WITHIN_MS);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line) as ReadyEvent;
      if (event.event !== 'ready') return;
      clearTimeout(stopTimer);
      resolve(event);
    });
    child.once('close', (status) => {
      clearTimeout(stopTimer);
      reject(new Error(`shoal up ended with status ${status}:\n${lines.join('\n')}`));
    });
  });
  return {
    ...ready,
    url: ready.http[0] ?? '',
    process: child,
    output: () => lines.join('\n'),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed JSON of a JSON answer, else null. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  readonly body: any;
}

export async function call(url: string, method: string, path: string, body?: unknown): Promise<Answer> {
  const isText = typeof body === 'string';
  const response = await fetch(url + path, {
    method,
    ...(body === undefined
      ? {}
      : {
          body: isText ? body : JSON.stringify(body),
          headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
        }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}
