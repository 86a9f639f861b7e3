/**
 * A process from start to end: wall time, processor time and peak memory, as the kernel counts them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';

const LOOK_EVERY_MS = 20;
/** The routes that are asked in turn. */
const ROUTES = ['events', 'jvm', 'process', 'pipeline'].map((type) => `/_node/stats/${type}`);

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export const shellCommand = (text) => ['sh', '-c', `exec ${text}`];

/** null when the process is gone. */
export function processFacts(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
    // Fields 14 and 15 of stat: user and system time in ticks of 10 ms.
    return {
      residentMb: megabytes('VmRSS'),
      peakMb: megabytes('VmHWM'),
      cpuMs: (Number(stat[11]) + Number(stat[12])) * 10,
    };
  } catch {
    return null;
  }
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** On one core: the last, where the kernel puts least of its own; the asker is not there. */
function pinned(command, cores) {
  if (cores !== 1) return command;
  try {
    const count = Number(execFileSync('nproc', { encoding: 'utf8' }));
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return ['taskset', '-c', String(count - 1), ...command];
  } catch {
    process.stderr.write('without taskset a process cannot be kept on one core\n');
    return command;
  }
}

export function startProcess(command, { cores, stdio = ['ignore', 'ignore', 'inherit'] }) {
  const [program, ...args] = pinned(command, cores);
  const startedMs = performance.now();
  const child = spawn(program, args, { stdio });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0 || child.killed) resolve(performance.now() - startedMs);
      else reject(new Error(`${command.join(' ')} ended with status ${status}`));
    });
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  return { child, startedMs, ended };
}

/** @param askEveryMs asks the agent's API so often while it runs */
export async function runToEnd(command, { cores, askEveryMs }) {
  const port = askEveryMs === undefined ? null : await freePort();
  const whole = port === null ? command : [...command, '--api.http.port', String(port)];
  const { child, ended } = startProcess(whole, { cores });
  let last = { peakMb: 0, cpuMs: 0 };
  const look = setInterval(() => {
    const facts = processFacts(child.pid);
    if (facts !== null && facts.cpuMs > 0 && !Number.isNaN(facts.peakMb)) last = facts;
  }, LOOK_EVERY_MS);
  const stopAsking = port === null ? () => {} : ask(port, askEveryMs);
  try {
    const wallMs = await ended;
    return { wallMs, cpuMs: last.cpuMs, peakMb: last.peakMb };
  } finally {
    clearInterval(look);
    stopAsking();
  }
}

function ask(port, everyMs) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let asked = 0;
  let answered = 0;
  const timer = setInterval(() => {
    const request = get({ port, host: '127.0.0.1', path: ROUTES[asked++ % ROUTES.length], agent }, (response) => {
      response.on('end', () => answered++).resume();
    });
    // Before the agent listens, and when it has ended.
    request.on('error', () => undefined);
  }, everyMs);
  return () => {
    clearInterval(timer);
    agent.destroy();
    process.stderr.write(`  ${answered} of ${asked} requests answered\n`);
  };
}

export async function askText(port, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.text();
}

export async function askJson(port, path) {
  return JSON.parse(await askText(port, path));
}
