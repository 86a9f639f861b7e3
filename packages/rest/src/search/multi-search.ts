/**
 * `_msearch`: several searches in one request. A malformed one fails the request; one that cannot be answered fails alone.
 */
import {
  type CoordinatorContext,
  DEFAULT_BATCHED_REDUCE_SIZE,
  DEFAULT_CONCURRENT_SHARD_REQUESTS,
  executeSearch,
  READ_INDICES_OPTIONS,
  type SearchInput,
  withExactCount,
  withFetchedParts,
} from '@shoal/coordinator';
import {
  assert,
  isShoalError,
  JsonTokens,
  parseJsonTree,
  parseJsonTreeInSteps,
  renderErrorBody,
  ShoalError,
  type Steps,
} from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import { type ParsedSearch, parseSearch } from '@shoal/query';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { type MultiSearchEntry, parseMultiSearch } from './parse-multi-search.ts';
import { renderSearch, type SearchRenderOptions } from './render-search.ts';
import { concurrentShardRequests, preFilterShardSizeOf, sharesStatisticsOf } from './search-parameters.ts';

const CONCURRENT_SEARCHES_DEFAULT = 8;

export const multiSearchApi: RestApi = {
  methods: ['GET', 'POST'],
  paths: ['/_msearch', '/{index}/_msearch', '/{index}/_doc/_msearch'],
  privilege: 'indices:data/read/msearch',
  task: { action: 'indices:data/read/msearch', isCancellable: true },
  isHot: true,
  body: 'ndjson',
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    ccs_minimize_roundtrips: withoutEffect('boolean', 'there are no other clusters to search in'),
    max_concurrent_searches: 'integer',
    max_concurrent_shard_requests: 'integer',
    pre_filter_shard_size: 'integer',
    rest_total_hits_as_int: 'boolean',
    routing: 'list',
    search_type: 'string',
    typed_keys: 'boolean',
  },
  handler: multiSearch,
};

async function multiSearch(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const { clock } = context.runtime;
  const startedMs = clock.monotonicMs();
  if (request.body === null)
    throw new ShoalError('parse_exception', 400, 'request body or source parameter is required');
  const entries = parseMultiSearch(request.body, {
    index: params.string('index'),
    routings: params.list('routing'),
    indicesOptions: indicesOptionsOf(params, READ_INDICES_OPTIONS),
  });
  const totalHitsAsInt = params.boolean('rest_total_hits_as_int', false);
  // A malformed search fails the whole request; one that cannot be answered fails alone.
  const bodies = await bodiesOf(context, entries);
  const searches = await context.trees.run(
    request.body,
    parsedInSteps(context.trees, bodies, totalHitsAsInt),
    request.signal,
  );
  const maxConcurrentShardRequests = concurrentShardRequests(params, DEFAULT_CONCURRENT_SHARD_REQUESTS);
  const typedKeys = params.boolean('typed_keys', false);
  const rendering = { totalHitsAsInt, typedKeys, withTypes: showsTypes(request) };
  const responses = new Array<unknown>(entries.length);
  let next = 0;
  const statistics = sharesStatisticsOf(params);
  const preFilterShardSize = preFilterShardSizeOf(params);
  const options = {
    request,
    maxConcurrentShardRequests,
    preFilterShardSize,
    totalHitsAsInt,
    sharesStatistics: statistics,
  };
  const runOne = async (): Promise<void> => {
    for (let at = next++; at < entries.length; at = next++) {
      const [entry, parsed, body] = [entries[at], searches[at], bodies[at]];
      if (isShoalError(body)) responses[at] = renderErrorBody(body);
      if (entry === undefined || parsed === undefined || parsed === null || body instanceof Error) continue;
      const input = inputOf({ ...entry, body: body ?? entry.body }, parsed, options);
      responses[at] = await searchOne(context, input, rendering);
    }
  };
  const workers = Math.max(1, params.integer('max_concurrent_searches') ?? CONCURRENT_SEARCHES_DEFAULT);
  await Promise.all(Array.from({ length: Math.min(workers, entries.length) }, runOne));
  assert(!responses.includes(undefined), `a search of ${entries.length} has no answer`);
  return valueResponse({ took: Math.round(clock.monotonicMs() - startedMs), responses });
}

/** Searches of bodies, null for an error. Tokens are counted over all searches, which are held together until the last of them is answered. */
function* parsedInSteps(
  trees: CoordinatorContext['trees'],
  bodies: readonly (Uint8Array | ShoalError)[],
  totalHitsAsInt: boolean,
): Steps<readonly (ParsedSearch | null)[]> {
  const tokens = new JsonTokens();
  const searches: (ParsedSearch | null)[] = [];
  for (const body of bodies) {
    if (isShoalError(body)) {
      searches.push(null);
      continue;
    }
    const tree = trees.resolved(yield* parseJsonTreeInSteps(body, { tokens }));
    const parsed = parseSearch({ body, params: {} }, tree);
    if (totalHitsAsInt) withExactCount(parsed.request);
    searches.push(parsed);
    yield;
  }
  return searches;
}

/**
 * Bodies with the terms that stand in other documents. A search whose terms cannot be fetched has the error instead.
 *
 * @throws what is wrong with a body that is no JSON
 */
async function bodiesOf(
  context: CoordinatorContext,
  entries: readonly MultiSearchEntry[],
): Promise<readonly (Uint8Array | ShoalError)[]> {
  const bodies: (Uint8Array | ShoalError)[] = [];
  for (const { body, index, indicesOptions } of entries) {
    try {
      bodies.push((await withFetchedParts(context, body, { expression: index, indicesOptions })) ?? body);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      parseJsonTree(body, { tokens: new JsonTokens() });
      bodies.push(error);
    }
  }
  return bodies;
}

interface MultiSearchOptions {
  readonly request: HttpRequest;
  readonly maxConcurrentShardRequests: number;
  readonly preFilterShardSize: number | null;
  readonly totalHitsAsInt: boolean;
  readonly sharesStatistics: boolean;
}

function inputOf(entry: MultiSearchEntry, parsed: ParsedSearch, options: MultiSearchOptions): SearchInput {
  return {
    expression: entry.index,
    indicesOptions: entry.indicesOptions,
    body: entry.body,
    parsed,
    params: {},
    countsExactly: options.totalHitsAsInt,
    scrollKeepAliveMs: null,
    sharesStatistics: entry.sharesStatistics || options.sharesStatistics,
    usesRequestCache: entry.usesRequestCache,
    routings: entry.routings,
    allowPartialResults: entry.allowPartialResults,
    maxConcurrentShardRequests: options.maxConcurrentShardRequests,
    batchedReduceSize: DEFAULT_BATCHED_REDUCE_SIZE,
    preFilterShardSize: options.preFilterShardSize,
    signal: options.request.signal,
  };
}

/** Body of one search: its answer, or its error. */
async function searchOne(
  context: CoordinatorContext,
  input: SearchInput,
  rendering: SearchRenderOptions,
): Promise<unknown> {
  try {
    const outcome = await executeSearch(context, input);
    return { ...(await context.turns.run(renderSearch(outcome, rendering), input.signal)), status: 200 };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return renderErrorBody(error);
  }
}
