/**
 * The servers under measurement: started with `shoal up` in processes of their own, and what /proc says of them.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { root } from '../built.mjs';

export const shoal = join(root, 'packages/cli/bin/shoal.js');
/** For threads that are busy to tell their delays. */
const TELL_MS = 300;

const running = new Set();
const folder = mkdtempSync(join(tmpdir(), 'shoal-bench-'));
const delaysFile = join(folder, 'delays.ndjson');
writeFileSync(delaysFile, '');
// A benchmark that fails leaves nothing behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** `http`, `pids` by node, `readyMs`, and `end`. */
export function startServers(args) {
  const startedMs = performance.now();
  const hook = pathToFileURL(join(root, 'scripts/bench/loop-delay.mjs')).href;
  const env = {
    ...process.env,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${hook}`,
    SHOAL_BENCH_DELAYS: delaysFile,
  };
  const ports = ['--http-port', '0', '--transport-port', '0'];
  const child = spawn(process.execPath, [shoal, 'up', '--json', '--ephemeral', ...ports, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  running.add(child);
  return new Promise((resolve, reject) => {
    child.once('close', () => running.delete(child));
    child.once('close', (status) => reject(new Error(`shoal up ended with status ${status}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = JSON.parse(line);
      const end = () => new Promise((done) => child.once('close', done) && child.kill('SIGTERM'));
      if (ready.event === 'ready') resolve({ ...ready, readyMs: performance.now() - startedMs, end });
    });
  });
}

/** Resident memory and CPU time of a process. */
export function processFacts(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  // Fields 14 and 15 of stat: user and system time in ticks of 10 ms.
  return {
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024,
    cpuMs: (Number(stat[11]) + Number(stat[12])) * 10,
  };
}

export function cpuMsOf({ pids }) {
  return Object.values(pids).reduce((sum, pid) => sum + processFacts(pid).cpuMs, 0);
}

export function residentMbOf({ pids }) {
  return Object.values(pids).reduce((sum, pid) => sum + processFacts(pid).residentMb, 0);
}

/** How late event loops were since the last call: the worst of the main threads, and of the others. In milliseconds. */
export async function loopDelays({ pids }) {
  writeFileSync(delaysFile, '');
  for (const pid of Object.values(pids)) process.kill(pid, 'SIGUSR2');
  await sleep(TELL_MS);
  const lines = readFileSync(delaysFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const worst = (isMainThread) => {
    const own = lines.filter((line) => line.isMainThread === isMainThread);
    return {
      p99: Math.max(0, ...own.map(({ p99 }) => p99)),
      max: Math.max(0, ...own.map(({ max }) => max)),
    };
  };
  return { main: worst(true), workers: worst(false) };
}

/** One client with connections that stay open. */
export class Client {
  #agent = new Agent({ keepAlive: true });
  #url;

  constructor({ http }) {
    this.#url = new URL(http[0]);
  }

  /** The text of a good answer. */
  send(method, path, body, type = 'application/json') {
    const text = body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
    const bytes = text === undefined ? undefined : Buffer.from(text);
    const headers = bytes === undefined ? {} : { 'content-type': type, 'content-length': bytes.length };
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url;
      const sent = httpRequest({ hostname, port, method, path, headers, agent: this.#agent }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8');
          if (response.statusCode < 300) resolve(answer);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer.slice(0, 300)}`));
        });
      });
      sent.on('error', reject);
      sent.end(bytes);
    });
  }

  search(index, body) {
    return this.send('POST', `/${index}/_search?request_cache=false`, body);
  }

  close() {
    this.#agent.destroy();
  }
}
