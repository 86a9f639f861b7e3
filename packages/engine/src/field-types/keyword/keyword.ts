/**
 * `keyword`: whole values as terms, with a column of their ordinals.
 */
import { illegalArgument } from '@shoal/core';
import type { FieldType } from '../contract/field-type.ts';
import { immenseTerm, isImmense } from '../contract/immense-term.ts';
import { TERM_BYTES_MAX } from '../contract/indexed-value.ts';
import { TEXT } from '../text/text.ts';

export const KEYWORD: FieldType = {
  ...TEXT,
  read: ({ ignoreAbove }, value) => {
    const text = String(value);
    return ignoreAbove !== null && text.length > ignoreAbove ? null : text;
  },
  check: ({ isIndexed, hasDocValues, path }, value) => {
    if (!(isIndexed || hasDocValues) || typeof value !== 'string' || !isImmense(value)) return;
    if (isIndexed) throw immenseTerm(path, value);
    throw illegalArgument(`DocValuesField "${path}" is too large, must be <= ${TERM_BYTES_MAX}`);
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
  collapse: 'terms',
};
