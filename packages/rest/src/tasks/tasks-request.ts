/**
 * Parameters of the APIs of tasks: which tasks, and in which form.
 */
import { NODE_TIMEOUT_MS_DEFAULT, type TasksQuestion, type TasksWait } from '@shoal/coordinator';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import { boundedMs } from '../request/manager-timeouts.ts';
import { TASK_GROUPS, type TasksView } from './tasks-body.ts';

/** `parent_task_id` that every task fits. */
const ANY_PARENT = '-1';

/** Parameters of the form of the answer. */
export const TASK_GROUPING_PARAMETERS: ParameterDeclarations = { group_by: TASK_GROUPS };

/** Parameters that choose tasks by what they do and where, and how long the answer may take. */
export const TASK_FILTER_PARAMETERS: ParameterDeclarations = {
  actions: 'list',
  nodes: 'list',
  node_id: 'list',
  parent_task_id: 'string',
  wait_for_completion: 'boolean',
  timeout: 'time',
};

/** The tasks that a request chooses. */
export function tasksQuestion(request: HttpRequest): TasksQuestion {
  const { params } = request;
  const parent = params.string('parent_task_id');
  return {
    actions: params.list('actions'),
    nodes: params.list(params.has('nodes') ? 'nodes' : 'node_id'),
    parentTaskId: parent === null || parent === '' || parent === ANY_PARENT ? null : parent,
    taskId: null,
    wait: tasksWait(request),
  };
}

/** What `wait_for_completion` and `timeout` say. */
export function tasksWait({ params }: HttpRequest): TasksWait {
  return {
    isForEnd: params.boolean('wait_for_completion', false),
    timeoutMs: boundedMs(params.timeMs('timeout') ?? NODE_TIMEOUT_MS_DEFAULT),
  };
}

/** Form of the answer: grouping and detail. */
export function tasksView({ params, human }: HttpRequest, isDetailed: boolean): TasksView {
  const groupBy = TASK_GROUPS.find((group) => group === params.string('group_by')) ?? 'nodes';
  return { groupBy, isDetailed, isHuman: human };
}
