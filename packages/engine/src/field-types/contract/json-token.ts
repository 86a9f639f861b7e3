/**
 * Values of documents by the names that errors have for their tokens.
 */
import { ShoalError } from '@shoal/core';

/** 400: a value begins with another token than its type wants. */
export function unexpectedToken(wanted: string, found: unknown): ShoalError {
  const reason = `Failed to parse object: expecting token of type [${wanted}] but found [${tokenOf(found)}]`;
  return new ShoalError('parsing_exception', 400, reason);
}

function tokenOf(value: unknown): string {
  if (value === null) return 'VALUE_NULL';
  if (typeof value === 'string') return 'VALUE_STRING';
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN';
  if (typeof value === 'object') return Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT';
  return 'VALUE_NUMBER';
}
