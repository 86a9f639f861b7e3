/**
 * Levels of slow logs: from which duration on an operation is written to the log, and how loud.
 */
import type { Log, LogFields } from '@shoal/runtime';
import { parseDurationMs } from '@shoal/schema';

/** Loudest first: a duration is logged once, under the first threshold that it reaches. */
const LEVELS = ['warn', 'info', 'debug', 'trace'] as const;

export type SlowLevel = (typeof LEVELS)[number];

/** Thresholds of one sort of operation; null when none is set. */
export type SlowThresholds = readonly { readonly level: SlowLevel; readonly ms: number }[] | null;

/** @param prefix such as `index.search.slowlog.threshold.query` */
export function slowThresholds(settings: Readonly<Record<string, string>>, prefix: string): SlowThresholds {
  const found = LEVELS.flatMap((level) => {
    const text = settings[`${prefix}.${level}`];
    const ms = text === undefined ? null : parseDurationMs(text);
    return ms === null || ms < 0 ? [] : [{ level, ms }];
  });
  return found.length === 0 ? null : found;
}

/** Level at which an operation of this duration is logged; null: it was fast. */
export function slowLevel(thresholds: SlowThresholds, tookMs: number): SlowLevel | null {
  return thresholds?.find(({ ms }) => tookMs >= ms)?.level ?? null;
}

/**
 * Writes one slow operation. Whoever sets a threshold wants its lines, so that the levels below `info`, which the log of a
 * node leaves out, are written as `info`; the field `slowlog.level` has the level of the threshold.
 */
export function writeSlow(log: Log, level: SlowLevel, message: string, fields: LogFields): void {
  const line = { 'slowlog.level': level, ...fields };
  if (level === 'warn') log.warn(message, line);
  else log.info(message, line);
}
