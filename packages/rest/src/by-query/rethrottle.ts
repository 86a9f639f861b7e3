/**
 * `POST /_reindex/{task_id}/_rethrottle`, and its twins: another pace for documents by query that are under way.
 */
import { type CoordinatorContext, parseTaskId, rethrottleTask } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { tasksBody } from '../tasks/tasks-body.ts';
import { TASK_GROUPING_PARAMETERS, tasksView } from '../tasks/tasks-request.ts';
import { requestsPerSecondOf } from './by-query-options.ts';

export const rethrottleApi: RestApi = {
  usageName: 'rethrottle_action',
  methods: ['POST'],
  paths: [
    '/_reindex/{task_id}/_rethrottle',
    '/_update_by_query/{task_id}/_rethrottle',
    '/_delete_by_query/{task_id}/_rethrottle',
  ],
  privilege: 'cluster:admin/reindex/rethrottle',
  task: { action: 'cluster:admin/reindex/rethrottle', isCancellable: false },
  params: { ...TASK_GROUPING_PARAMETERS, requests_per_second: 'string' },
  handler: rethrottle,
};

async function rethrottle(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const taskId = parseTaskId(request.params.required('task_id'));
  const wanted = requestsPerSecondOf(request.params);
  if (wanted === null) throw illegalArgument('requests_per_second is a required parameter');
  const found = await rethrottleTask(context, taskId, wanted === Number.POSITIVE_INFINITY ? null : wanted);
  return valueResponse(tasksBody(found, tasksView(request, true)));
}
