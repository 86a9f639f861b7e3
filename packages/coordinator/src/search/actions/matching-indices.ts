/**
 * Which of several indices a query may match in: shards whose mapping and column bounds rule out every match say so without looking at
 * their documents.
 */
import { checkBlock } from '@shoal/cluster';
import { type CancelFlag, checkNotCancelled, type ShoalError } from '@shoal/core';
import { type SearchRequest, searchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { queryInto, type ShardOutcome } from '../phases/query-shards.ts';
import { planWithoutHits } from '../phases/query-without-hits.ts';
import { targetsOfIndices } from '../targets/search-targets.ts';

export interface MatchingIndices {
  /** Names of the indices that have a shard which may match. */
  readonly matching: ReadonlySet<string>;
  /** Why indices could not be asked that no shard of answered as one which may match, by name. */
  readonly failures: ReadonlyMap<string, ShoalError>;
}

/** @param names concrete indices */
export async function matchingIndices(
  context: CoordinatorContext,
  {
    names,
    query,
    signal,
  }: { readonly names: readonly string[]; readonly query: SearchRequest['query']; readonly signal: CancelFlag | null },
): Promise<MatchingIndices> {
  const state = context.cluster.state();
  checkBlock(state, 'read', names);
  const targets = targetsOfIndices(state, names);
  // The first match is as good as all.
  const request = searchRequest({ size: 0, trackTotalHits: 0, terminateAfter: 1, query });
  const nowMs = context.runtime.clock.wallMs();
  const plan = planWithoutHits(context, { targets, request, nowMs, signal });
  const outcomes = new Array<ShardOutcome | undefined>(targets.length);
  await queryInto(
    context,
    { ...plan, query: { ...plan.query, canSkip: true }, fetchPage: null },
    {
      // A shard that is run after all, for an answer to have a shape, said before that it has no match.
      take: (position, outcome) => {
        outcomes[position] ??= outcome;
      },
      reduced: () => Promise.resolve(),
    },
  );
  checkNotCancelled(signal);
  const matching = new Set<string>();
  const failures = new Map<string, ShoalError>();
  for (const [i, { index }] of targets.entries()) {
    const outcome = outcomes[i];
    if (outcome?.kind === 'failed') failures.set(index.name, outcome.error);
    else if (outcome?.kind === 'answered' && !outcome.response.result.isSkipped) matching.add(index.name);
  }
  for (const name of matching) failures.delete(name);
  return { matching, failures };
}
