/**
 * `_explain`: how the score of one document under a query comes about, or why it does not match.
 *
 * Two phases as of a search: the shard finds the document by its id, then explains it under the query.
 */
import { checkBlock } from '@shoal/cluster';
import { type CancelFlag, illegalArgument } from '@shoal/core';
import { parseCountRequest, type SearchRequest, searchRequest } from '@shoal/query';
import type { FetchedHit } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { readableCopies } from '../../documents/ask-copies.ts';
import { noCopyAnswered } from '../../documents/primary-requests.ts';
import { READ_INDICES_OPTIONS } from '../../indices/indices-options.ts';
import { type ResolvedIndex, resolveIndices } from '../../indices/resolve-indices.ts';
import { checkRoutingGiven, effectiveRouting } from '../../indices/write-index.ts';
import { fetchPage } from '../phases/fetch-page.ts';
import { withFetchedParts } from '../phases/fetched-parts.ts';
import { queryShards } from '../phases/query-shards.ts';
import { AliasFilters } from '../targets/alias-filters.ts';
import { asClusterAllows } from '../targets/expensive-queries.ts';
import { PerNodeLimit } from '../targets/per-node-limit.ts';
import { DEFAULT_CONCURRENT_SHARD_REQUESTS } from '../targets/search-input.ts';
import { type SearchTarget, searchTargets } from '../targets/search-targets.ts';
import { validationError } from './check-context-use.ts';

export interface ExplainInput {
  readonly index: string;
  readonly id: string;
  /** null: the id. */
  readonly routing: string | null;
  readonly body: Uint8Array | null;
  /** `q` and its companions. */
  readonly params: Readonly<Record<string, string>>;
  /** Stored fields that are shown of the document. */
  readonly storedFields: readonly string[];
  readonly signal: CancelFlag | null;
}

export interface ExplainOutcome {
  readonly index: string;
  /** null when there is no such document. */
  readonly hit: FetchedHit | null;
}

const KEEP_ALIVE_MS = 60_000;

export async function executeExplain(context: CoordinatorContext, input: ExplainInput): Promise<ExplainOutcome> {
  const { params, id, signal, storedFields } = input;
  const body = await withFetchedParts(context, input.body, {
    expression: input.index,
    indicesOptions: READ_INDICES_OPTIONS,
  });
  // Members other than the query are refused before anybody is asked.
  // A body without members is no query: only counts and searches take it for all documents.
  const counted = await context.trees.read({ body, signal }, (tree) => {
    if (tree?.kind === 'object' && tree.members.length === 0 && params.q === undefined)
      throw validationError(['query is missing']);
    return parseCountRequest({ body, params }, tree);
  });
  const request = {
    ...asClusterAllows(context, counted),
    isExplained: true,
    ...(storedFields.length > 0 && { storedFields }),
  };
  const target = targetOf(context, input);
  const limit = new PerNodeLimit(DEFAULT_CONCURRENT_SHARD_REQUESTS);
  const [outcome] = await queryShards(context, {
    targets: [target],
    query: {
      search: context.searches.packSearch({ request: documentSearch(id), aggregations: null }),
      topN: 1,
      nowMs: context.runtime.clock.wallMs(),
      keepAliveMs: KEEP_ALIVE_MS,
      isScroll: false,
      statistics: null,
      canSkip: false,
      usesCache: false,
    },
    aliasFilters: new AliasFilters([target], context.searches),
    fetchPage: null,
    timeoutMs: null,
    limit,
    signal,
    refuse: () => null,
  });
  const index = target.shard.index;
  if (outcome?.kind === 'failed') throw outcome.error;
  if (outcome?.kind !== 'answered') throw noCopyAnswered(`[${index}][${target.shard.number}]`, null);
  if (outcome.response.result.ords.length === 0) return { index, hit: null };
  const fetched = await fetchPage(context, {
    outcomes: [outcome],
    page: [{ target: 0, position: 0 }],
    limit,
    source: { search: context.searches.packSearch({ request, aggregations: null }), signal },
  });
  const [failure] = fetched.failures;
  if (failure !== undefined) throw failure.error;
  return { index, hit: fetched.hits[0] ?? null };
}

/** Finds one document by its id. */
function documentSearch(id: string): SearchRequest {
  return searchRequest({ query: { kind: 'ids', values: [id], boost: 1, name: null }, trackTotalHits: 0 });
}

function targetOf(context: CoordinatorContext, { index, id, routing }: ExplainInput): SearchTarget {
  const state = context.cluster.state();
  checkBlock(state, 'read', []);
  const options = { ...READ_INDICES_OPTIONS, allowNoIndices: false };
  const indices = resolveIndices(state, index, options, context.runtime.clock.wallMs());
  const names = indices.map((resolved) => resolved.index.name);
  checkBlock(state, 'read', names);
  if (indices.length > 1) {
    throw illegalArgument(
      `[${index}] has more than one index associated with it [${names.join(', ')}], can't execute a single index op`,
    );
  }
  const [resolved] = indices;
  const target = resolved === undefined ? undefined : targetIn(resolved, { index, id, routing });
  const hasCopy = target !== undefined && readableCopies(context, target.shard).length > 0;
  if (!hasCopy) throw noCopyAnswered(`[${index}]`, null);
  return target;
}

/** Shard of the document: an alias routes it as it routed its write, whatever routing it gives to searches. */
function targetIn(
  { index, viaAliases }: ResolvedIndex,
  key: { readonly index: string; readonly id: string; readonly routing: string | null },
): SearchTarget | undefined {
  const routing = effectiveRouting({ index, alias: viaAliases[0] ?? null, stream: null }, key.routing, key.index);
  checkRoutingGiven(index, key.id, routing);
  const aliases = viaAliases.map((alias) => ({ ...alias, searchRouting: null }));
  const [target] = searchTargets([{ index, viaAliases: aliases }], [routing ?? key.id], null);
  return target;
}
