/**
 * Number types: what all of them have in common, whole numbers of a range, and floating point numbers of a width.
 */
import { PLAIN_FORMAT, printDecimal } from '@shoal/aggregations';
import { asInteger, DoubleNumber, FloatNumber } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { asIndexed, type FieldType, NO_PARTS, type WholeRange } from '../contract/field-type.ts';
import { roundHalf } from './half-float.ts';
import { type FractionWidth, fractionBounds, wholeBounds } from './number-bounds.ts';
import { LONG_RANGE } from './number-ranges.ts';
import { checkFinite, fractionValue, wholeValue } from './number-value.ts';
import { queryNumber } from './query-number.ts';

/** Members that do not depend on the width of the number. */
type CommonMembers = Pick<
  FieldType,
  'check' | 'textQueries' | 'numbers' | 'hasColumn' | 'takesDateFormat' | 'collapse' | 'printer'
>;

const COMMON: CommonMembers = {
  check: () => {},
  textQueries: 'none',
  numbers: 'quantity',
  hasColumn: true,
  takesDateFormat: false,
  collapse: 'numbers',
  printer: asIndexed,
};

const AGGREGATION: Omit<FieldType['aggregation'], 'keyKind'> = {
  encoding: 'utf8',
  takesPatterns: false,
  format: ({ pattern }) => (pattern === null ? PLAIN_FORMAT : { kind: 'decimal', pattern }),
  key: (value) => Number(queryNumber(value)),
};

/** Key of a bucket as a collector makes it: a bigint only where a double would not hold it exactly. */
function wholeKey(value: QueryValue): number | bigint {
  const number = queryNumber(value);
  return asInteger(number);
}

/** Value of a sort on whole numbers: a fraction is cut off, infinity becomes an end of the range. */
function wholeSortValue(value: QueryValue, range: WholeRange): number | bigint {
  const number = queryNumber(value);
  if (typeof number === 'bigint') return number;
  if (Number.isFinite(number)) return Math.trunc(number);
  return number > 0 ? range.max : range.min;
}

/** Value of a sort on floating point numbers: also the texts shown for documents that have none. */
function fractionSortValue(value: QueryValue): number {
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  return value === '-Infinity' ? Number.NEGATIVE_INFINITY : Number(queryNumber(value));
}

/** Whole numbers of a range; `queried`: the range that open ends of queries and missing values stand for. */
export function wholeNumberType(range: WholeRange, queried: WholeRange = LONG_RANGE): FieldType {
  const sortValue = (value: QueryValue): number | bigint => wholeSortValue(value, queried);
  return {
    ...COMMON,
    read: (field, value) => {
      if (range === LONG_RANGE && typeof value === 'number' && Number.isSafeInteger(value)) return value;
      return wholeValue(field, value, range);
    },
    parts: () => ({ ...NO_PARTS, numbers: 'long' }),
    term: (_field, value) => {
      const number = queryNumber(value);
      if (typeof number === 'number' && !Number.isInteger(number)) return null;
      return { kind: 'numberRange', bounds: { from: number, to: number } };
    },
    range: (_field, range) => ({ kind: 'numberRange', bounds: wholeBounds(queried, range) }),
    sort: { column: 'numbers', reader: () => sortValue, missing: sortValue, shown: queried },
    aggregation: { ...AGGREGATION, keyKind: 'long', key: wholeKey },
    columnPrinter: (_field, format) => ({
      column: 'numbers',
      print: format === null ? (value) => value : (value) => printDecimal(Number(value), format),
    }),
  };
}

/** `round`: to a value that is indexed; `widen`: to one that sorts beside them; `shown`: as numbers of that width. */
const WIDTHS: Readonly<
  Record<
    FractionWidth,
    {
      readonly round: (value: number) => number;
      readonly widen: (value: number) => number;
      readonly shown: 'float' | 'double';
    }
  >
> = {
  half: { round: roundHalf, widen: Math.fround, shown: 'float' },
  float: { round: Math.fround, widen: Math.fround, shown: 'float' },
  double: { round: Number, widen: Number, shown: 'double' },
};

/** Floating point numbers of a width. */
export function fractionType(width: FractionWidth): FieldType {
  const { round, widen, shown } = WIDTHS[width];
  const Shown = shown === 'float' ? FloatNumber : DoubleNumber;
  const sortValue = (value: QueryValue): number => widen(fractionSortValue(value));
  return {
    ...COMMON,
    read: (field, value) => fractionValue(field, value, round),
    parts: () => ({ ...NO_PARTS, numbers: 'double' }),
    term: (field, value) => {
      const given = Number(queryNumber(value));
      const exact = round(given);
      checkFinite(field, exact, given);
      return { kind: 'numberRange', bounds: { from: exact, to: exact } };
    },
    range: (_field, range) => ({ kind: 'numberRange', bounds: fractionBounds(width, range) }),
    sort: { column: 'numbers', reader: () => sortValue, missing: sortValue, shown },
    aggregation: { ...AGGREGATION, keyKind: 'double' },
    columnPrinter: (_field, format) => ({
      column: 'numbers',
      print:
        format === null ? (value) => new DoubleNumber(Number(value)) : (value) => printDecimal(Number(value), format),
    }),
    printer: () => (value) => new Shown(Number(value)),
  };
}
