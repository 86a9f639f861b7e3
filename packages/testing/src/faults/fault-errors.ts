/**
 * Errors that faults answer with: types and texts of a real server, since applications look at them.
 */
import { indexNotFound, rejectedExecution, ShoalError, versionConflict } from '@shoal/core';
import type { ConflictFault, ShardFailureFault, StatusFault } from './fault.ts';

const STATUS_MIN = 400;
const STATUS_MAX = 599;

/** Errors by status where a fault names no type. */
const USUAL: ReadonlyMap<number, () => ShoalError> = new Map([
  [401, () => new ShoalError('security_exception', 401, 'missing authentication credentials for REST request')],
  [403, () => new ShoalError('security_exception', 403, 'action is unauthorized')],
  [404, () => indexNotFound('_na_')],
  [413, () => new ShoalError('content_too_long_exception', 413, 'entity content is too long')],
  [429, () => rejectedExecution('rejected execution of coordinating operation')],
  [500, () => new ShoalError('exception', 500, 'internal server error')],
  [503, () => new ShoalError('cluster_block_exception', 503, 'blocked by: [SERVICE_UNAVAILABLE/2/no master];')],
  [504, () => new ShoalError('timeout_exception', 504, 'failed to answer in time')],
]);

/** @throws RangeError for a status that is none of an error, or needs a type and has none */
export function statusError({ status, type, reason }: Omit<StatusFault, 'kind'>): ShoalError {
  if (!Number.isInteger(status) || status < STATUS_MIN || status > STATUS_MAX) {
    throw new RangeError(`a fault has a status from ${STATUS_MIN} to ${STATUS_MAX}, and this is [${status}]`);
  }
  const usual = USUAL.get(status)?.();
  if (type === undefined && usual === undefined) {
    throw new RangeError(`a fault of status [${status}] needs the type of its error`);
  }
  if (type === undefined && reason === undefined && usual !== undefined) return usual;
  return new ShoalError(type ?? usual?.type ?? 'exception', status, reason ?? usual?.reason ?? 'a fault of the test');
}

export function conflictError(at: { readonly index: string; readonly id: string }): ShoalError {
  const reason = `[${at.id}]: version conflict, required seqNo [0], primary term [1]. current document has seqNo [1] and primary term [1]`;
  return versionConflict(reason, { index: at.index, indexUuid: '_na_', shard: 0 });
}

export function shardError({ type, reason, index, shard = 0 }: ShardFailureFault): ShoalError {
  return new ShoalError(
    type ?? 'query_shard_exception',
    500,
    reason ?? `[${index}][${shard}] failed, as the test asked for`,
  );
}

/** Error of one bulk item. */
export function itemError(
  fault: StatusFault | ConflictFault,
  at: { readonly index: string; readonly id: string },
): ShoalError {
  return fault.kind === 'conflict' ? conflictError(at) : statusError(fault);
}
