/**
 * A document after parsing: every value that is to be indexed, in the form that its field keeps.
 *
 * Parallel arrays: value i belongs to field i. Text and keyword values are strings, numbers are numbers (bigints beyond
 * 2^53), dates are milliseconds, booleans are booleans, addresses are 16 characters of one byte each.
 */
import type { FieldMapping } from '@shoal/schema';

export type IndexedValue = string | number | bigint | boolean;

export interface ParsedDocument {
  readonly fields: readonly FieldMapping[];
  readonly values: readonly IndexedValue[];
}

/** Longest term that an inverted index takes, in bytes; Lucene's limit. */
export const TERM_BYTES_MAX = 32_766;
