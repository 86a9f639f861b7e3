/**
 * `_async_search`: begins a search, and answers with what it found when it ends soon, else with an id under which it is asked for.
 */
import {
  type AsyncSearch,
  type CoordinatorContext,
  DEFAULT_CONCURRENT_SHARD_REQUESTS,
  type SearchInput,
} from '@shoal/coordinator';
import { assert, type JsonNode } from '@shoal/core';
import { type HttpRequest, type HttpResponse, type ParameterDeclarations, valueResponse } from '@shoal/http';
import { ASYNC_WAIT_MS_MAX } from '@shoal/protocol';
import { parseSearch, suggestsWithoutQuery } from '@shoal/query';
import type { RestApi } from '../../api/rest-api.ts';
import { describeSearch } from '../../api/task-description.ts';
import { validationFailed } from '../../documents/write-problems.ts';
import { showsTypes } from '../../request/document-types.ts';
import {
  batchedReduceSizeOf,
  concurrentShardRequests,
  refuseReadingOfNothing,
  refuseSuggestingNothing,
  SEARCH_PARAMETERS,
  searchInputOf,
  sharesStatisticsOf,
} from '../search-parameters.ts';
import { asyncSearchBody } from './async-search-body.ts';
import { runAsyncSearch } from './run-async-search.ts';

const WAIT_MS_DEFAULT = 1_000;
const KEEP_ALIVE_MS_DEFAULT = 5 * 24 * 60 * 60 * 1_000;
const KEEP_ALIVE_MS_MIN = 60_000;
/** Default `batched_reduce_size`: partial results are to be seen early. */
const BATCHED_REDUCE_SIZE = 5;

const PARAMETERS: ParameterDeclarations = {
  ...SEARCH_PARAMETERS,
  ccs_minimize_roundtrips: 'boolean',
  keep_alive: 'time',
  keep_on_completion: 'boolean',
  wait_for_completion_timeout: 'time',
};

export const submitAsyncSearchApi: RestApi = {
  usageName: 'async_search_submit_action',
  methods: ['POST'],
  paths: ['/_async_search', '/{index}/_async_search'],
  privilege: 'indices:data/read/async_search/submit',
  task: {
    action: 'indices:data/read/async_search/submit',
    isCancellable: true,
    outlivesClient: true,
    describe: describeSearch,
  },
  body: 'json',
  params: PARAMETERS,
  handler: submit,
};

async function submit(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  refuseSuggestingNothing(request);
  refuseReadingOfNothing(request);
  const keepAliveMs = params.timeMs('keep_alive') ?? KEEP_ALIVE_MS_DEFAULT;
  const waitMs = asyncWaitMs(request) ?? WAIT_MS_DEFAULT;
  const input = await inputOf(request, context, keepAliveMs);
  const { task, tasks, cluster, runtime, asyncSearches } = context;
  assert(task !== null, 'an asynchronous search without a task cannot be cancelled');
  const search = asyncSearches.begin(cluster.localNode.id, keepAliveMs, (reason) => task.cancel(reason));
  task.isDetached = true;
  const running = runAsyncSearch(context, search, input);
  void running.finally(() => tasks.end(task));
  await search.begun();
  await search.finished(waitMs, runtime.sched);
  const isKept = search.isRunning || params.boolean('keep_on_completion', false);
  return answerWith(search, context, { isKept, typedKeys: params.boolean('typed_keys', false) });
}

async function answerWith(
  search: AsyncSearch,
  { asyncSearches }: CoordinatorContext,
  shown: { readonly isKept: boolean; readonly typedKeys: boolean },
): Promise<HttpResponse> {
  const content = await search.content();
  // It may have ended since it was looked at, and then stays: its id is told.
  if (!shown.isKept) asyncSearches.remove(search);
  return valueResponse(asyncSearchBody(search, content, { ...shown, showsPartial: true }), content.status);
}

/** `wait_for_completion_timeout`; null when not given. */
export function asyncWaitMs({ params }: HttpRequest): number | null {
  const waitMs = params.timeMs('wait_for_completion_timeout');
  return waitMs === null ? null : Math.min(ASYNC_WAIT_MS_MAX, Math.max(0, Math.round(waitMs)));
}

/** @throws action_request_validation_exception for what no asynchronous search can be, and whatever is wrong with the search */
async function inputOf(request: HttpRequest, context: CoordinatorContext, keepAliveMs: number): Promise<SearchInput> {
  const { params } = request;
  const common = searchInputOf(request);
  const { parsed, isSuggestOnly } = await context.trees.read(request, (tree) => ({
    parsed: parseSearch(common, tree),
    isSuggestOnly: suggestsWithoutQuery(common, tree) && !hasAggregations(tree),
  }));
  refuseProblems(request, { isSuggestOnly, keepAliveMs });
  return {
    ...common,
    parsed,
    countsExactly: false,
    scrollKeepAliveMs: null,
    showsTypes: showsTypes(request),
    sharesStatistics: sharesStatisticsOf(params),
    usesRequestCache: params.has('request_cache') ? params.boolean('request_cache', true) : null,
    allowPartialResults: params.boolean('allow_partial_search_results', true),
    maxConcurrentShardRequests: concurrentShardRequests(params, DEFAULT_CONCURRENT_SHARD_REQUESTS),
    batchedReduceSize: params.has('batched_reduce_size') ? batchedReduceSizeOf(params) : BATCHED_REDUCE_SIZE,
    preFilterShardSize: 1,
  };
}

function refuseProblems(
  { params }: HttpRequest,
  { isSuggestOnly, keepAliveMs }: { readonly isSuggestOnly: boolean; readonly keepAliveMs: number },
): void {
  const problems: string[] = [];
  if (params.has('scroll')) problems.push('[scroll] queries are not supported');
  if (isSuggestOnly) problems.push('suggest-only queries are not supported');
  if (keepAliveMs < KEEP_ALIVE_MS_MIN) {
    problems.push(`[keep_alive] must be greater than 1 minute, got:${params.string('keep_alive')}`);
  }
  if ((params.integer('pre_filter_shard_size') ?? 1) !== 1) {
    problems.push('[pre_filter_shard_size] cannot be changed for async search queries');
  }
  if (params.boolean('ccs_minimize_roundtrips', false)) {
    problems.push('[ccs_minimize_roundtrips] is not supported on async search queries');
  }
  if (params.boolean('rest_total_hits_as_int', false)) {
    problems.push('[rest_total_hits_as_int] is not supported on async search queries');
  }
  if (problems.length > 0) throw validationFailed(problems);
}

function hasAggregations(tree: JsonNode | null): boolean {
  return tree?.kind === 'object' && tree.members.some(({ name }) => name === 'aggs' || name === 'aggregations');
}
