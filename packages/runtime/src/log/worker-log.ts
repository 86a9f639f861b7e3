/**
 * The log of a worker thread: lines travel to the thread that started it and are written there, in one order.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Log, LogFields } from '../interfaces/log.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Inside the worker. */
export function createPortLog(port: MessagePort, base: LogFields = {}): Log {
  const at =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void => {
      port.postMessage({ level, message, fields: cloneable({ ...base, ...fields }) });
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => createPortLog(port, { ...base, ...fields }),
  };
}

/** Outside: writes one line that came from a worker. */
export function writeWorkerLine(log: Log, line: unknown): void {
  const { level, message, fields } = line as { level: Level; message: string; fields: LogFields }; // Posted above.
  log[level](message, fields);
}

/** A value that cannot be cloned (a function, a socket) is logged as text rather than losing the line. */
function cloneable(fields: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const isPlain = value === null || (typeof value !== 'object' && typeof value !== 'function');
    out[name] = isPlain ? value : clonedOrText(value);
  }
  return out;
}

function clonedOrText(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return String(value); // Not cloneable: the text is all that can travel.
  }
}
