/**
 * `text`: analyzed words with frequencies and positions. It writes no column; `fielddata` makes one of the postings.
 */
import { PLAIN_FORMAT } from '@shoal/aggregations';
import { asIndexed, checkIndexed, checkNoFormat, type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { decodeTerm, encodeTerm } from '../contract/term-bytes.ts';

export const TEXT: FieldType = {
  read: (_field, value) => String(value),
  check: () => {},
  parts: ({ isIndexed, hasFreqs, hasPositions }) =>
    isIndexed
      ? { ...NO_PARTS, terms: { encoding: 'utf8', hasFreqs, hasPositions, hasPostings: true }, isAnalyzed: true }
      : NO_PARTS,
  textQueries: 'words',
  term: (field, value) => {
    checkIndexed(field);
    return { kind: 'term', term: encodeTerm(String(value), 'utf8') };
  },
  range: (field, { from, includesFrom, to, includesTo }) => {
    checkIndexed(field);
    const term = (value: typeof from) => (value === null ? null : encodeTerm(String(value), 'utf8'));
    return { kind: 'termRange', bounds: { from: term(from), includesFrom, to: term(to), includesTo } };
  },
  numbers: null,
  hasColumn: false,
  takesDateFormat: false,
  sort: { column: 'terms', term: (value) => encodeTerm(String(value), 'utf8'), shown: 'text' },
  collapse: 'none',
  aggregation: {
    keyKind: 'text',
    encoding: 'utf8',
    takesPatterns: true,
    format: () => PLAIN_FORMAT,
    key: String,
  },
  columnPrinter: (field, format) => {
    checkNoFormat(field, format);
    return { column: 'terms', print: (bytes) => decodeTerm(bytes, 'utf8') };
  },
  printer: asIndexed,
};
