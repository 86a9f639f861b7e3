/**
 * The threads of this process as Linux counts them, with the processor time that each has used. It works for threads that
 * answer nothing, since the kernel is asked and not they.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { ThreadSample, ThreadSamples } from '../interfaces/machine.ts';

export const THREADS_FOLDER = '/proc/self/task';

const NANOS_PER_MILLI = 1e6;
/** Ticks of `stat`, as every Linux of today reports them. */
const TICK_MS = 10;
/** Fields of `stat` behind the name, from 0. */
const USER_TICKS_FIELD = 11;
const SYSTEM_TICKS_FIELD = 12;

export function threadSamples(): ThreadSamples {
  const threads: ThreadSample[] = [];
  for (const entry of readdirSync(THREADS_FOLDER)) {
    try {
      const folder = `${THREADS_FOLDER}/${entry}`;
      const name = readFileSync(`${folder}/comm`, 'utf8').trim();
      threads.push({ id: Number(entry), name, cpuMs: cpuMsOf(folder) });
    } catch {
      // It ended since the folder was listed.
    }
  }
  return { ownId: Number(basename(readlinkSync('/proc/thread-self'))), threads };
}

function cpuMsOf(folder: string): number {
  const nanos = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
  if (nanos > 0) return nanos / NANOS_PER_MILLI;
  // A kernel without scheduler statistics: coarser.
  const stat = readFileSync(`${folder}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TICKS_FIELD]) + Number(fields[SYSTEM_TICKS_FIELD])) * TICK_MS;
}
