/**
 * Times of requests, and what they cost the servers: percentiles, CPU time, and how they print.
 */
import { cpuMsOf } from './servers.mjs';

export function percentile(sorted, p) {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN;
}

export function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const [p50, p90, p99] = [50, 90, 99].map((p) => percentile(sorted, p));
  return { count: sorted.length, p50, p90, p99, max: sorted.at(-1) ?? Number.NaN };
}

/** Sends `send(i)` over and over from `clients` at once, for `seconds`; times in ms, and server CPU a request. */
export async function load(servers, { clients, seconds, send }) {
  const times = [];
  let next = 0;
  const cpuBefore = cpuMsOf(servers);
  const endMs = performance.now() + seconds * 1000;
  const client = async () => {
    do {
      const startedMs = performance.now();
      await send(next++);
      times.push(performance.now() - startedMs);
    } while (performance.now() < endMs);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { ...summary(times), cpuMs: (cpuMsOf(servers) - cpuBefore) / times.length };
}

/** Sends so many requests a second, each when its time has come, whatever became of those before. Times in ms. */
export async function steady({ perSecond, seconds, send }) {
  const times = [];
  const sent = [];
  const total = Math.round(perSecond * seconds);
  const beganMs = performance.now();
  for (let i = 0; i < total; i++) {
    const dueMs = beganMs + (i * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    // From when it was due: a late start is the driver's fault only where the server kept the driver waiting.
    sent.push(send(i).then(() => times.push(performance.now() - dueMs)));
  }
  await Promise.all(sent);
  return summary(times);
}

export const ms = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

export function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    const cells = row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])));
    process.stdout.write(`${cells.join('  ')}\n`);
  }
  process.stdout.write('\n');
}
