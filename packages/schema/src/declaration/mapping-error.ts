/**
 * Errors of mapping declarations, in Elasticsearch's words.
 */
import { illegalArgument, ShoalError } from '@shoal/core';

export function mapperParsing(reason: string, causedBy?: ShoalError): ShoalError {
  return new ShoalError('mapper_parsing_exception', 400, reason, causedBy ? { causedBy } : {});
}

/** Error of a whole mapping, caused by that of the part that cannot be read. */
export function failedToParseMapping(cause: ShoalError): ShoalError {
  const reason = `Failed to parse mapping: ${cause.reason}`;
  // A cause of another type never shows as the root: Elasticsearch looks for roots among its own exceptions only.
  if (cause.type !== 'mapper_parsing_exception') return mapperParsing(reason, cause);
  return new ShoalError('mapper_parsing_exception', 400, reason, { causedBy: cause, rootCauses: [cause] });
}

export function typeConflict(path: string, from: string, to: string): ShoalError {
  return illegalArgument(`mapper [${path}] cannot be changed from type [${from}] to [${to}]`);
}
