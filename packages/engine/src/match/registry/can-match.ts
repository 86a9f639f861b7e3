/**
 * Whether a query can have matches on a shard, by what the shard knows without a look at its documents.
 */
import { isShoalError } from '@shoal/core';
import type { QueryNode } from '@shoal/query';
import type { CompileContext } from '../context/compile-context.ts';
import { behaviourOf } from './query-behaviours.ts';

/** False only where there can be none. A query that cannot be read here may match: whoever compiles it tells what is wrong. */
export function canMatch(ctx: CompileContext, query: QueryNode): boolean {
  try {
    return canInnerMatch(ctx, query);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return true;
  }
}

function canInnerMatch(ctx: CompileContext, query: QueryNode): boolean {
  return behaviourOf(query).canMatch?.(ctx, query, (inner) => canInnerMatch(ctx, inner)) ?? true;
}
