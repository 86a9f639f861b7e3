/**
 * A JSON line of the log as people read it: time, level, message, and what else it says as `name=value`.
 */
const OWN_FIELDS = new Set(['log.level', '@timestamp', 'message']);
const LEVEL_WIDTH = 5;

/** With its line end; a line that is no JSON stays as it is. */
export function plainLogLine(json: string): string {
  let entry: Readonly<Record<string, unknown>>;
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== 'object' || parsed === null) return json;
    entry = { ...parsed };
  } catch {
    return json;
  }
  const fields = Object.entries(entry)
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(
      ([name, value]) =>
        ` ${name}=${typeof value === 'string' && !/[\s"]/.test(value) ? value : JSON.stringify(value)}`,
    );
  const time = String(entry['@timestamp']).replace(/Z$/, '');
  const level = String(entry['log.level']).toUpperCase().padEnd(LEVEL_WIDTH);
  return `[${time}][${level}] ${String(entry.message ?? '')}${fields.join('')}\n`;
}
