/**
 * `keyword`: whole values as terms, with a column of their ordinals.
 */
import { illegalArgument } from '@shoal/core';
import { checkNoFormat, type FieldType } from '../contract/field-type.ts';
import { TERM_BYTES_MAX } from '../contract/indexed-value.ts';
import { decodeTerm } from '../contract/term-bytes.ts';
import { TEXT } from '../text/text.ts';

export const KEYWORD: FieldType = {
  ...TEXT,
  read: ({ ignoreAbove }, value) => {
    const text = String(value);
    return ignoreAbove !== null && text.length > ignoreAbove ? null : text;
  },
  check: ({ isIndexed, path }, value) => {
    // UTF-8 takes at most three bytes a UTF-16 unit.
    if (!isIndexed || typeof value !== 'string' || value.length * 3 <= TERM_BYTES_MAX) return;
    const bytes = Buffer.byteLength(value, 'utf8');
    if (bytes <= TERM_BYTES_MAX) return;
    throw illegalArgument(
      `Document contains at least one immense term in field="${path}" (whose UTF8 encoding is longer than the max length ${TERM_BYTES_MAX}), all of which were skipped. The term has ${bytes} bytes.`,
    );
  },
  parts: ({ isIndexed, hasDocValues, hasFreqs, hasPositions }) => ({
    terms:
      isIndexed || hasDocValues
        ? {
            encoding: 'utf8',
            hasFreqs: isIndexed && hasFreqs,
            hasPositions: isIndexed && hasPositions,
            hasPostings: isIndexed,
          }
        : null,
    isAnalyzed: false,
    hasOrdinals: hasDocValues,
    numbers: null,
  }),
  textQueries: 'whole',
  hasColumn: true,
  sort: { column: 'terms' },
  collapse: 'terms',
  columnPrinter: (field, format) => {
    checkNoFormat(field, format);
    return { column: 'terms', print: (bytes) => decodeTerm(bytes, 'utf8') };
  },
};
