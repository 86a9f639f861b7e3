/**
 * `version`: versions as terms in the order of Semantic Versioning; patterns and fuzzy queries are about what users see.
 */
import { printVersion, versionTerm } from '@shoal/schema';
import { checkNoFormat, type FieldType } from '../contract/field-type.ts';
import { decodeTerm, encodeTerm } from '../contract/term-bytes.ts';
import { KEYWORD } from '../keyword/keyword.ts';

export const VERSION: FieldType = {
  ...KEYWORD,
  read: (_field, value) => versionTerm(String(value)),
  textQueries: 'none',
  shownTerm: (term) => encodeTerm(shown(term), 'utf8'),
  term: (field, value, clock) => KEYWORD.term(field, versionTerm(String(value)), clock),
  range: (field, range, clock) => {
    const end = (value: typeof range.from) => (value === null ? null : versionTerm(String(value)));
    return KEYWORD.range(field, { ...range, from: end(range.from), to: end(range.to) }, clock);
  },
  sort: { column: 'terms', term: (value) => encodeTerm(versionTerm(String(value)), 'utf8'), shown: 'version' },
  collapse: 'none',
  aggregation: {
    ...KEYWORD.aggregation,
    takesPatterns: false,
    format: () => ({ kind: 'version' }),
    key: (value) => versionTerm(String(value)),
  },
  columnPrinter: (field, format) => {
    checkNoFormat(field, format);
    return { column: 'terms', print: shown };
  },
  printer: () => (value) => printVersion(String(value)),
};

function shown(term: Uint8Array): string {
  return printVersion(decodeTerm(term, 'utf8'));
}
