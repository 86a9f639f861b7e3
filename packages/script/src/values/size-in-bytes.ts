/** Sizes in words (`1kb`) as numbers of bytes: what pipelines read them by. */
import { ShoalError } from '@shoal/core';

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['b', 1n],
  ['kb', 1024n],
  ['k', 1024n],
  ['mb', 1024n ** 2n],
  ['m', 1024n ** 2n],
  ['gb', 1024n ** 3n],
  ['g', 1024n ** 3n],
  ['tb', 1024n ** 4n],
  ['t', 1024n ** 4n],
  ['pb', 1024n ** 5n],
  ['p', 1024n ** 5n],
]);
const SIZE = /^(.*?)\s*([kmgtp]?b|[kmgtp])$/;
const LONG_MAX = 2n ** 63n - 1n;
const DIGITS_MAX = 19;

/** @throws ShoalError parse_exception for a text that is no size */
export function sizeInBytes(text: string): bigint {
  const lower = text.trim().toLowerCase();
  if (lower === '0') return 0n;
  if (lower === '-1') return -1n;
  const [, amount = '', unit = ''] = SIZE.exec(lower) ?? [];
  const factor = UNITS.get(unit);
  if (factor === undefined) throw refused(text, 'unit is missing or unrecognized');
  // A number of bytes without another unit is read as a long, and as nothing else.
  if (unit === 'b' && !isLong(amount)) throw notNumber(amount);
  if (/^\d+\.\d*$/.test(amount)) {
    const reason = `Failed to parse bytes value [${text}]. Fractional bytes values have been deprecated since Legacy 6.2. Use non-fractional bytes values instead: found for setting [Ingest Field]`;
    throw new ShoalError('parse_exception', 400, reason, {
      causedBy: notNumber(amount),
    });
  }
  if (!isLong(amount)) {
    throw new ShoalError('parse_exception', 400, `failed to parse [${text}]`, { causedBy: notNumber(amount) });
  }
  const bytes = BigInt(amount) * factor;
  if (bytes < -1n || (bytes < 0n && unit !== 'b')) throw refused(text, '');
  if (bytes > LONG_MAX) throw refused(text, 'more than a long can hold');
  return bytes;
}

function isLong(text: string): boolean {
  return /^-?\d+$/.test(text) && text.length <= DIGITS_MAX;
}

function notNumber(text: string): ShoalError {
  return new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}

function refused(text: string, why: string): ShoalError {
  const tail = why === '' ? '' : `: ${why}`;
  const reason = `failed to parse setting [Ingest Field] with value [${text}] as a size in bytes${tail}`;
  return new ShoalError('parse_exception', 400, reason);
}
