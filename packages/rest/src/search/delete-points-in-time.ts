/**
 * `DELETE _search/point_in_time`: closes points in time, in the paths and with the answers of OpenSearch.
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

export const deletePointsInTimeApi: RestApi = {
  usageName: 'delete_pit_action',
  methods: ['DELETE'],
  paths: ['/_search/point_in_time', '/_search/point_in_time/_all'],
  privilege: 'indices:data/read/close_point_in_time',
  task: null,
  body: 'json',
  handler: deletePointsInTime,
};

async function deletePointsInTime(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  if (request.path.endsWith(`/${ALL_CONTEXTS}`)) {
    await freeAllContexts(context, 'reader');
    return valueResponse({ pits: [] });
  }
  const body = contextBodyOf(request);
  refuseOtherKeys(body, ['pit_id']);
  const ids = requireIds(idsOf(body.pit_id), 'pit');
  const pits = await Promise.all(
    ids.map(async (id) => {
      await freeHeldContexts(context, [readContextId('pit', id)]);
      // One that is gone already is gone all the same.
      return { successful: true, pit_id: id };
    }),
  );
  return valueResponse({ pits });
}
