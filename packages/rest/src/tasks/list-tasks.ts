/**
 * `_tasks`: what runs in the cluster.
 */
import { type CoordinatorContext, listTasks } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { tasksBody } from './tasks-body.ts';
import { TASK_FILTER_PARAMETERS, TASK_GROUPING_PARAMETERS, tasksQuestion, tasksView } from './tasks-request.ts';

export const listTasksApi: RestApi = {
  usageName: 'list_tasks_action',
  methods: ['GET'],
  paths: ['/_tasks'],
  privilege: 'cluster:monitor/tasks/lists',
  task: { action: 'cluster:monitor/tasks/lists', isCancellable: false },
  params: { ...TASK_FILTER_PARAMETERS, ...TASK_GROUPING_PARAMETERS, detailed: 'boolean' },
  handler: list,
};

async function list(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const isDetailed = request.params.boolean('detailed', false);
  return valueResponse(tasksBody(await listTasks(context, tasksQuestion(request)), tasksView(request, isDetailed)));
}
