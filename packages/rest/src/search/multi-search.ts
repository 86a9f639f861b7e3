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
import {
  type HttpRequest,
  type HttpResponse,
  type ParameterDeclarations,
  valueResponse,
  withoutEffect,
} from '@shoal/http';
import { type ParsedSearch, parseSearch } from '@shoal/query';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { withPreference } from '../request/preference.ts';
import { type MultiSearchEntry, parseMultiSearch } from './parse-multi-search.ts';
import { renderSearch, type SearchRenderOptions } from './render-search.ts';
import { concurrentShardRequests, preFilterShardSizeOf, sharesStatisticsOf } from './search-parameters.ts';

const CONCURRENT_SEARCHES_DEFAULT = 8;

export const MULTI_SEARCH_PARAMETERS: ParameterDeclarations = {
  ...INDICES_OPTIONS_PARAMETERS,
  index: 'string',
  include_named_queries_score: 'boolean',
  ccs_minimize_roundtrips: withoutEffect('boolean', 'there are no other clusters to search in'),
  max_concurrent_searches: 'integer',
  max_concurrent_shard_requests: 'integer',
  pre_filter_shard_size: 'integer',
  rest_total_hits_as_int: 'boolean',
  routing: 'list',
  search_type: 'string',
  typed_keys: 'boolean',
};

export const multiSearchApi: RestApi = {
  usageName: 'msearch_action',
  methods: ['GET', 'POST'],
  paths: ['/_msearch', '/{index}/_msearch', '/{index}/_doc/_msearch'],
  privilege: 'indices:data/read/msearch',
  task: { action: 'indices:data/read/msearch', isCancellable: true },
  isHot: true,
  body: 'ndjson',
  params: MULTI_SEARCH_PARAMETERS,
  handler: multiSearch,
};

function multiSearch(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  return answerMultiSearch(request, context, PLAIN_SEARCHES);
}

/** What a line of a request says of its search. */
export interface LineSearch {
  readonly body: Uint8Array;
  /** What stands beside the body and takes its place. */
  readonly params: Readonly<Record<string, string>>;
}

/** How the lines of a request become searches. */
export interface LineReader {
  /** A search, or why it alone has none. @throws what fails the request */
  read(line: Uint8Array): LineSearch | ShoalError;
  /** A search that is no search fails alone. */
  readonly failsAlone: boolean;
}

const PLAIN_SEARCHES: LineReader = { read: (body) => ({ body, params: {} }), failsAlone: false };

/** Answers a request of many searches. */
export async function answerMultiSearch(
  request: HttpRequest,
  context: CoordinatorContext,
  reader: LineReader,
): Promise<HttpResponse> {
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
  const showsScores = params.boolean('include_named_queries_score', false);
  const lines = entries.map(({ body }) => {
    const line = reader.read(body);
    return isShoalError(line) || !showsScores ? line : withQueryScores(line);
  });
  const searches = await context.trees.run(
    request.body,
    parsedInSteps(context.trees, await withFetched(context, entries, lines), {
      totalHitsAsInt,
      failsAlone: reader.failsAlone,
    }),
    request.signal,
  );
  const options: MultiSearchOptions = {
    request,
    maxConcurrentShardRequests: concurrentShardRequests(params, DEFAULT_CONCURRENT_SHARD_REQUESTS),
    preFilterShardSize: preFilterShardSizeOf(params),
    totalHitsAsInt,
    sharesStatistics: sharesStatisticsOf(params),
  };
  const typedKeys = params.boolean('typed_keys', false);
  const rendering = { totalHitsAsInt, typedKeys, withTypes: showsTypes(request) };
  const responses = new Array<unknown>(entries.length);
  let next = 0;
  const runOne = async (): Promise<void> => {
    for (let at = next++; at < entries.length; at = next++) {
      const [entry, search] = [entries[at], searches[at]];
      assert(entry !== undefined && search !== undefined, `search ${at} of ${entries.length} was not read`);
      responses[at] = isShoalError(search)
        ? renderErrorBody(search)
        : await searchOne(context, { entry, input: inputOf(entry, search, options) }, rendering);
    }
  };
  const workers = Math.max(1, params.integer('max_concurrent_searches') ?? CONCURRENT_SEARCHES_DEFAULT);
  await Promise.all(Array.from({ length: Math.min(workers, entries.length) }, runOne));
  assert(!responses.includes(undefined), `a search of ${entries.length} has no answer`);
  return valueResponse({ took: Math.round(clock.monotonicMs() - startedMs), responses });
}

/** What the request wants of all searches; one that says otherwise in its body is answered as the request wants. */
function withQueryScores(line: LineSearch): LineSearch {
  return { ...line, params: { ...line.params, include_named_queries_score: 'true' } };
}

/** A search with its body, which outlives it: shards that keep nothing are asked with it again. */
interface ReadSearch {
  readonly body: Uint8Array;
  readonly parsed: ParsedSearch;
}

/** Searches of lines. Tokens are counted over all of them, which are held together until the last is answered. */
function* parsedInSteps(
  trees: CoordinatorContext['trees'],
  lines: readonly (LineSearch | ShoalError)[],
  options: { readonly totalHitsAsInt: boolean; readonly failsAlone: boolean },
): Steps<readonly (ReadSearch | ShoalError)[]> {
  const tokens = new JsonTokens();
  const searches: (ReadSearch | ShoalError)[] = [];
  for (const line of lines) {
    if (isShoalError(line)) {
      searches.push(line);
      continue;
    }
    try {
      const tree = trees.resolved(yield* parseJsonTreeInSteps(line.body, { tokens }));
      const parsed = parseSearch(line, tree);
      if (options.totalHitsAsInt) withExactCount(parsed.request);
      searches.push({ body: line.body, parsed });
    } catch (error) {
      if (!options.failsAlone || !isShoalError(error)) throw error;
      searches.push(error);
    }
    yield;
  }
  return searches;
}

/**
 * Lines with the parts that stand in other documents. A search whose parts cannot be fetched has the error instead.
 */
async function withFetched(
  context: CoordinatorContext,
  entries: readonly MultiSearchEntry[],
  lines: readonly (LineSearch | ShoalError)[],
): Promise<readonly (LineSearch | ShoalError)[]> {
  const fetched: (LineSearch | ShoalError)[] = [];
  for (const [at, line] of lines.entries()) {
    const entry = entries[at];
    if (isShoalError(line) || entry === undefined) {
      fetched.push(line);
      continue;
    }
    try {
      const scope = { expression: entry.index, indicesOptions: entry.indicesOptions };
      fetched.push({ ...line, body: (await withFetchedParts(context, line.body, scope)) ?? line.body });
    } catch (error) {
      if (!isShoalError(error)) throw error;
      // What is no JSON at all says so when it is read.
      fetched.push(isJson(line.body) ? error : line);
    }
  }
  return fetched;
}

function isJson(body: Uint8Array): boolean {
  try {
    parseJsonTree(body);
    return true;
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return false;
  }
}

interface MultiSearchOptions {
  readonly request: HttpRequest;
  readonly maxConcurrentShardRequests: number;
  readonly preFilterShardSize: number | null;
  readonly totalHitsAsInt: boolean;
  readonly sharesStatistics: boolean;
}

function inputOf(entry: MultiSearchEntry, { body, parsed }: ReadSearch, options: MultiSearchOptions): SearchInput {
  return {
    expression: entry.index,
    indicesOptions: entry.indicesOptions,
    body,
    parsed,
    params: {},
    countsExactly: options.totalHitsAsInt,
    showsTypes: showsTypes(options.request),
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
  { entry, input }: { readonly entry: MultiSearchEntry; readonly input: SearchInput },
  rendering: SearchRenderOptions,
): Promise<unknown> {
  try {
    const outcome = await executeSearch(withPreference(context, entry.preference), input);
    return { ...(await context.turns.run(renderSearch(outcome, rendering), input.signal)), status: 200 };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return renderErrorBody(error);
  }
}
