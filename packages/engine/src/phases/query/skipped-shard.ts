/**
 * The answer of a shard that can have no match, found without a look at its documents.
 */
import type { QueryShardRequest } from '@shoal/shard-api';
import type { CompileContext } from '../../match/context/compile-context.ts';
import { canMatch } from '../../match/registry/can-match.ts';
import type { ShardQueryOutcome } from '../context/shard-search-context.ts';

/** null when the shard may have matches. */
export function skippedShard(ctx: CompileContext, request: QueryShardRequest): ShardQueryOutcome | null {
  const { search, aliasFilter } = request;
  if (canMatch(ctx, search.request.query) && (aliasFilter === null || canMatch(ctx, aliasFilter))) return null;
  return {
    total: search.request.trackTotalHits === 0 ? null : { value: 0, relation: 'eq' },
    maxScore: null,
    columns: [],
    scores: null,
    ords: new Uint32Array(0),
    groups: null,
    aggregations: null,
    profile: null,
    timedOut: false,
    terminatedEarly: false,
    isSkipped: true,
  };
}
