/**
 * `date_nanos`: instants as a column of nanoseconds since 1970 UTC. Queries and sorting are exact; aggregations and scores read
 * milliseconds, as Elasticsearch's do.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { dateFormatter, type FieldMapping, parseDateMathNanos, printIso } from '@shoal/schema';
import { exactly, type NumberBounds, type ValueRange } from '../contract/field-match.ts';
import type { FieldType, RequestClock, WholeRange } from '../contract/field-type.ts';
import { DATE } from '../date/date.ts';
import { LONG_RANGE, narrow } from '../number/number-ranges.ts';
import { queryNumber } from '../number/query-number.ts';

const RANGE: WholeRange = { min: 0n, max: LONG_RANGE.max };
const MS_NANOS = 1_000_000n;
const SECOND_NANOS = 1_000_000_000n;

export const DATE_NANOS: FieldType = {
  ...DATE,
  holdsNanos: true,
  read: (field, value, dates) => {
    if (typeof value === 'boolean') {
      throw illegalArgument(`failed to parse date field [${value}] with format [${field.format}]`);
    }
    return narrow(inRange(dates(field.format).parseNanos(typeof value === 'number' ? value : String(value))));
  },
  term: (field, value, clock) => ({ kind: 'numberRange', bounds: nanoBounds(field, exactly(value), clock) }),
  range: (field, range, clock) => ({ kind: 'numberRange', bounds: nanoBounds(field, range, clock) }),
  sort: {
    column: 'numbers',
    reader: (format, clock) => {
      const options = { formatter: dateFormatter(format), clock, roundUp: false, timeZone: null };
      return (value) => (typeof value === 'string' ? narrow(parseDateMathNanos(value, options)) : queryNumber(value));
    },
    missing: queryNumber,
    shown: LONG_RANGE,
  },
  columnPrinter: (field, format) => {
    const formatter = dateFormatter(format ?? field.format);
    return { column: 'numbers', print: (nanos) => formatter.printNanos(BigInt(nanos)) };
  },
  printer: (field, format, dates) => {
    const formatter = dates(format ?? field.format);
    return (nanos) => {
      assert(typeof nanos === 'number' || typeof nanos === 'bigint', `${typeof nanos} in a field of instants`);
      return formatter.printNanos(BigInt(nanos));
    };
  },
};

/** @throws ShoalError for an instant that 64 bits of nanoseconds do not hold */
function inRange(nanos: bigint): bigint {
  if (nanos < RANGE.min) {
    throw illegalArgument(
      `date[${instantText(nanos)}] is before the epoch in 1970 and cannot be stored in nanosecond resolution`,
    );
  }
  if (nanos > RANGE.max) {
    throw illegalArgument(
      `date[${instantText(nanos)}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution`,
    );
  }
  return nanos;
}

/** Instant as Java prints it: no fraction, or one of three, six or nine digits. */
function instantText(nanos: bigint): string {
  const rest = ((nanos % SECOND_NANOS) + SECOND_NANOS) % SECOND_NANOS;
  const whole = printIso(Number((nanos - rest) / MS_NANOS)).slice(0, -'.000Z'.length);
  const digits = String(rest).padStart(9, '0');
  return `${whole}${rest === 0n ? '' : `.${digits.replace(/(?:000){1,2}$/, '')}`}Z`;
}

/** Inclusive bounds of a range: rounding takes in what `gte` and `lte` name and leaves out what `gt` and `lt` name. */
function nanoBounds(field: FieldMapping, range: ValueRange, clock: RequestClock): NumberBounds {
  const { timeZone, includesFrom, includesTo } = range;
  const formatter = dateFormatter(range.format ?? field.format);
  const read = (value: QueryValue, roundUp: boolean): bigint => {
    const options = { formatter, clock, roundUp, timeZone };
    return inRange(parseDateMathNanos(typeof value === 'number' ? value : String(value), options));
  };
  const from = range.from === null ? RANGE.min : read(range.from, !includesFrom) + (includesFrom ? 0n : 1n);
  const to = range.to === null ? RANGE.max : read(range.to, includesTo) - (includesTo ? 0n : 1n);
  return { from: narrow(from), to: narrow(to) };
}
