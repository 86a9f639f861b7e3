/**
 * The refusal of a shard that was closed.
 */
import { ShoalError } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';

export function alreadyClosed({ index, number }: ShardId): ShoalError {
  return new ShoalError('already_closed_exception', 500, `shard [${index}][${number}] is closed`);
}
