/**
 * `_tasks/{task_id}`: one task that runs, or what a task left behind that nobody waited for.
 */
import { type CoordinatorContext, findTask, parseTaskId } from '@shoal/coordinator';
import { RawJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { taskBody } from './tasks-body.ts';
import { tasksWait } from './tasks-request.ts';

export const getTaskApi: RestApi = {
  usageName: 'get_task_action',
  methods: ['GET'],
  paths: ['/_tasks/{task_id}'],
  privilege: 'cluster:monitor/task/get',
  task: { action: 'cluster:monitor/task/get', isCancellable: false },
  params: { wait_for_completion: 'boolean', timeout: 'time' },
  handler: get,
};

async function get(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const taskId = parseTaskId(request.params.required('task_id'));
  const found = await findTask(context, taskId, tasksWait(request));
  if (found.kind === 'stored') return valueResponse(new RawJson(found.result));
  const task = taskBody(taskId.nodeId, found.task, { isDetailed: true, isHuman: request.human });
  return valueResponse({ completed: found.isCompleted, task });
}
