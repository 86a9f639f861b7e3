/**
 * `_cluster/pending_tasks`: changes that wait for the cluster manager. They wait in its own memory: with `?local=true` any other
 * node truly has none.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { pendingTasksBody, waitingTasks } from './pending-tasks-body.ts';

export const pendingTasksApi: RestApi = {
  usageName: 'pending_cluster_tasks_action',
  methods: ['GET'],
  paths: ['/_cluster/pending_tasks'],
  privilege: 'cluster:monitor/task',
  task: null,
  params: READ_PARAMETERS,
  handler: pendingTasks,
};

async function pendingTasks(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  return valueResponse(pendingTasksBody(await waitingTasks(request, context)));
}
