/**
 * `_count`: how many documents a query matches.
 */
import { type CoordinatorContext, executeCount, renderShardCounts } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { COUNT_PARAMETERS, refuseQueryBesideBody, refuseReadingOfNothing, searchInputOf } from './search-parameters.ts';
import { SEARCH_TASK } from './search-task.ts';

export const countApi: RestApi = {
  usageName: 'count_action',
  methods: ['GET', 'POST'],
  paths: ['/_count', '/{index}/_count', '/{index}/_doc/_count'],
  privilege: 'indices:data/read/search',
  task: SEARCH_TASK,
  isHot: true,
  body: 'json',
  params: COUNT_PARAMETERS,
  handler: count,
};

async function count(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  if (request.body === null || request.body.length === 0) refuseReadingOfNothing(request);
  else refuseQueryBesideBody(request);
  const outcome = await executeCount(context, searchInputOf(request));
  return valueResponse({
    count: outcome.count,
    terminated_early: outcome.terminatedEarly ?? undefined,
    _shards: renderShardCounts(outcome.shards),
  });
}
