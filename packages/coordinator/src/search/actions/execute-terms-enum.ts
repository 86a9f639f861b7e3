/**
 * `_terms_enum`: the first terms of a field over many shards, as their dictionaries have them.
 */
import { checkBlock } from '@shoal/cluster';
import { type CancelFlag, checkNotCancelled } from '@shoal/core';
import { type SearchRequest, searchRequest } from '@shoal/query';
import type { TermsEnumRequest } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { IndicesOptions } from '../../indices/indices-options.ts';
import { resolveIndices } from '../../indices/resolve-indices.ts';
import { planWithoutHits } from '../phases/query-without-hits.ts';
import type { ShardCounts, ShardFailure } from '../phases/search-failures.ts';
import { shardTerms } from '../phases/shard-terms.ts';
import { searchTargets } from '../targets/search-targets.ts';

export interface TermsEnumInput {
  readonly expression: string | null;
  readonly indicesOptions: IndicesOptions;
  readonly asked: TermsEnumRequest;
  /** Shards that it cannot match are left out; null: none is. */
  readonly indexFilter: SearchRequest['query'] | null;
  readonly signal: CancelFlag | null;
}

export interface TermsEnumOutcome {
  readonly shards: ShardCounts;
  readonly terms: readonly string[];
  /** False where a shard failed, or had no time to look through its terms. */
  readonly isComplete: boolean;
}

export async function executeTermsEnum(context: CoordinatorContext, input: TermsEnumInput): Promise<TermsEnumOutcome> {
  const { asked, indexFilter, signal } = input;
  const state = context.cluster.state();
  checkBlock(state, 'read', []);
  const nowMs = context.runtime.clock.wallMs();
  const indices = resolveIndices(state, input.expression, input.indicesOptions, nowMs);
  checkBlock(
    state,
    'read',
    indices.map((resolved) => resolved.index.name),
  );
  const targets = searchTargets(indices, [], null);
  const request = searchRequest({ size: 0, ...(indexFilter !== null && { query: indexFilter }) });
  const plan = { ...planWithoutHits(context, { targets, request, nowMs, signal }), timeoutMs: asked.timeoutMs };
  const ask = shardTerms(context, plan);
  const outcomes = await Promise.all(targets.map((target) => ask(target, asked)));
  checkNotCancelled(signal);
  const terms = new Set<string>();
  const failures: ShardFailure[] = [];
  let isComplete = true;
  for (const [i, target] of targets.entries()) {
    const outcome = outcomes[i];
    if (outcome?.kind === 'failed') failures.push({ target, nodeId: outcome.nodeId, error: outcome.error });
    if (outcome?.kind !== 'answered') isComplete = false;
    else {
      isComplete &&= outcome.response.isComplete;
      for (const term of outcome.response.terms) terms.add(term);
    }
  }
  const total = targets.length;
  const successful = outcomes.filter(({ kind }) => kind === 'answered').length;
  return {
    shards: { total, successful, skipped: 0, failed: total - successful, failures },
    terms: inOrderOfBytes(terms).slice(0, asked.size),
    isComplete,
  };
}

function inOrderOfBytes(terms: ReadonlySet<string>): readonly string[] {
  return [...terms]
    .map((term) => ({ term, bytes: Buffer.from(term) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ term }) => term);
}
