/**
 * The log of a simulated world: the last lines of all its nodes, with their virtual times, for the report of a failure.
 */
import type { Log, LogFields } from '@shoal/runtime';

const LINES_MAX = 500;

export class WorldLog {
  readonly #lines: string[] = [];
  readonly #onLine: (line: string) => void;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  add(line: string): void {
    this.#onLine(line);
    this.#lines.push(line);
    if (this.#lines.length > LINES_MAX) this.#lines.shift();
  }
}

export function simulatedLog(
  world: WorldLog,
  source: { readonly node: string; nowMs(): number },
  base: LogFields = {},
): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      const all = { ...base, ...fields };
      const text = Object.keys(all).length === 0 ? '' : ` ${JSON.stringify(all)}`;
      world.add(`${source.nowMs().toFixed(1)} ${source.node} ${level} ${message}${text}`);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => simulatedLog(world, source, { ...base, ...fields }),
  };
}
