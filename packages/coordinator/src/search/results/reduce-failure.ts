/**
 * Failures of the reduction of aggregations, which no shard is to blame for.
 */
import { isShoalError, ShoalError } from '@shoal/core';

/** What ends a search from outside is no failure of a phase. */
const CANCELLED = 'task_cancelled_exception';

/** The failure as that of the phase that begins with the reduction, which has no root cause; others stay what they are. */
export function reduceFailure(error: unknown): unknown {
  if (!isShoalError(error) || error.type === CANCELLED) return error;
  return new ShoalError('search_phase_execution_exception', error.status, '', {
    details: { phase: 'fetch', grouped: true, failed_shards: [] },
    causedBy: error,
  });
}

/** Runs a reduction. @throws search_phase_execution_exception of the phase of fetching */
export async function reducing<T>(reduce: () => Promise<T>): Promise<T> {
  try {
    return await reduce();
  } catch (error) {
    throw reduceFailure(error);
  }
}
