/**
 * Constructors of the errors that more than one API answers with: type, status and text stand here once.
 *
 * Texts are those of Elasticsearch (recorded answers of a real server), since clients and tests match on them. An error
 * that only one file raises stays in that file.
 */
import { rootCausesOf } from './root-causes.ts';
import { ShoalError, type ShoalErrorOptions } from './shoal-error.ts';

/** 404: a concrete index, alias or expression named in the request does not exist. */
export function indexNotFound(
  index: string,
  resourceType: 'index_or_alias' | 'index_expression' = 'index_or_alias',
): ShoalError {
  return new ShoalError('index_not_found_exception', 404, `no such index [${index}]`, {
    metadata: { index, 'resource.id': index, 'resource.type': resourceType, index_uuid: '_na_' },
  });
}

/** 400: an argument is outside what the API allows. */
export function illegalArgument(reason: string, options: ShoalErrorOptions = {}): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, reason, options);
}

/** 400: request JSON is well formed but does not mean anything here; `line` and `col` count from 1. */
export function parsingException(
  reason: string,
  at: { readonly line: number; readonly col: number },
  causedBy?: ShoalError,
): ShoalError {
  return new ShoalError('parsing_exception', 400, reason, {
    metadata: { line: at.line, col: at.col },
    ...(causedBy ? { causedBy, rootCauses: rootCausesOf(causedBy) } : {}),
  });
}

/** 503: no elected cluster manager answered within `master_timeout`. The reason is null, as Elasticsearch prints it. */
export function masterNotDiscovered(): ShoalError {
  return new ShoalError('master_not_discovered_exception', 503, null);
}

/** 409: the document is not in the state that the request asked for. */
export function versionConflict(
  reason: string,
  at: { readonly index: string; readonly indexUuid: string; readonly shard: number },
): ShoalError {
  return new ShoalError('version_conflict_engine_exception', 409, reason, {
    metadata: { index: at.index, shard: String(at.shard), index_uuid: at.indexUuid },
  });
}

/** 429: a limit on memory would be passed by accepting this. */
export function circuitBreaking(
  reason: string,
  bytes: { readonly wanted: number; readonly limit: number },
): ShoalError {
  return new ShoalError('circuit_breaking_exception', 429, reason, {
    metadata: { bytes_wanted: bytes.wanted, bytes_limit: bytes.limit, durability: 'TRANSIENT' },
  });
}

/** 429: too much work waits already. */
export function rejectedExecution(reason: string): ShoalError {
  return new ShoalError('es_rejected_execution_exception', 429, reason);
}
