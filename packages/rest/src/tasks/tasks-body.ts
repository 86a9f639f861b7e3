/**
 * Tasks in the shapes of `_tasks`: below their nodes, below the tasks that caused them, or as one list.
 */

import { shownRoles } from '@shoal/cluster';
import { type GatheredTasks, type NodeTasks, nodeFailureBody } from '@shoal/coordinator';
import { RawJson, showHostPort } from '@shoal/core';
import type { TaskInfo } from '@shoal/protocol';
import { durationText } from '../bodies/unit-text.ts';

type Json = Readonly<Record<string, unknown>>;

export const TASK_GROUPS = ['nodes', 'parents', 'none'] as const;
export type TaskGroups = (typeof TASK_GROUPS)[number];

export interface TasksView {
  readonly groupBy: TaskGroups;
  readonly isDetailed: boolean;
  readonly isHuman: boolean;
}

const NANOS_PER_MILLI = 1e6;

export function tasksBody(gathered: GatheredTasks, view: TasksView): Json {
  const { failures } = gathered;
  const failed = failures.length === 0 ? {} : { node_failures: failures.map(nodeFailureBody) };
  switch (view.groupBy) {
    case 'nodes':
      return {
        ...failed,
        nodes: Object.fromEntries(gathered.nodes.map((entry) => [entry.node.id, ofNode(entry, view)])),
      };
    case 'parents':
      return { ...failed, tasks: byParents(gathered, view) };
    default:
      return { ...failed, tasks: allTasks(gathered, view).map(({ body }) => body) };
  }
}

export function taskBody(nodeId: string, task: TaskInfo, view: Omit<TasksView, 'groupBy'>): Json {
  const { isDetailed, isHuman } = view;
  return {
    node: nodeId,
    id: task.id,
    type: task.type,
    action: task.action,
    status: isDetailed && task.status !== null ? new RawJson(Buffer.from(task.status)) : undefined,
    description: isDetailed ? task.description : undefined,
    start_time: isHuman ? new Date(task.startTimeMs).toISOString() : undefined,
    start_time_in_millis: task.startTimeMs,
    running_time: isHuman ? durationText(task.runningTimeNanos / NANOS_PER_MILLI) : undefined,
    running_time_in_nanos: task.runningTimeNanos,
    cancellable: task.cancellable,
    cancelled: task.cancellable ? task.cancelled : undefined,
    parent_task_id: task.parentTaskId ?? undefined,
    headers: task.headers,
  };
}

function ofNode({ node, tasks }: NodeTasks, view: TasksView): Json {
  const { host } = node.address;
  return {
    name: node.name,
    transport_address: showHostPort(node.address),
    host,
    ip: showHostPort(node.address),
    roles: shownRoles(node.roles),
    attributes: Object.keys(node.attributes).length === 0 ? undefined : node.attributes,
    tasks: Object.fromEntries(tasks.map((task) => [`${node.id}:${task.id}`, taskBody(node.id, task, view)])),
  };
}

interface ShownTask {
  readonly taskId: string;
  readonly parentTaskId: string | null;
  readonly body: Json;
}

function allTasks({ nodes }: GatheredTasks, view: TasksView): readonly ShownTask[] {
  return nodes.flatMap(({ node, tasks }) =>
    tasks.map((task) => ({
      taskId: `${node.id}:${task.id}`,
      parentTaskId: task.parentTaskId,
      body: taskBody(node.id, task, view),
    })),
  );
}

/** Tasks below the tasks that caused them; those whose cause is not in the answer are at the top. */
function byParents(gathered: GatheredTasks, view: TasksView): Json {
  const all = allTasks(gathered, view);
  const known = new Set(all.map(({ taskId }) => taskId));
  const children = new Map<string, ShownTask[]>();
  for (const task of all) {
    if (task.parentTaskId === null || !known.has(task.parentTaskId)) continue;
    const siblings = children.get(task.parentTaskId) ?? [];
    siblings.push(task);
    children.set(task.parentTaskId, siblings);
  }
  const withChildren = ({ taskId, body }: ShownTask): Json => {
    const below = children.get(taskId);
    return below === undefined ? body : { ...body, children: below.map(withChildren) };
  };
  const tops = all.filter(({ parentTaskId }) => parentTaskId === null || !known.has(parentTaskId));
  return Object.fromEntries(tops.map((task) => [task.taskId, withChildren(task)]));
}
