/**
 * `_doc_count` of a document: one positive whole number, written as a number.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { DOC_COUNT_FIELD } from '@shoal/schema';

const INT_MAX = 0x7fff_ffff;

/** @throws ShoalError for anything but a positive integer */
export function readDocCount(value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw new ShoalError(
      'parsing_exception',
      400,
      `Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${tokenOf(value)}]`,
    );
  }
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw illegalArgument(`${value} cannot be converted to Integer without data loss`);
  }
  if (value > INT_MAX || value < -INT_MAX - 1) {
    throw illegalArgument(`Numeric value (${value}) out of range of int (-2147483648 - 2147483647)`);
  }
  if (value <= 0) throw illegalArgument(`Field [${DOC_COUNT_FIELD.path}] must be a positive integer.`);
  return Number(value);
}

export function secondDocCount(): ShoalError {
  return illegalArgument(`Arrays are not allowed for field [${DOC_COUNT_FIELD.path}].`);
}

function tokenOf(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
  return typeof value === 'string' ? 'VALUE_STRING' : 'START_OBJECT';
}
