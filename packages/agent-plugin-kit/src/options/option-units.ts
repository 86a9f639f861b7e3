/**
 * Sizes and durations as options of plugins have them. The settings file reads sizes by other rules: there `64mb` is 1024².
 */

const DECIMAL = 1000;
const BINARY = 1024;
const PREFIXES = ['', 'k', 'm', 'g', 't', 'p', 'e'];

/** `10`, `"10 mb"` (10⁷), `"10MiB"` (10·2²⁰): bytes; null for text that is none. */
export function parseBytes(text: string): number | null {
  const parts = /^\s*(\d+(?:\.\d+)?)\s*([kmgtpe]?)(i?)b?\s*$/i.exec(text);
  if (parts === null) return null;
  const [, digits = '', prefix = '', binary = ''] = parts;
  const power = PREFIXES.indexOf(prefix.toLowerCase());
  if (power < 0) return null;
  const bytes = Math.floor(Number(digits) * (binary === '' ? DECIMAL : BINARY) ** power);
  return Number.isSafeInteger(bytes) ? bytes : null;
}

const SECOND_MS = 1000;
const MS_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ...['us', 'usec', 'usecs', 'micro', 'microsecond', 'microseconds'].map((name) => [name, 0.001] as const),
  ...['ms', 'msec', 'msecs', 'milli', 'millisecond', 'milliseconds'].map((name) => [name, 1] as const),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((name) => [name, SECOND_MS] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((name) => [name, 60 * SECOND_MS] as const),
  ...['h', 'hour', 'hours'].map((name) => [name, 3_600 * SECOND_MS] as const),
  ...['d', 'day', 'days'].map((name) => [name, 86_400 * SECOND_MS] as const),
  ...['w', 'week', 'weeks'].map((name) => [name, 7 * 86_400 * SECOND_MS] as const),
]);

/**
 * `"100 ms"`, `"5 days"`: milliseconds; null for text that is none.
 *
 * @param bareUnit what a number without a unit counts
 */
export function parseDuration(text: string, bareUnit: 'seconds' | 'days' = 'seconds'): number | null {
  const parts = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const unit = parts === null ? undefined : MS_OF_UNIT.get(parts[2]?.toLowerCase() || bareUnit);
  return unit === undefined ? null : Number(parts?.[1]) * unit;
}
