/**
 * `_validate/query`: whether a query can be run, and what it comes to, told by one shard of each index or by all.
 *
 * Every shard that is asked compiles the query as a search would, and stops at the first match.
 */
import { checkBlock } from '@shoal/cluster';
import { isShoalError, parseJson, type ShoalError } from '@shoal/core';
import { parseCountRequest, type SearchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { resolveIndices } from '../../indices/resolve-indices.ts';
import { withFetchedParts } from '../phases/fetched-parts.ts';
import { queryShards } from '../phases/query-shards.ts';
import { planWithoutHits } from '../phases/query-without-hits.ts';
import type { ShardCounts, ShardFailure } from '../phases/search-failures.ts';
import { type SearchTarget, searchTargets } from '../targets/search-targets.ts';
import type { CountInput } from './execute-count.ts';

export interface ValidateInput extends CountInput {
  /** False: one shard of each index is asked. */
  readonly asksAllShards: boolean;
  /** The query is told as it runs on a shard. */
  readonly isRewritten: boolean;
}

export interface ShardValidation {
  readonly index: string;
  readonly shard: number;
  /** What the query was compiled to; null where it could not be. */
  readonly explanation: string | null;
  readonly error: ShoalError | null;
}

export interface ValidateOutcome {
  readonly shards: ShardCounts;
  readonly validations: readonly ShardValidation[];
}

/** The request as it could not be parsed, or what the shards say of it. */
export async function executeValidate(
  context: CoordinatorContext,
  asked: ValidateInput,
): Promise<ValidateOutcome | ShoalError> {
  const state = context.cluster.state();
  checkBlock(state, 'read', []);
  const nowMs = context.runtime.clock.wallMs();
  const indices = resolveIndices(state, asked.expression, asked.indicesOptions, nowMs);
  const names = indices.map((resolved) => resolved.index.name);
  checkBlock(state, 'read', names);
  const parsed = await parsedRequest(context, asked);
  if (isShoalError(parsed)) return parsed;
  const targets = asked.asksAllShards
    ? searchTargets(indices, asked.routings, null)
    : firstOfEach(searchTargets(indices, asked.routings, null));
  const request: SearchRequest = {
    ...parsed,
    isProfiled: true,
    tellsPlainQuery: !asked.isRewritten,
    terminateAfter: 1,
  };
  const plan = planWithoutHits(context, { targets, request, nowMs, signal: asked.signal });
  // Scores are part of what a query comes to: what they are made of is left out where nobody asks for a hit.
  const outcomes = await queryShards(context, { ...plan, query: { ...plan.query, topN: 1 }, fetchPage: null });
  const failures: ShardFailure[] = [];
  const validations: ShardValidation[] = [];
  for (const [i, target] of targets.entries()) {
    const outcome = outcomes[i];
    const about = { index: target.index.name, shard: target.shard.number };
    if (outcome?.kind === 'answered') {
      const { profile } = outcome.response.result;
      const explanation = profile === null ? '' : descriptionIn(profile);
      validations.push({ ...about, explanation, error: null });
    } else if (outcome?.kind === 'failed' && outcome.error.status === 400) {
      validations.push({ ...about, explanation: null, error: outcome.error });
    } else if (outcome?.kind === 'failed') failures.push({ target, nodeId: outcome.nodeId, error: outcome.error });
  }
  const total = targets.length;
  const successful = validations.length;
  return { shards: { total, successful, skipped: 0, failed: total - successful, failures }, validations };
}

async function parsedRequest(context: CoordinatorContext, asked: ValidateInput): Promise<SearchRequest | ShoalError> {
  try {
    const input = { ...asked, body: await withFetchedParts(context, asked.body, asked) };
    return await context.trees.read(input, (tree) => parseCountRequest(input, tree));
  } catch (error) {
    if (isShoalError(error) && error.status === 400) return error;
    throw error;
  }
}

function firstOfEach(targets: readonly SearchTarget[]): readonly SearchTarget[] {
  const first = new Map<string, SearchTarget>();
  for (const target of targets) if (!first.has(target.index.name)) first.set(target.index.name, target);
  return [...first.values()].map((target, position) => ({ ...target, position }));
}

/** What the query is called in a shard's profile. */
function descriptionIn(profile: Uint8Array): string {
  const { searches } = parseJson(profile) as {
    readonly searches: readonly { readonly query: readonly { readonly description: string }[] }[];
  };
  return searches[0]?.query[0]?.description ?? '';
}
