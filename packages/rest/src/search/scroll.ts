/**
 * `_search/scroll`: the next page of a scroll.
 */
import { type CoordinatorContext, executeScroll, keepAliveMs, validationError } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { showsTypes } from '../request/document-types.ts';
import { contextBodyOf, refuseOtherKeys } from './context-body.ts';
import { renderSearch } from './render-search.ts';

export const scrollApi: RestApi = {
  usageName: 'search_scroll_action',
  methods: ['GET', 'POST'],
  paths: ['/_search/scroll', '/_search/scroll/{scroll_id}'],
  privilege: 'indices:data/read/scroll',
  task: { action: 'indices:data/read/scroll', isCancellable: true },
  body: 'json',
  params: { scroll: 'string', scroll_id: 'string', rest_total_hits_as_int: 'boolean' },
  handler: scroll,
};

async function scroll(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const body = contextBodyOf(request);
  refuseOtherKeys(body, ['scroll_id', 'scroll']);
  const scrollId = typeof body.scroll_id === 'string' ? body.scroll_id : params.string('scroll_id');
  const keepAlive = typeof body.scroll === 'string' ? body.scroll : params.string('scroll');
  if (scrollId === null || scrollId === '') throw validationError(['scrollId is missing']);
  const outcome = await executeScroll(context, {
    scrollId,
    keepAliveMs: keepAlive === null ? null : keepAliveMs(context, keepAlive, 'scroll'),
    signal: request.signal,
  });
  const totalHitsAsInt = params.boolean('rest_total_hits_as_int', false);
  const shown = renderSearch(outcome, { totalHitsAsInt, typedKeys: false, withTypes: showsTypes(request) });
  return valueResponse(await context.turns.run(shown, request.signal));
}
