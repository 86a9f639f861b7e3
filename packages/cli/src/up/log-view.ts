/**
 * Log lines of several nodes for people: the nodes write JSON, a line a fact; here they are read on one screen.
 */
import pc from 'picocolors';

const SEVERITY: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };
/** Lines that are no JSON: something printed what it should not have. */
const UNKNOWN_SEVERITY = 40;

const COLOURS: Readonly<Record<string, (text: string) => string>> = {
  debug: pc.gray,
  info: pc.green,
  warn: pc.yellow,
  error: pc.red,
  fatal: pc.red,
};

/** Fields every line has, which the screen shows in its own way or not at all. */
const OWN_FIELDS = new Set(['log.level', '@timestamp', 'message', 'node']);

/** A line of `node` as shown; lines that are not JSON are shown as they are. */
export function viewLogLine(node: string, line: string): string {
  const entry = parseEntry(line);
  if (entry === null) return `${pc.cyan(node)} ${line}`;
  const level = String(entry['log.level']);
  const fields = Object.entries(entry)
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => pc.gray(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`));
  const time = String(entry['@timestamp']).slice(11, 23);
  const colour = COLOURS[level] ?? String;
  return [pc.gray(time), colour(level.padEnd(5)), pc.cyan(node), String(entry.message ?? ''), ...fields].join(' ');
}

/** How grave a line is, 20 (debug) to 60 (fatal). */
export function logSeverity(line: string): number {
  return SEVERITY[String(parseEntry(line)?.['log.level'])] ?? UNKNOWN_SEVERITY;
}

function parseEntry(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    return typeof value['log.level'] === 'string' ? value : null;
  } catch {
    // A torn line of a node that was killed: shown as it is.
    return null;
  }
}
