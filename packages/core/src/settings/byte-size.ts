/**
 * Sizes as users write them in settings and requests: `512mb`, `1.5gb`; `-1` and `0` stand without a unit.
 *
 * Errors have Elasticsearch's type and text, since users search for them.
 */
import { ShoalError } from '../errors/shoal-error.ts';

const KIB = 1024;
const BYTES_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['k', KIB],
  ['kb', KIB],
  ['m', KIB ** 2],
  ['mb', KIB ** 2],
  ['g', KIB ** 3],
  ['gb', KIB ** 3],
  ['t', KIB ** 4],
  ['tb', KIB ** 4],
  ['p', KIB ** 5],
  ['pb', KIB ** 5],
]);

/**
 * Bytes of a size; -1 for `-1`.
 *
 * @throws parse_exception for text that is none; `name` is the setting or parameter that it names
 */
export function parseByteSize(text: string, name: string): number {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '-1') return -1;
  if (trimmed === '0') return 0;
  const parts = /^(.*?)([a-z]*)$/.exec(trimmed);
  const unit = BYTES_OF_UNIT.get(parts?.[2] ?? '');
  if (unit === undefined) {
    throw parseException(
      `failed to parse setting [${name}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
    );
  }
  const digits = (parts?.[1] ?? '').trim();
  const bytes = Math.floor(Number(digits) * unit);
  if (!/^\d+(\.\d+)?$/.test(digits) || !Number.isSafeInteger(bytes)) {
    throw parseException(`failed to parse setting [${name}] with value [${text}] as a size in bytes`);
  }
  return bytes;
}

/** A size with one decimal in the largest unit that it fills, such as `1.5gb`; whole bytes below 1 KiB. */
export function renderByteSize(bytes: number): string {
  const units = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'];
  let power = 0;
  while (power < units.length - 1 && bytes >= KIB ** (power + 1)) power++;
  // Cut, not rounded: 1023.99kb is not yet 1024kb.
  const tenths = Math.floor((bytes / KIB ** power) * 10);
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)}${units[power]}`;
}

/** 400: text that is not in the form its setting wants. */
function parseException(reason: string): ShoalError {
  return new ShoalError('parse_exception', 400, reason);
}
