/**
 * `DELETE _pit`: closes one point in time.
 */
import { type CoordinatorContext, freeHeldContexts, readContextId } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { contextBodyOf, idsOf, refuseOtherKeys } from './context-body.ts';

export const closePointInTimeApi: RestApi = {
  usageName: 'close_point_in_time',
  methods: ['DELETE'],
  paths: ['/_pit'],
  privilege: 'indices:data/read/close_point_in_time',
  task: null,
  body: 'json',
  handler: closePointInTime,
};

async function closePointInTime(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = contextBodyOf(request);
  refuseOtherKeys(body, ['id']);
  const [id] = idsOf(body.id);
  if (id === undefined) throw illegalArgument('Required [id]');
  const freed = await freeHeldContexts(context, [readContextId('pit', id)]);
  return valueResponse({ succeeded: true, num_freed: freed }, freed > 0 ? 200 : 404);
}
