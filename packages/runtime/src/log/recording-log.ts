/**
 * A log that keeps its lines in memory: for tests that assert what was logged, and, with `createSilentLog`, for embedded
 * nodes whose owner wants none.
 */
import type { Log, LogFields } from '../interfaces/log.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

export interface RecordingLog extends Log {
  /** Oldest first; the oldest are dropped above `RECORDED_LINES_MAX`. Children record here too. */
  readonly lines: readonly LogLine[];
}

const RECORDED_LINES_MAX = 10_000;

export function createRecordingLog(): RecordingLog {
  const lines: LogLine[] = [];
  return { ...recordInto(lines, {}), lines };
}

/** Drops everything. */
export function createSilentLog(): Log {
  const nothing = (): void => undefined;
  const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => log };
  return log;
}

function recordInto(lines: LogLine[], base: LogFields): Log {
  const at =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void => {
      if (lines.length >= RECORDED_LINES_MAX) lines.shift();
      lines.push({ level, message, fields: { ...base, ...fields } });
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => recordInto(lines, { ...base, ...fields }),
  };
}
