import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { linuxProcess, type ProcessFacts, portableProcess, startersOf } from './parent-watch.ts';

/** A chain of processes, the outermost first: pids count from 2. */
function chain(...commands: readonly (readonly string[])[]): (pid: number) => ProcessFacts | null {
  return (pid) => {
    const command = commands[pid - 2];
    return command === undefined ? null : { pid, parent: pid - 1, session: 2, command, started: '' };
  };
}

const pids = (facts: readonly ProcessFacts[]): readonly number[] => facts.map(({ pid }) => pid);
const SHOAL = ['node', '/app/node_modules/.bin/shoal', 'up', '--json'];

describe('who started a process', () => {
  test('is its parent, whatever started that', () => {
    expect(pids(startersOf(5, chain(['systemd'], ['bash'], ['python3', '-m', 'pytest'], SHOAL)))).toEqual([4]);
  });

  test.each([
    ['npm’s title', ['npm exec shoal up --json', '', '']],
    ['npx as a script of Node', ['node', '/usr/bin/npx', 'shoal', 'up']],
    ['npm by its file', ['node', '/usr/lib/node_modules/npm/bin/npm-cli.js', 'run', 'cluster']],
    ['pnpm', ['node', '/usr/bin/pnpm.cjs', 'exec', 'shoal']],
    ['bun', ['bun', 'x', 'shoal']],
  ])('is who ran a package runner, which only passes on: %s', (_, runner) => {
    expect(pids(startersOf(6, chain(['systemd'], ['pytest'], runner, ['sh', '-c', 'shoal up'], SHOAL)))).toEqual([
      5, 4, 3,
    ]);
  });

  test('is a shell that runs a script or a person, not one that runs a single command', () => {
    expect(pids(startersOf(4, chain(['systemd'], ['bash', 'ci.sh'], SHOAL)))).toEqual([3]);
    expect(pids(startersOf(4, chain(['systemd'], ['-bash'], SHOAL)))).toEqual([3]);
  });

  test('is nobody when init is its parent or it leads a session', () => {
    const daemon = { pid: 9, parent: 1, session: 5, command: SHOAL, started: '' };
    expect(startersOf(9, () => daemon)).toEqual([]);
    const leader = { ...daemon, parent: 8, session: 9 };
    expect(startersOf(9, (pid) => (pid === 9 ? leader : { ...daemon, pid }))).toEqual([]);
  });

  test('is not searched for without end', () => {
    const shell = { session: 1, command: ['sh', '-c', 'sh'], started: '' };
    expect(startersOf(900, (pid) => ({ ...shell, pid, parent: pid - 1 }))).toHaveLength(12);
  });
});

describe('facts of a process', () => {
  const onLinux = process.platform === 'linux';

  test.runIf(onLinux)('are the same from /proc and from ps', () => {
    const [linux, portable] = [linuxProcess(process.pid), portableProcess(process.pid)];
    expect(linux?.parent).toBe(process.ppid);
    expect(portable).toMatchObject({ pid: process.pid, parent: process.ppid, session: linux?.session });
  });

  test('are none once it has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    expect(portableProcess(pid)?.parent).toBe(process.pid);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(portableProcess(pid)).toBeNull();
    if (onLinux) expect(linuxProcess(pid)).toBeNull();
  });
});
