/**
 * Loaded into the servers under measurement (`node --import`): how late the event loop of each of their threads was.
 *
 * At SIGUSR2 every thread appends one line to the file that SHOAL_BENCH_DELAYS names and begins anew. The platform measures
 * by a timer; its interval is taken off.
 */
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 5;
const NANOS_PER_MILLI = 1e6;
const file = process.env.SHOAL_BENCH_DELAYS;

if (file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const channel = new BroadcastChannel('shoal-bench-delays');
  channel.unref();
  const late = (nanos) => Math.max(0, nanos / NANOS_PER_MILLI - RESOLUTION_MS);
  const tell = () => {
    const line = {
      isMainThread,
      p50: late(delays.percentile(50)),
      p99: late(delays.percentile(99)),
      max: late(delays.max),
    };
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, ...line })}\n`);
    delays.reset();
  };
  channel.onmessage = tell;
  if (isMainThread) {
    process.on('SIGUSR2', () => {
      channel.postMessage('tell');
      tell();
    });
  }
}
