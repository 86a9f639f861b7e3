/**
 * Errors of mapping declarations, in Elasticsearch's words.
 */
import { illegalArgument, ShoalError } from '@shoal/core';

export function mapperParsing(reason: string, causedBy?: ShoalError): ShoalError {
  return new ShoalError('mapper_parsing_exception', 400, reason, causedBy ? { causedBy } : {});
}

/** What the user sees of a declaration that cannot be read: the whole, caused by the part. */
export function failedToParseMapping(cause: ShoalError): ShoalError {
  return new ShoalError('mapper_parsing_exception', 400, `Failed to parse mapping: ${cause.reason}`, {
    causedBy: cause,
    rootCauses: [cause],
  });
}

export function typeConflict(path: string, from: string, to: string): ShoalError {
  return illegalArgument(`mapper [${path}] cannot be changed from type [${from}] to [${to}]`);
}
