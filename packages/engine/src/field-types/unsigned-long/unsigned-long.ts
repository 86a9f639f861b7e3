/**
 * `unsigned_long`: whole numbers from 0 to 2^64 - 1, exact in values, queries, sorting and answers. Aggregations compute with
 * doubles, as Elasticsearch's do.
 */
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import type { NumberBounds, RangeEnds } from '../contract/field-match.ts';
import type { FieldType, WholeRange } from '../contract/field-type.ts';
import { narrow } from '../number/number-ranges.ts';
import { wholeNumberType } from '../number/number-type.ts';
import { queryNumber } from '../number/query-number.ts';

const RANGE: WholeRange = { min: 0n, max: 2n ** 64n - 1n };

export const UNSIGNED_LONG: FieldType = {
  ...wholeNumberType(RANGE, RANGE),
  read: (_field, value) => (value === '' ? null : narrow(unsignedValue(value))),
  term: (_field, value) => {
    const { floor, isWhole } = exactNumber(value);
    if (!isWhole || floor < RANGE.min || floor > RANGE.max) return null;
    return { kind: 'numberRange', bounds: { from: narrow(floor), to: narrow(floor) } };
  },
  range: (_field, range) => ({ kind: 'numberRange', bounds: bounds(range) }),
};

/** Value of a document: a whole JSON number, or a text of digits. */
function unsignedValue(value: unknown): bigint {
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (typeof value === 'number' && !Number.isInteger(value)) throw illegalArgument(`For input string: [${value}].`);
    const whole = BigInt(value);
    if (whole >= RANGE.min && whole <= RANGE.max) return whole;
    throw illegalArgument(`Value [${value}] is out of range for unsigned long`);
  }
  const text = String(value);
  const whole = /^\+?\d{1,400}$/.test(text) ? BigInt(text.replace('+', '')) : -1n;
  if (whole >= RANGE.min && whole <= RANGE.max) return whole;
  throw illegalArgument(`For input string: "${text}"`);
}

/** Number of a request: the whole number at or below it. */
interface ExactNumber {
  readonly floor: bigint;
  readonly isWhole: boolean;
}

/** Texts without an exponent are read digit by digit, since doubles hold 53 bits of them only. */
function exactNumber(value: QueryValue): ExactNumber {
  const [, sign, whole, fraction = ''] = /^\s*([+-]?)(\d{1,400})(?:\.(\d*))?\s*$/.exec(String(value)) ?? [];
  if (whole !== undefined && typeof value !== 'number') {
    const isWhole = !/[1-9]/.test(fraction);
    const magnitude = BigInt(whole);
    if (sign !== '-') return { floor: magnitude, isWhole };
    return { floor: isWhole ? -magnitude : -magnitude - 1n, isWhole };
  }
  const number = queryNumber(value);
  if (typeof number === 'bigint') return { floor: number, isWhole: true };
  if (!Number.isFinite(number)) return { floor: number > 0 ? RANGE.max + 1n : -1n, isWhole: false };
  return { floor: BigInt(Math.floor(number)), isWhole: Number.isInteger(number) };
}

function bounds({ from, includesFrom, to, includesTo }: RangeEnds): NumberBounds {
  return {
    from: narrow(from === null ? RANGE.min : lowest(exactNumber(from), includesFrom)),
    to: narrow(to === null ? RANGE.max : highest(exactNumber(to), includesTo)),
  };
}

function lowest({ floor, isWhole }: ExactNumber, isIncluded: boolean): bigint {
  const least = isWhole && isIncluded ? floor : floor + 1n;
  return least < RANGE.min ? RANGE.min : least;
}

function highest({ floor, isWhole }: ExactNumber, isIncluded: boolean): bigint {
  const most = isWhole && !isIncluded ? floor - 1n : floor;
  return most > RANGE.max ? RANGE.max : most;
}
