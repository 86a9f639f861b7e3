/**
 * The routes of tasks: what runs in the cluster, one of them, and to stop them.
 */

import {
  type CoordinatorContext,
  cancelTasks,
  getTask,
  listTasks,
  parseTaskId,
  type TasksQuestion,
} from '@shoal/coordinator';
import { type HttpRequest, type Route, valueResponse } from '@shoal/http';
import { boundedMs } from '../request/manager-access.ts';
import { TASK_GROUPS, type TasksView, taskBody, tasksBody } from './tasks-body.ts';

type Handler = Route<CoordinatorContext>['handler'];

const WAIT_MS_DEFAULT = 30_000;
/** `parent_task_id` of those who do not care. */
const ANY_PARENT = '-1';

const list: Handler = async (request, context) => {
  const isDetailed = request.params.boolean('detailed', false);
  return valueResponse(tasksBody(await listTasks(context, questionOf(request)), viewOf(request, isDetailed)));
};

const get: Handler = async (request, context) => {
  const taskId = parseTaskId(request.params.required('task_id'));
  const waitMs = waitOf(request);
  const task = await getTask(context, taskId, waitMs);
  const body = taskBody(taskId.nodeId, task, { isDetailed: true, isHuman: request.human });
  return valueResponse({ completed: waitMs !== null, task: body });
};

const cancel: Handler = async (request, context) => {
  const named = request.params.string('task_id');
  const question = { ...questionOf(request), taskId: named === null ? null : parseTaskId(named) };
  return valueResponse(tasksBody(await cancelTasks(context, question), viewOf(request, true)));
};

function questionOf(request: HttpRequest): TasksQuestion {
  const { params } = request;
  const parent = params.string('parent_task_id');
  return {
    actions: params.list('actions'),
    nodes: params.list(params.has('nodes') ? 'nodes' : 'node_id'),
    parentTaskId: parent === null || parent === '' || parent === ANY_PARENT ? null : parent,
    taskId: null,
    waitMs: waitOf(request),
  };
}

function waitOf({ params }: HttpRequest): number | null {
  if (!params.boolean('wait_for_completion', false)) return null;
  return boundedMs(params.timeMs('timeout') ?? WAIT_MS_DEFAULT);
}

function viewOf({ params, human }: HttpRequest, isDetailed: boolean): TasksView {
  const groupBy = TASK_GROUPS.find((group) => group === params.string('group_by')) ?? 'nodes';
  return { groupBy, isDetailed, isHuman: human };
}

const FILTER_PARAMETERS = {
  actions: 'list',
  nodes: 'list',
  node_id: 'list',
  parent_task_id: 'string',
  group_by: TASK_GROUPS,
  wait_for_completion: 'boolean',
  timeout: 'time',
} as const;

export const taskRoutes: readonly Route<CoordinatorContext>[] = [
  { methods: ['GET'], paths: ['/_tasks'], params: { ...FILTER_PARAMETERS, detailed: 'boolean' }, handler: list },
  {
    methods: ['GET'],
    paths: ['/_tasks/{task_id}'],
    params: { wait_for_completion: 'boolean', timeout: 'time' },
    handler: get,
  },
  {
    methods: ['POST'],
    paths: ['/_tasks/_cancel', '/_tasks/{task_id}/_cancel'],
    params: FILTER_PARAMETERS,
    handler: cancel,
  },
];
