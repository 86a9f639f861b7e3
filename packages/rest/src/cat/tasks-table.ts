/**
 * `_cat/tasks`: one row a task that runs in the cluster.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { type CoordinatorContext, type GatheredTasks, listTasks } from '@shoal/coordinator';
import { API_VERSION } from '@shoal/core';
import { type HttpRequest, type ParameterDeclarations, withoutEffect } from '@shoal/http';
import type { TaskInfo } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { TASK_FILTER_PARAMETERS, tasksQuestion } from '../tasks/tasks-request.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';

const NOTHING = '-';

const NANOS_PER_MILLI = 1e6;

const MICROS_PER_MILLI = 1e3;

const HIDDEN = ['hidden'] as const;

const COLUMNS: readonly CatColumn[] = [
  column('id', '', 'number of the task on its node', HIDDEN),
  column('action', 'ac', 'what is done'),
  column('task_id', 'ti', 'node and number'),
  column('parent_task_id', 'pti', 'the task that caused it'),
  column('type', 'ty', 'where it was caused'),
  column('start_time', 'start', 'start in milliseconds since 1970'),
  column('timestamp', 'ts,hms,hhmmss', 'start as HH:MM:SS'),
  column('running_time_ns', 'time', 'running time in nanoseconds', HIDDEN),
  column('running_time', 'time', 'running time'),
  column('node_id', 'ni', 'id of the node', HIDDEN),
  column('ip', 'i', 'address of the node'),
  column('port', 'po', 'transport port of the node', HIDDEN),
  column('node', 'n', 'name of the node'),
  column('version', 'v', 'version of the node', HIDDEN),
  column('x_opaque_id', 'x', 'the X-Opaque-ID header', HIDDEN),
];

const DESCRIPTION = column('description', 'desc', 'what the task works on');

/** Every column that can be had, for the help. */
const TASKS_COLUMNS: readonly CatColumn[] = [...COLUMNS, DESCRIPTION];

const OF_NODES = 'tasks are asked of the nodes themselves';
const WITHOUT_MANAGER: ParameterDeclarations = {
  local: withoutEffect('boolean', OF_NODES),
  master_timeout: withoutEffect('time', OF_NODES),
  cluster_manager_timeout: withoutEffect('time', OF_NODES),
};

export const catTasksApi: RestApi = catApi({
  usageName: 'cat_tasks_action',
  paths: ['/_cat/tasks'],
  privilege: 'cluster:monitor/tasks/lists',
  task: { action: 'cluster:monitor/tasks/lists', isCancellable: false },
  columns: TASKS_COLUMNS,
  params: {
    ...WITHOUT_MANAGER,
    ...TASK_FILTER_PARAMETERS,
    detailed: 'boolean',
  },
  table: tasks,
});

async function tasks(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const found = await listTasks(context, tasksQuestion(request));
  return tasksTable(found, request.params.boolean('detailed', false));
}

function tasksTable({ nodes }: GatheredTasks, isDetailed: boolean): CatTable {
  const rows = nodes.flatMap(({ node, tasks }) =>
    tasks.map((task) => [...cellsOf(node, task), ...(isDetailed ? [task.description || NOTHING] : [])]),
  );
  return { columns: isDetailed ? TASKS_COLUMNS : COLUMNS, rows };
}

function cellsOf(node: DiscoveryNode, task: TaskInfo): readonly CatCell[] {
  const { host, port } = node.address;
  return [
    task.id,
    task.action,
    `${node.id}:${task.id}`,
    task.parentTaskId ?? NOTHING,
    task.type,
    task.startTimeMs,
    new Date(task.startTimeMs).toISOString().slice('0000-00-00T'.length, '0000-00-00T00:00:00'.length),
    task.runningTimeNanos,
    runningTime(task.runningTimeNanos),
    node.id,
    host,
    port,
    node.name,
    API_VERSION.number,
    task.headers['X-Opaque-Id'] ?? NOTHING,
  ];
}

/** Most tasks are shorter than a millisecond, which durations of the other tables do not tell apart. */
function runningTime(nanos: number): CatCell {
  const ms = nanos / NANOS_PER_MILLI;
  return ms < 1 ? `${Math.floor(ms * MICROS_PER_MILLI)}micros` : { kind: 'duration', ms: Math.floor(ms) };
}
