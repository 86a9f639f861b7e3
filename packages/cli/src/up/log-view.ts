/**
 * Log lines of several nodes for people: the nodes write JSON, a line a fact; here they are read on one screen.
 */
import pc from 'picocolors';

const LEVELS: ReadonlyMap<number, string> = new Map([
  [20, pc.gray('debug')],
  [30, pc.green('info ')],
  [40, pc.yellow('warn ')],
  [50, pc.red('error')],
  [60, pc.red('fatal')],
]);

/** Fields every line has, which the screen shows in its own way or not at all. */
const OWN_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'node', 'cluster', 'name']);

/** A line of `node` as shown; lines that are not JSON are shown as they are. */
export function viewLogLine(node: string, line: string): string {
  const entry = parseEntry(line);
  if (entry === null) return `${pc.cyan(node)} ${line}`;
  const fields = Object.entries(entry)
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => pc.gray(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`));
  const time = new Date(Number(entry.time)).toISOString().slice(11, 23);
  return [pc.gray(time), LEVELS.get(Number(entry.level)) ?? '', pc.cyan(node), String(entry.msg ?? ''), ...fields].join(
    ' ',
  );
}

/** Severity of a line as pino numbers it; lines that are not JSON count as warnings: something printed what it should not. */
export function logLevel(line: string): number {
  return Number(parseEntry(line)?.level ?? 40);
}

function parseEntry(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    return Number.isFinite(Number(value.time)) ? value : null;
  } catch {
    // A torn line of a node that was killed: shown as it is.
    return null;
  }
}
