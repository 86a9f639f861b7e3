/**
 * The log as JSON lines with the field names of the Elastic Common Schema (`@timestamp`, `log.level`, `message`).
 *
 * Written synchronously: the last lines before a crash are the ones that matter.
 */
import { destination as fileDestination, type Logger, pino, stdSerializers } from 'pino';
import type { Log, LogFields } from '../interfaces/log.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface PinoLogOptions {
  readonly level: LogLevel;
  /** Default `stdout`. A stream gets one line a call. */
  readonly destination?: 'stdout' | 'stderr' | { write(line: string): unknown };
  /** Fields of every line, such as the name of the node. */
  readonly fields?: LogFields;
}

const STDOUT_DESCRIPTOR = 1;
const STDERR_DESCRIPTOR = 2;

export function createPinoLog(options: PinoLogOptions): Log {
  const logger = pino(
    {
      level: options.level,
      base: { ...options.fields },
      messageKey: 'message',
      timestamp: () => `,"@timestamp":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ 'log.level': label }) },
      serializers: { error: stdSerializers.err, err: stdSerializers.err, cause: stdSerializers.err },
    },
    output(options.destination ?? 'stdout'),
  );
  return wrap(logger, options.level);
}

function output(destination: 'stdout' | 'stderr' | { write(line: string): unknown }): { write(line: string): void } {
  if (typeof destination !== 'string') return { write: (line) => void destination.write(line) };
  const dest = destination === 'stdout' ? STDOUT_DESCRIPTOR : STDERR_DESCRIPTOR;
  return fileDestination({ dest, sync: true });
}

function wrap(logger: Logger, level: LogLevel): Log {
  return {
    level,
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
    child: (fields) => wrap(logger.child(fields), level),
  };
}
