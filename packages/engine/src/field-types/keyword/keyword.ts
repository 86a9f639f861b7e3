/**
 * `keyword`: whole values as terms, with a column of their ordinals.
 */
import { illegalArgument } from '@shoal/core';
import { checkNoFormat, type FieldType } from '../contract/field-type.ts';
import { TERM_BYTES_MAX } from '../contract/indexed-value.ts';
import { decodeTerm } from '../contract/term-bytes.ts';
import { TEXT } from '../text/text.ts';

/** Bytes of a term that is too long that its error shows. */
const PREFIX_BYTES = 30;

export const KEYWORD: FieldType = {
  ...TEXT,
  read: ({ ignoreAbove }, value) => {
    const text = String(value);
    return ignoreAbove !== null && text.length > ignoreAbove ? null : text;
  },
  check: ({ isIndexed, hasDocValues, path }, value) => {
    // UTF-8 takes at most three bytes a UTF-16 unit.
    if (!(isIndexed || hasDocValues) || typeof value !== 'string' || value.length * 3 <= TERM_BYTES_MAX) return;
    const bytes = Buffer.byteLength(value, 'utf8');
    if (bytes <= TERM_BYTES_MAX) return;
    if (!isIndexed) throw illegalArgument(`DocValuesField "${path}" is too large, must be <= ${TERM_BYTES_MAX}`);
    const prefix = [...Buffer.from(value.slice(0, PREFIX_BYTES), 'utf8').subarray(0, PREFIX_BYTES)];
    throw illegalArgument(
      `Document contains at least one immense term in field="${path}" (whose UTF8 encoding is longer than the max length ${TERM_BYTES_MAX}), all of which were skipped. Please correct the analyzer to not produce such terms. The prefix of the first immense term is: '[${prefix.map(signed).join(', ')}]...', original message: bytes can be at most ${TERM_BYTES_MAX} in length; got ${bytes}`,
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

/** A byte as Elasticsearch prints it. */
function signed(byte: number): number {
  return byte < 0x80 ? byte : byte - 0x100;
}
