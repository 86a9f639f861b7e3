/**
 * `_tasks/_cancel`: stops tasks.
 */
import { type CoordinatorContext, cancelTasks, parseTaskId } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { tasksBody } from './tasks-body.ts';
import { TASK_FILTER_PARAMETERS, TASK_GROUPING_PARAMETERS, tasksQuestion, tasksView } from './tasks-request.ts';

export const cancelTasksApi: RestApi = {
  usageName: 'cancel_tasks_action',
  methods: ['POST'],
  paths: ['/_tasks/_cancel', '/_tasks/{task_id}/_cancel'],
  privilege: 'cluster:admin/tasks/cancel',
  task: { action: 'cluster:admin/tasks/cancel', isCancellable: false },
  params: { ...TASK_FILTER_PARAMETERS, ...TASK_GROUPING_PARAMETERS },
  handler: cancel,
};

async function cancel(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const named = request.params.string('task_id');
  const question = { ...tasksQuestion(request), taskId: named === null ? null : parseTaskId(named) };
  return valueResponse(tasksBody(await cancelTasks(context, question), tasksView(request, true)));
}
