/**
 * The agent as a process that is killed again and again, with a queue in memory and inputs that wait for the outputs: what
 * they told their sources arrives, and what they did not tell comes again.
 *
 * `SHOAL_KILLS=60` kills more often.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@shoal/simulation';
import { afterEach, expect, test } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { freePort } from '../support/free-port.test-support.ts';
import { shoalBinary } from '../support/shoal-process.test-support.ts';

const KILLS = Number(process.env.SHOAL_KILLS ?? 6);
const random = seededRandom(Number(process.env.SHOAL_TEST_SEED ?? 4711));
/** Longest life of an agent behind its first acknowledgement. */
const LIFE_MS_MAX = 600;
const WINDOW = 10;

const folder = mkdtempSync(join(tmpdir(), 'shoal-confirmed-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const tick = (ms = 10): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** True when the input has answered that it took the event. */
function post(port: number, body: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200)).on('error', () => resolve(false));
    });
    sent.on('error', () => resolve(false));
    sent.setHeader('content-type', 'text/plain');
    sent.end(body);
  });
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** True when the whole window is acknowledged. */
function sendWindow(port: number, messages: readonly string[]): Promise<boolean> {
  const frames = messages.map((message, i) => {
    const json = Buffer.from(JSON.stringify({ message }));
    return Buffer.concat([Buffer.from('2J'), word(i + 1), word(json.length), json]);
  });
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      for (; answer.length >= 6; answer = answer.subarray(6))
        if (answer.readUInt32BE(2) === messages.length) resolve(true);
      if (answer.length === 0) socket.end();
    });
    socket.on('error', () => resolve(false)).on('close', () => resolve(false));
    socket.write(Buffer.concat([Buffer.from('2W'), word(messages.length), ...frames]));
  });
}

interface Sources {
  /** What sources no longer keep, because it was acknowledged. */
  readonly told: string[];
  stop(): Promise<readonly string[]>;
}

/** Senders that repeat what was not acknowledged, and a file that grows. */
function startSources(ports: { readonly http: number; readonly beats: number }): Sources {
  const told: string[] = [];
  const lines: string[] = [];
  let isStopping = false;
  const posting = async (): Promise<void> => {
    for (let n = 0; !isStopping; ) {
      if (await post(ports.http, `http-${n}`)) told.push(`http-${n++}`);
      else await tick();
    }
  };
  const shipping = async (): Promise<void> => {
    for (let n = 0; !isStopping; ) {
      const messages = Array.from({ length: WINDOW }, (_, i) => `beats-${n + i}`);
      if (await sendWindow(ports.beats, messages)) {
        told.push(...messages);
        n += WINDOW;
      } else await tick();
    }
  };
  const appending = async (): Promise<void> => {
    for (let n = 0; !isStopping; n++) {
      const part = Array.from({ length: 5 }, (_, i) => `file-${n}-${i}`);
      appendFileSync(join(folder, 'in.log'), `${part.join('\n')}\n`);
      lines.push(...part);
      await tick(5);
    }
  };
  const running = Promise.all([posting(), shipping(), appending()]);
  return {
    told,
    async stop() {
      isStopping = true;
      await running;
      return [...told, ...lines];
    },
  };
}

function startAgent(config: string): ChildProcess {
  const args = ['agent', '-f', config, '--path.data', join(folder, 'data'), '-w', '2', '-b', '20'];
  const settings = ['--set', 'api.enabled=false', '--set', 'delivery.acknowledge=outputs', '--log.level', 'error'];
  const child = spawn(process.execPath, [shoalBinary, ...args, ...settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWithTests(child);
  return child;
}

test(`an agent whose inputs wait for its outputs loses nothing, killed ${KILLS} times`, async () => {
  const ports = { http: await freePort(), beats: await freePort() };
  const [input, output] = [join(folder, 'in.log'), join(folder, 'out.txt')];
  const config = join(folder, 'kills.conf');
  writeFileSync(
    config,
    `input {
       file { path => "${input}" start_position => "beginning" stat_interval => "5 ms" sincedb_write_interval => "20 ms"
              sincedb_path => "${join(folder, 'sincedb')}" }
       beats { host => "127.0.0.1" port => ${ports.beats} }
       http { host => "127.0.0.1" port => ${ports.http} }
     }
     filter { sleep { time => 0.005 every => 5 } }
     output { file { path => "${output}" codec => line { format => "%{message}" } } }`,
  );
  const seen = (): ReadonlySet<string> => new Set(existsSync(output) ? readFileSync(output, 'utf8').split('\n') : []);
  const sources = startSources(ports);
  for (let kill = 0; kill < KILLS; kill++) {
    const child = startAgent(config);
    const before = sources.told.length;
    while (sources.told.length === before && child.exitCode === null) await tick();
    await tick(random.below(LIFE_MS_MAX));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  const last = startAgent(config);
  const wanted = await sources.stop();
  const missing = (): readonly string[] => {
    const all = seen();
    return wanted.filter((message) => !all.has(message));
  };
  // The file is read to its end by the last one; what the others told is already there.
  expect(missing().filter((message) => !message.startsWith('file-'))).toEqual([]);
  while (missing().length > 0 && last.exitCode === null) await tick(50);
  expect(missing()).toEqual([]);
  expect(sources.told.length).toBeGreaterThan(KILLS);
  const ended = once(last, 'exit');
  last.kill('SIGTERM');
  await ended;
});
