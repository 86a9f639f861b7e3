/**
 * A cluster that was started for a test ends when whoever started it does, however that ended.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { call, type ReadyEvent, shoalBinary } from '../support/shoal-process.test-support.ts';

const UP = [process.execPath, shoalBinary, 'up', '--json', '--nodes', '1', '--no-sample', '--ephemeral'];
const ARGS = [...UP, '--http-port', '0', '--transport-port', '0'];
const LOOK_EVERY_MS = 50;
const ENDS_WITHIN_MS = 30_000;
/** Rounds of looking at what must not end: more than enough for the watch to have seen the end. */
const STAYS_ROUNDS = 30;

interface Started {
  readonly launcher: ChildProcess;
  readonly ready: ReadyEvent;
  readonly folder: string;
}

const folders: string[] = [];
const left = new Set<number>();

async function start(command: readonly string[]): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-parent-'));
  folders.push(folder);
  const [program = '', ...args] = command;
  const env = { ...process.env, TMPDIR: folder, npm_config_cache: join(folder, 'npm') };
  const launcher = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  endWithTests(launcher);
  const ready = await new Promise<ReadyEvent>((resolve, reject) => {
    createInterface({ input: launcher.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (line.startsWith('{')) resolve(JSON.parse(line) as ReadyEvent);
    });
    launcher.once('close', (status) => reject(new Error(`${command.join(' ')} ended with ${status}`)));
  });
  for (const pid of [ready.pid, ...Object.values(ready.pids)]) left.add(pid);
  return { launcher, ready, folder };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

async function untilGone(pids: readonly number[], folder: string): Promise<void> {
  const dataFolders = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('shoal-'));
  const startedMs = performance.now();
  while (pids.some(isThere) || dataFolders().length > 0) {
    if (performance.now() - startedMs > ENDS_WITHIN_MS)
      throw new Error(`still there: ${pids.filter(isThere).join(' ')} ${dataFolders().join(' ')}`);
    await pause();
  }
}

afterEach(() => {
  for (const pid of [...left].filter(isThere)) process.kill(pid, 'SIGKILL');
  left.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Another program between: it starts the shell and never ends by itself. */
const RUNNER = `require('child_process').spawn('sh', ['-c', process.argv[1] + '; exit'], { stdio: 'inherit' }); setInterval(() => {}, 1e6)`;
const quoted = ARGS.map((argument) => `'${argument}'`).join(' ');

describe('a cluster of `shoal up --json`', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('ends when the npx that runs it gets %s', async (signal) => {
    const { launcher, ready, folder } = await start(['npx', '--no-install', ...ARGS]);
    expect((await call(ready.http[0] ?? '', 'GET', '/')).status).toBe(200);
    launcher.kill(signal);
    await untilGone([ready.pid, ...Object.values(ready.pids)], folder);
    await expect(call(ready.http[0] ?? '', 'GET', '/')).rejects.toThrow();
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('ends when the program behind its shell gets %s', async (signal) => {
    const { launcher, ready, folder } = await start([process.execPath, '-e', RUNNER, quoted]);
    launcher.kill(signal);
    await untilGone([ready.pid, ...Object.values(ready.pids)], folder);
  });

  test('stays when it is told to outlive its parent', async () => {
    const { launcher, ready, folder } = await start([process.execPath, '-e', RUNNER, `${quoted} --outlive-parent`]);
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
    for (let round = 0; round < STAYS_ROUNDS; round++) {
      expect((await call(ready.http[0] ?? '', 'GET', '/')).status).toBe(200);
      await pause();
    }
    const [up] = readdirSync(folder).filter((name) => name.startsWith('shoal-'));
    expect(existsSync(join(folder, up ?? ''))).toBe(true);
    process.kill(ready.pid, 'SIGTERM');
    await untilGone([ready.pid, ...Object.values(ready.pids)], folder);
  });
});
