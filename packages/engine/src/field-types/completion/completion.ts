/**
 * `completion`: inputs that are suggested by how they begin. They are looked up by the suggester alone: no query, sort or aggregation
 * finds them.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { checkNoFormat, type FieldType, NO_PARTS } from '../contract/field-type.ts';
import { KEYWORD } from '../keyword/keyword.ts';
import { CompletionValue, readCompletion } from './completion-value.ts';

export const COMPLETION: FieldType = {
  ...KEYWORD,
  read: readCompletion,
  check: () => {},
  parts: () => ({
    ...NO_PARTS,
    terms: { encoding: 'utf8', hasFreqs: false, hasPositions: false, hasPostings: true },
  }),
  textQueries: 'none',
  term: ({ path }) => {
    throw new ShoalError(
      'query_shard_exception',
      400,
      `Field [${path}] of type [completion] does not support term queries`,
    );
  },
  range: ({ path }) => {
    throw illegalArgument(`Field [${path}] of type [completion] does not support range queries`);
  },
  hasColumn: false,
  sort: { column: 'none' },
  collapse: 'none',
  columnPrinter: (field, format) => {
    checkNoFormat(field, format);
    return null;
  },
  printer: () => (value) => (value instanceof CompletionValue ? value.json : null),
};
