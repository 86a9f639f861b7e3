/**
 * The log of a program: one line a fact.
 */

export type LogFields = Readonly<Record<string, unknown>>;

/** One line a fact: lower case, no full stop, values as fields. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Log;
  /** Lines below it are not written; absent where nobody knows. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}
