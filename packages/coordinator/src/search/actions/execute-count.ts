/**
 * `_count`: how many documents match, counted by the query phase with no entries wanted.
 */
import { checkBlock } from '@shoal/cluster';
import { parseCountRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { resolveIndices } from '../../indices/resolve-indices.ts';
import { withFetchedParts } from '../phases/fetched-parts.ts';
import { queryWithoutHits } from '../phases/query-without-hits.ts';
import { allShardsFailed, type ShardCounts, type ShardFailure } from '../phases/search-failures.ts';
import type { SearchInput } from '../targets/search-input.ts';
import { searchTargets } from '../targets/search-targets.ts';

export type CountInput = Omit<
  SearchInput,
  | 'allowPartialResults'
  | 'countsExactly'
  | 'maxConcurrentShardRequests'
  | 'batchedReduceSize'
  | 'preFilterShardSize'
  | 'parsed'
  | 'scrollKeepAliveMs'
  | 'usesRequestCache'
  | 'sharesStatistics'
  | 'showsTypes'
>;

export interface CountOutcome {
  readonly count: number;
  /** null unless the request asked to end early. */
  readonly terminatedEarly: boolean | null;
  readonly shards: ShardCounts;
}

export async function executeCount(context: CoordinatorContext, asked: CountInput): Promise<CountOutcome> {
  const key = Object.keys(asked.params).length === 0 ? context.repeated.keyOf('count', asked.body) : null;
  const known = context.repeated.get(key);
  const input = known === null ? { ...asked, body: await withFetchedParts(context, asked.body, asked) } : asked;
  const request = known?.search.request ?? (await context.trees.read(input, (tree) => parseCountRequest(input, tree)));
  if (known === null && input.body === asked.body) context.repeated.keep(key, { request, aggregations: null });
  const state = context.cluster.state();
  checkBlock(state, 'read', []);
  const nowMs = context.runtime.clock.wallMs();
  const indices = resolveIndices(state, input.expression, input.indicesOptions, nowMs);
  const names = indices.map((resolved) => resolved.index.name);
  checkBlock(state, 'read', names);
  const targets = searchTargets(indices, input.routings, context.reads.shards);
  const outcomes = await queryWithoutHits(context, { targets, request, nowMs, signal: input.signal, repeated: known });
  const failures: ShardFailure[] = [];
  let count = 0;
  let successful = 0;
  let endedEarly = false;
  for (const [i, target] of targets.entries()) {
    const outcome = outcomes[i];
    if (outcome?.kind === 'failed') failures.push({ target, nodeId: outcome.nodeId, error: outcome.error });
    if (outcome?.kind !== 'answered') continue;
    successful++;
    count += outcome.response.result.total?.value ?? 0;
    endedEarly ||= outcome.response.result.terminatedEarly;
  }
  const total = targets.length;
  if (total > 0 && successful === 0) throw allShardsFailed(failures, 'query');
  return {
    count,
    terminatedEarly: request.terminateAfter > 0 ? endedEarly : null,
    shards: { total, successful, skipped: 0, failed: total - successful, failures },
  };
}
