/**
 * `date`: instants as a column of milliseconds since 1970 UTC, read and printed in a format, with date math in queries.
 */
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { dateFormatter, type FieldMapping, parseDateMath } from '@shoal/schema';
import type { NumberBounds, ValueRange } from '../contract/field-match.ts';
import { exactly } from '../contract/field-match.ts';
import { type FieldType, NO_PARTS, type RequestClock } from '../contract/field-type.ts';
import { LONG_RANGE } from '../number/number-ranges.ts';
import { queryNumber } from '../number/query-number.ts';

export const DATE: FieldType = {
  read: (field, value, dates) => {
    if (typeof value === 'boolean') {
      throw illegalArgument(`failed to parse date field [${value}] with format [${field.format}]`);
    }
    return dates(field.format).parseMs(typeof value === 'number' ? value : String(value));
  },
  check: () => {},
  parts: () => ({ ...NO_PARTS, numbers: 'long' }),
  textQueries: 'none',
  term: (field, value, clock) => ({ kind: 'numberRange', bounds: dateBounds(field, exactly(value), clock) }),
  range: (field, range, clock) => ({ kind: 'numberRange', bounds: dateBounds(field, range, clock) }),
  numbers: 'instant',
  hasColumn: true,
  takesDateFormat: true,
  sort: {
    column: 'numbers',
    reader: (format, clock) => {
      const options = { formatter: dateFormatter(format), clock, roundUp: false, timeZone: null };
      return (value) => (typeof value === 'string' ? parseDateMath(value, options) : queryNumber(value));
    },
    missing: queryNumber,
    shown: LONG_RANGE,
  },
  collapse: 'none',
  aggregation: {
    keyKind: 'long',
    encoding: 'utf8',
    takesPatterns: false,
    format: ({ dateFormat, timeZone }) => ({ kind: 'date', format: dateFormat, timeZone }),
    key: (value, { dateFormat, timeZone, clock }) => {
      if (typeof value !== 'string') return Number(queryNumber(value));
      return parseDateMath(value, { formatter: dateFormatter(dateFormat), clock, roundUp: false, timeZone });
    },
  },
  columnPrinter: (field, format) => {
    const formatter = dateFormatter(format ?? field.format);
    return { column: 'numbers', print: (ms) => formatter.print(Number(ms)) };
  },
  printer: (field, format, dates) => {
    const formatter = dates(format ?? field.format);
    return (ms) => formatter.print(Number(ms));
  },
};

/** Inclusive bounds of a range: rounding takes in what `gte` and `lte` name and leaves out what `gt` and `lt` name. */
function dateBounds(field: FieldMapping, range: ValueRange, clock: RequestClock): NumberBounds {
  const formatter = dateFormatter(range.format ?? field.format);
  const read = (value: QueryValue, roundUp: boolean) =>
    parseDateMath(typeof value === 'number' ? value : String(value), {
      formatter,
      clock,
      roundUp,
      timeZone: range.timeZone,
    });
  const { includesFrom, includesTo } = range;
  return {
    from: range.from === null ? Number.NEGATIVE_INFINITY : read(range.from, !includesFrom) + (includesFrom ? 0 : 1),
    to: range.to === null ? Number.POSITIVE_INFINITY : read(range.to, includesTo) - (includesTo ? 0 : 1),
  };
}
