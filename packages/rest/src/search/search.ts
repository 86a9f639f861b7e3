/**
 * `_search`.
 */
import {
  type CoordinatorContext,
  DEFAULT_CONCURRENT_SHARD_REQUESTS,
  executeSearch,
  keepAliveMs,
} from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import { renderSearch } from './render-search.ts';
import {
  batchedReduceSizeOf,
  concurrentShardRequests,
  preFilterShardSizeOf,
  refuseReadingOfNothing,
  refuseSuggestingNothing,
  SEARCH_PARAMETERS,
  type SearchText,
  searchInputOf,
  sharesStatisticsOf,
} from './search-parameters.ts';
import { SEARCH_TASK } from './search-task.ts';

export const searchApi: RestApi = {
  usageName: 'search_action',
  methods: ['GET', 'POST'],
  paths: ['/_search', '/{index}/_search', '/{index}/_doc/_search'],
  privilege: 'indices:data/read/search',
  task: SEARCH_TASK,
  isHot: true,
  body: 'json',
  params: SEARCH_PARAMETERS,
  handler: search,
};

function search(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseSuggestingNothing(request);
  refuseReadingOfNothing(request);
  return answerSearch(request, context, searchInputOf(request));
}

/** Answers a request with the search `common`, run as the parameters of the request say. */
export async function answerSearch(
  request: HttpRequest,
  context: CoordinatorContext,
  common: SearchText,
): Promise<HttpResponse> {
  const { params } = request;
  const totalHitsAsInt = params.boolean('rest_total_hits_as_int', false);
  const scroll = params.string('scroll');
  const outcome = await executeSearch(context, {
    expression: common.expression,
    indicesOptions: common.indicesOptions,
    body: common.body,
    parsed: null,
    params: common.params,
    routings: common.routings,
    signal: common.signal,
    countsExactly: totalHitsAsInt,
    showsTypes: showsTypes(request),
    scrollKeepAliveMs: scroll === null ? null : keepAliveMs(context, scroll, 'scroll'),
    sharesStatistics: sharesStatisticsOf(params),
    usesRequestCache: params.has('request_cache') ? params.boolean('request_cache', true) : null,
    allowPartialResults: params.has('allow_partial_search_results')
      ? params.boolean('allow_partial_search_results', true)
      : null,
    maxConcurrentShardRequests: concurrentShardRequests(params, DEFAULT_CONCURRENT_SHARD_REQUESTS),
    batchedReduceSize: batchedReduceSizeOf(params),
    preFilterShardSize: preFilterShardSizeOf(params),
  });
  const typedKeys = params.boolean('typed_keys', false);
  const shown = renderSearch(outcome, { totalHitsAsInt, typedKeys, withTypes: showsTypes(request) });
  return valueResponse(await context.turns.run(shown, request.signal));
}
