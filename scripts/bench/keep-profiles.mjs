/**
 * Loaded into the servers under measurement (`node --import`): CPU profiles of each of their threads, one after the other, in the folder
 * that SHOAL_BENCH_PROFILES names.
 *
 * With `--cpu-prof` a thread that is ended leaves nothing behind: each profile is written while its thread runs.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

const EACH_MS = 10_000;
const folder = process.env.SHOAL_BENCH_PROFILES;
mkdirSync(folder, { recursive: true });
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
let number = 0;
setInterval(() => {
  const thread = isMainThread ? 'main' : `thread-${threadId}`;
  session.post('Profiler.stop', (error, { profile }) => {
    if (error) throw error;
    writeFileSync(join(folder, `${process.pid}-${thread}-${number++}.cpuprofile`), JSON.stringify(profile));
  });
  session.post('Profiler.start');
}, EACH_MS).unref();
