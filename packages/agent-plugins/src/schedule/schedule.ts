/**
 * When inputs that ask repeatedly do so: at an interval, by a cron line, once in or at a time.
 */

import { parseTimestamp } from '@shoal/agent-event';
import { optionError, parseDuration } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import { Cron } from 'croner';

/** Longest wait at once: timers of the platform end at 24 days. */
const WAIT_MS_MAX = 20 * 86_400_000;

export interface Schedule {
  /** Wall time of the next run after `afterMs`; null when there is none. `runs`: how often it ran so far. */
  next(afterMs: number, runs: number): number | null;
}

export function everySchedule(intervalMs: number): Schedule {
  return { next: (afterMs, runs) => (runs === 0 ? afterMs : afterMs + intervalMs) };
}

/** A cron line, with a time zone behind it when it names one: `0 * * * * Europe/Oslo`. */
export function cronSchedule(line: string): Schedule {
  const match = /^(.*\S)\s+([A-Za-z]+(?:\/[A-Za-z_+\-0-9/]+)?)$/.exec(line.trim());
  const [, pattern, zone] = match !== null && line.trim().split(/\s+/).length > 5 ? match : [null, line, undefined];
  try {
    const cron = new Cron(pattern ?? line, { paused: true, ...(zone === undefined ? {} : { timezone: zone }) });
    return { next: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() ?? null };
  } catch (error) {
    throw new ShoalError('illegal_argument_exception', 400, `the schedule [${line}] is no cron line: ${String(error)}`);
  }
}

/** `{ every => "5m" }`, `{ cron => "…" }`, `{ in => "10s" }` or `{ at => "2030-01-01T00:00:00Z" }`. */
export function hashSchedule(hash: ReadonlyMap<string, unknown>): Schedule {
  const [entry, ...others] = hash;
  if (entry === undefined || others.length > 0)
    throw optionError('[schedule] holds exactly one of cron, every, in, at');
  const [kind, value] = [entry[0], String(entry[1])];
  if (kind === 'cron') return cronSchedule(value);
  if (kind === 'every' || kind === 'in') {
    const ms = parseDuration(value);
    if (ms === null) throw optionError(`[schedule] cannot read [${value}]`);
    return kind === 'every' ? everySchedule(ms) : { next: (afterMs, runs) => (runs === 0 ? afterMs + ms : null) };
  }
  const time = kind === 'at' ? parseTimestamp(value) : null;
  if (time === null) throw optionError(`[schedule] cannot read [${kind} => ${value}]`);
  return { next: (_afterMs, runs) => (runs === 0 ? time.epochMs : null) };
}

interface Pausing {
  readonly isStopped: boolean;
  pause(ms: number): Promise<void>;
}

/** Runs until the schedule ends or the input is stopped. A run that takes too long delays the next, never overlaps it. */
export async function runScheduled(
  schedule: Schedule,
  clock: Clock,
  control: Pausing,
  run: () => Promise<void>,
): Promise<void> {
  for (let runs = 0; !control.isStopped; runs++) {
    const nextMs = schedule.next(clock.wallMs(), runs);
    if (nextMs === null) return;
    for (let waitMs = nextMs - clock.wallMs(); waitMs > 0 && !control.isStopped; waitMs = nextMs - clock.wallMs())
      await control.pause(Math.min(waitMs, WAIT_MS_MAX));
    if (!control.isStopped) await run();
  }
}
