/**
 * Why an operation is not in the translog, or no more, in the words that users see.
 */
import { asShoalError, ShoalError } from '@shoal/core';
import { DiskError } from '@shoal/runtime';

export function isFull(error: unknown): boolean {
  return error instanceof DiskError && error.kind === 'full';
}

export function writeFailure(error: unknown): ShoalError {
  const reason = isFull(error)
    ? 'failed to write to the translog: no space left on device'
    : 'failed to write to the translog';
  return new ShoalError('translog_exception', isFull(error) ? 503 : 500, reason, { causedBy: asShoalError(error) });
}

/** Damage before bytes that were durable: going on would lose operations that were acknowledged. */
export function corruptTranslog(path: string, offset: number, why: string): ShoalError {
  return new ShoalError(
    'translog_corrupted_exception',
    500,
    `translog file [${path}] is damaged at offset [${offset}]: ${why}`,
  );
}

export function historyGone(from: number, completeFrom: number): ShoalError {
  const reason = `operations from [${from}] on are not complete, only those from [${completeFrom}] on`;
  return new ShoalError('illegal_state_exception', 500, reason);
}
