/**
 * Values of settings as users write them: durations (`30s`), sizes (`512mb`), booleans.
 *
 * Each reader returns null for text that is none; the caller knows the setting and words the error.
 */

const DURATION_UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['nanos', 1e-6],
  ['micros', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const BYTE_UNITS: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['k', 1024],
  ['kb', 1024],
  ['m', 1024 ** 2],
  ['mb', 1024 ** 2],
  ['g', 1024 ** 3],
  ['gb', 1024 ** 3],
  ['t', 1024 ** 4],
  ['tb', 1024 ** 4],
  ['p', 1024 ** 5],
  ['pb', 1024 ** 5],
]);

/** Milliseconds; -1 and 0 stand without a unit. */
export function parseDurationMs(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '-1') return -1;
  if (trimmed === '0') return 0;
  const match = /^(\d+)(nanos|micros|ms|s|m|h|d)$/.exec(trimmed);
  const unit = DURATION_UNIT_MS.get(match?.[2] ?? '');
  return match === null || unit === undefined ? null : Number(match[1]) * unit;
}

/** Bytes; -1 and 0 stand without a unit. */
export function parseBytes(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '-1') return -1;
  if (trimmed === '0') return 0;
  const match = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(trimmed);
  const unit = BYTE_UNITS.get(match?.[2] ?? '');
  return match === null || unit === undefined ? null : Math.floor(Number(match[1]) * unit);
}

export function parseBoolean(text: string): boolean | null {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return null;
}
