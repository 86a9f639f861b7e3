/**
 * Durations as users write them in settings and requests: `30s`, `5m`, `100ms`; `-1` and `0` stand without a unit.
 *
 * Errors have Elasticsearch's type and text, since users search for them.
 */
import { illegalArgument } from '../errors/error-catalogue.ts';

const MS_OF_UNIT: readonly (readonly [string, number])[] = [
  // Longer suffixes first: `ms` before `s`, `micros` and `nanos` before both.
  ['nanos', 1e-6],
  ['micros', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
];

/**
 * Milliseconds of a duration; -1 for `-1`.
 *
 * @throws illegal_argument_exception for text that is none; `name` is the setting or parameter that it names
 */
export function parseTimeValue(text: string, name: string): number {
  const trimmed = text.trim().toLowerCase();
  if (/^-0*1$/.test(trimmed)) return -1;
  if (/^0+$/.test(trimmed)) return 0;
  const unit = MS_OF_UNIT.find(([suffix]) => trimmed.endsWith(suffix));
  // An upper-case M would be months elsewhere: only the lower-case letter is minutes.
  if (unit === undefined || (unit[0] === 'm' && !text.trim().endsWith('m'))) {
    throw illegalArgument(
      `failed to parse setting [${name}] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  return countOf(trimmed.slice(0, -unit[0].length).trim(), text, name) * unit[1];
}

function countOf(digits: string, text: string, name: string): number {
  if (/^\+?\d+$/.test(digits) && Number.isSafeInteger(Number(digits))) return Number(digits);
  if (/^-\d+$/.test(digits)) {
    if (Number(digits) >= -1) return Number(digits);
    throw illegalArgument(
      `failed to parse setting [${name}] with value [${text}] as a time value: negative durations are not supported`,
    );
  }
  if (/^[+-]?\d*\.\d+$/.test(digits)) {
    throw illegalArgument(`failed to parse [${text}], fractional time values are not supported`);
  }
  throw illegalArgument(`failed to parse setting [${name}] with value [${text}] as a time value`);
}
