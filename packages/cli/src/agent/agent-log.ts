/**
 * The log of an agent: stderr, and a file below `path.logs` if that is set; as JSON or as lines for people.
 */
import { createPinoLog, type Log, type LogLevel } from '@shoal/runtime';
import type { FlatSettings } from '../options/setting-sources.ts';
import { LogFile } from './log-file.ts';
import { plainLogLine } from './plain-log-line.ts';

/** Levels by the names that Logstash knows, which are more than are told apart here. */
const LEVELS: Readonly<Record<string, LogLevel>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  fatal: 'error',
  silent: 'silent',
};
const FORMATS: readonly string[] = ['json', 'plain'];

export interface AgentLog {
  readonly log: Log;
  /** Writes to a new file of the same name: what rotates logs has moved the old one. */
  reopen(): void;
}

export function openAgentLog(settings: FlatSettings): AgentLog {
  const level = LEVELS[settings['log.level'] ?? 'info'];
  if (level === undefined)
    throw new Error(`log.level is one of ${Object.keys(LEVELS).join(', ')}, found [${settings['log.level']}]`);
  const format = settings['log.format'] ?? 'json';
  if (!FORMATS.includes(format)) throw new Error(`log.format is one of ${FORMATS.join(', ')}, found [${format}]`);
  const folder = settings['path.logs'] ?? '';
  if (format === 'json' && folder === '') {
    return { log: createPinoLog({ level, destination: 'stderr' }), reopen: () => {} };
  }
  const file = folder === '' ? null : new LogFile(folder, `shoal-agent-${format}.log`);
  const write = (json: string): void => {
    const line = format === 'plain' ? plainLogLine(json) : json;
    process.stderr.write(line);
    file?.write(line);
  };
  return { log: createPinoLog({ level, destination: { write } }), reopen: () => file?.reopen() };
}
