/**
 * Memory of an agent: at rest, and over a run so long that a leak would show. And the time until its first event is out.
 */
import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { agentCommand, oneEventConfig, stdinConfig } from './job.mjs';
import { askJson, freePort, median, processFacts, startProcess } from './measured-process.mjs';

const STARTS = 5;
const REST_MS = [5_000, 30_000];
const SAMPLE_EVERY_MS = 100;
/** The heap finds its size in the first events: the slope is that of the rest. */
const WARM_UP_PART = 0.2;

export async function measureFirstEvent(folder) {
  const times = [];
  for (let n = 0; n < STARTS; n++) {
    const command = agentCommand(oneEventConfig(folder), { folder, workers: 1 });
    const { child, startedMs, ended } = startProcess(command, { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    times.push(performance.now() - startedMs);
    child.stdout.resume();
    await ended;
  }
  return `${Math.round(median(times))} ms (median of ${STARTS})`;
}

export async function measureIdle(folder) {
  const command = agentCommand(stdinConfig(folder), { folder, workers: 1 });
  const { child, ended } = startProcess(command, { stdio: ['pipe', 'ignore', 'inherit'] });
  const texts = [];
  let passedMs = 0;
  for (const restMs of REST_MS) {
    await wait(restMs - passedMs);
    passedMs = restMs;
    texts.push(`${Math.round(processFacts(child.pid).residentMb)} MB resident after ${restMs / 1000} s`);
  }
  child.stdin.end();
  await ended;
  return texts.join(', ');
}

/** The log on standard input, again and again. */
export async function measureMemory(folder, { file, events }) {
  const port = await freePort();
  const command = agentCommand(stdinConfig(folder), { folder, workers: 1, port });
  const { child, startedMs, ended } = startProcess(command, { stdio: ['pipe', 'ignore', 'inherit'] });
  const samples = [];
  const sampling = sample(child.pid, { port, events, samples });
  let isOver = false;
  const feeding = feedUntil(child.stdin, file, () => isOver);
  await sampling;
  isOver = true;
  await feeding;
  child.stdin.end();
  await ended;
  const seconds = (performance.now() - startedMs) / 1000;
  return [
    [
      `${events} events through stdin`,
      `${Math.round(seconds)} s, resident MB at each million: ${samples.map(({ mb }) => Math.round(mb)).join(' ')}`,
    ],
    [
      '  slope after the first fifth',
      `${slope(samples.slice(Math.ceil(samples.length * WARM_UP_PART))).toFixed(2)} MB a million events`,
    ],
  ];
}

async function feedUntil(stdin, file, isOver) {
  stdin.on('error', () => undefined);
  while (!isOver()) {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
      if (isOver()) return;
      if (!stdin.write(chunk)) await new Promise((resolve) => stdin.once('drain', resolve));
    }
  }
}

/** One sample a million events that are out. */
async function sample(pid, { port, events, samples }) {
  const step = Math.min(1_000_000, Math.ceil(events / 10));
  while (samples.length * step < events) {
    await wait(SAMPLE_EVERY_MS);
    const out = await askJson(port, '/_node/stats/events').then(
      (body) => body.events.out,
      () => 0,
    );
    const facts = processFacts(pid);
    if (facts === null) throw new Error('the agent ended');
    if (out >= (samples.length + 1) * step) samples.push({ millions: out / 1e6, mb: facts.residentMb });
  }
}

/** By least squares. */
function slope(samples) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ millions }) => millions)), mean(samples.map(({ mb }) => mb))];
  const across = samples.reduce((sum, { millions, mb }) => sum + (millions - x) * (mb - y), 0);
  return across / samples.reduce((sum, { millions }) => sum + (millions - x) ** 2, 0);
}
