/**
 * `DELETE _search/scroll`: closes scrolls.
 */
import {
  type CoordinatorContext,
  freeAllContexts,
  freeHeldContexts,
  readContextId,
  requireIds,
} from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { ALL_CONTEXTS, contextBodyOf, idsOf, refuseOtherKeys } from './context-body.ts';

export const clearScrollApi: RestApi = {
  usageName: 'clear_scroll_action',
  methods: ['DELETE'],
  paths: ['/_search/scroll', '/_search/scroll/{scroll_id}'],
  privilege: 'indices:data/read/scroll/clear',
  task: { action: 'indices:data/read/scroll/clear', isCancellable: false },
  body: 'json',
  params: { scroll_id: 'list' },
  handler: clearScroll,
};

async function clearScroll(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = contextBodyOf(request);
  refuseOtherKeys(body, ['scroll_id']);
  const inBody = idsOf(body.scroll_id);
  const ids = requireIds(inBody.length > 0 ? inBody : request.params.list('scroll_id'), 'scroll');
  const freed = ids.includes(ALL_CONTEXTS)
    ? await freeAllContexts(context, 'scroll')
    : await freeHeldContexts(
        context,
        ids.map((id) => readContextId('scroll', id)),
      );
  return valueResponse({ succeeded: true, num_freed: freed }, freed > 0 || ids.includes(ALL_CONTEXTS) ? 200 : 404);
}
