/**
 * `boolean`: terms `T` and `F`, and a column of ones and zeros.
 */
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { asIndexed, checkIndexed, checkNoFormat, type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { encodeTerm } from '../contract/term-bytes.ts';
import { LONG_RANGE } from '../number/number-ranges.ts';
import { queryNumber } from '../number/query-number.ts';

export const BOOLEAN: FieldType = {
  read: (_field, value) => {
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false' || value === '') return false;
    throw illegalArgument(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`);
  },
  check: () => {},
  parts: ({ isIndexed }) => ({
    ...NO_PARTS,
    terms: isIndexed ? { encoding: 'utf8', hasFreqs: false, hasPositions: false, hasPostings: true } : null,
    numbers: 'long',
  }),
  textQueries: 'none',
  term: (field, value) => {
    checkIndexed(field);
    return { kind: 'term', term: flagTerm(value) };
  },
  range: (field, { from, includesFrom, to, includesTo }) => {
    checkIndexed(field);
    const term = (value: QueryValue) => (value === null ? null : flagTerm(value));
    return { kind: 'termRange', bounds: { from: term(from), includesFrom, to: term(to), includesTo } };
  },
  numbers: 'flag',
  hasColumn: true,
  takesDateFormat: false,
  sort: {
    column: 'numbers',
    reader: () => (value) => (typeof value === 'boolean' ? Number(value) : queryNumber(value)),
    missing: (value) => (value === true || value === 'true' ? 1 : 0),
    shown: LONG_RANGE,
  },
  collapse: 'none',
  aggregation: {
    keyKind: 'long',
    encoding: 'utf8',
    takesPatterns: false,
    format: () => ({ kind: 'boolean' }),
    key: flagKey,
  },
  columnPrinter: (field, format) => {
    checkNoFormat(field, format);
    return { column: 'numbers', print: (value) => Number(value) !== 0 };
  },
  printer: asIndexed,
};

/** Number of a value that stands in a request: a word, never 0 or 1. */
function flagKey(value: QueryValue): number {
  if (value === true || value === 'true') return 1;
  if (value === false || value === 'false') return 0;
  throw illegalArgument(`Cannot parse boolean [${String(value)}], expected either [true] or [false]`);
}

function flagTerm(value: QueryValue): Uint8Array {
  if (value === true || value === 'true') return encodeTerm('T', 'utf8');
  if (value === false || value === 'false' || value === '') return encodeTerm('F', 'utf8');
  throw illegalArgument(`Can't parse boolean value [${String(value)}], expected [true] or [false]`);
}
