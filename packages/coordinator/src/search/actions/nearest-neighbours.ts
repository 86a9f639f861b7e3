/**
 * `knn` of a search: all shards are asked for their nearest documents first, the best of which are hits of the search itself.
 *
 * Documents are told by their ids: one that another write replaces in between has the score that it had.
 */
import { assert } from '@shoal/core';
import {
  type FoundNeighbour,
  type KnnSearch,
  plainSearch,
  type Query,
  type SearchRequest,
  searchRequest,
} from '@shoal/query';
import type { SortColumn } from '@shoal/shard-api';
import type { SearchOutcome } from '../results/search-outcome.ts';
import type { SearchInput } from '../targets/search-input.ts';

export interface NeighbourSearch {
  readonly input: SearchInput;
  readonly request: SearchRequest;
  readonly knn: readonly KnnSearch[];
}

/** The request with the nearest documents beside the matches of its query. @param search runs a search of its own */
export async function withNeighbours(
  { input, request, knn }: NeighbourSearch,
  search: (input: SearchInput) => Promise<SearchOutcome>,
): Promise<SearchRequest> {
  const found = await Promise.all(
    knn.map(async (one) => foundQuery(one, await search(searchFor(one, input, request)))),
  );
  // A request without a query of its own has no other hits.
  const own = request.query.kind === 'matchNone' ? [] : [request.query];
  const [only, ...others] = [...own, ...found];
  if (only !== undefined && others.length === 0) return { ...request, query: only };
  const query: Query = {
    kind: 'bool',
    must: [],
    filter: [],
    should: [...own, ...found],
    mustNot: [],
    minimumShouldMatch: null,
    boost: 1,
    name: null,
  };
  return { ...request, query };
}

/** Search for the documents of one vector: nothing of them is read. */
function searchFor({ query, k }: KnnSearch, input: SearchInput, request: SearchRequest): SearchInput {
  const { pointInTime, timeoutMs, runtimeMappings, slice } = request;
  const nearest = searchRequest({
    query,
    size: k,
    source: { enabled: false, includes: [], excludes: [] },
    trackTotalHits: 0,
    pointInTime,
    timeoutMs,
    runtimeMappings,
    slice,
  });
  return {
    ...input,
    body: null,
    params: {},
    parsed: plainSearch(nearest),
    scrollKeepAliveMs: null,
    countsExactly: false,
    sharesStatistics: false,
  };
}

function foundQuery({ query }: KnnSearch, { hits }: SearchOutcome): Query {
  const found = hits.map(({ index, shardNumber, hit, result, position }): FoundNeighbour => {
    return { index, shard: shardNumber, id: hit.id, score: scoreAt(result.columns[0], position) };
  });
  return { ...query, boost: 1, found };
}

function scoreAt(column: SortColumn | undefined, position: number): number {
  const score = column?.kind === 'score' ? column.values[position] : undefined;
  assert(score !== undefined, `the nearest documents have no score at ${position}`);
  return score;
}
