/**
 * The agent as a process that is killed again and again: what an input has acknowledged arrives, with the persisted queue.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { freePort } from '../support/free-port.test-support.ts';
import { shoalBinary } from '../support/shoal-process.test-support.ts';

/** Each agent is killed half as often: while one starts, the other works. */
const KILLS = 20;
const AGENTS = 2;
/** Looks at the output, 50 ms apart: only events that never come use them up. */
const LOOKS_MAX = 1_200;

const folder = mkdtempSync(join(tmpdir(), 'shoal-kills-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** True when the input has answered that it took the event. */
function post(port: number, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
      response.on('error', () => resolve(false));
    });
    sent.on('error', () => resolve(false));
    sent.setHeader('content-type', 'text/plain');
    sent.end(body);
  });
}

describe('an agent with a persisted queue', () => {
  test(`loses nothing that it acknowledged, killed ${KILLS} times`, async () => {
    const runs = await Promise.all(Array.from({ length: AGENTS }, (_, n) => killAgain(join(folder, `agent-${n}`))));
    for (const { acknowledged, missing } of runs) {
      expect(acknowledged).toBeGreaterThan(KILLS / AGENTS);
      expect(missing).toEqual([]);
    }
  });
});

interface KilledRun {
  readonly acknowledged: number;
  readonly missing: readonly string[];
}

async function killAgain(own: string): Promise<KilledRun> {
  mkdirSync(own);
  const port = await freePort();
  const output = join(own, 'out.txt');
  const config = join(own, 'kills.conf');
  writeFileSync(
    config,
    `input { http { host => "127.0.0.1" port => ${port} } }
     output { file { path => "${output}" codec => line { format => "%{message}" } } }`,
  );
  const start = (): ChildProcess => {
    const args = ['agent', '-f', config, '--path.data', join(own, 'data'), '--queue.type', 'persisted', '-w', '1'];
    const quiet = ['--set', 'api.enabled=false', '--log.level', 'warn'];
    const child = spawn(process.execPath, [shoalBinary, ...args, ...quiet], { stdio: ['ignore', 'ignore', 'inherit'] });
    endWithTests(child);
    return child;
  };
  const acknowledged: string[] = [];
  let next = 0;
  const send = async (): Promise<boolean> => {
    const body = `event-${next++}`;
    const isTaken = await post(port, body);
    if (isTaken) acknowledged.push(body);
    return isTaken;
  };
  for (let kill = 0; kill < KILLS / AGENTS; kill++) {
    const child = start();
    while (!(await send())) await new Promise((resolve) => setTimeout(resolve, 20));
    // Killed in the middle of what follows, at another point each time.
    const killed = once(child, 'exit');
    setTimeout(() => child.kill('SIGKILL'), 5 + kill * 13);
    while (await send());
    await killed;
  }
  const last = start();
  while (!(await send())) await new Promise((resolve) => setTimeout(resolve, 20));
  const missing = (): readonly string[] => {
    const seen = new Set(existsSync(output) ? readFileSync(output, 'utf8').split('\n') : []);
    return acknowledged.filter((body) => !seen.has(body));
  };
  for (let look = 0; look < LOOKS_MAX && missing().length > 0; look++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  last.kill('SIGTERM');
  await once(last, 'exit');
  return { acknowledged: acknowledged.length, missing: missing() };
}
