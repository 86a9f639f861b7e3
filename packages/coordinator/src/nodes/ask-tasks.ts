/**
 * Asks the nodes for their tasks, or to stop them: those that a request names, or the one node that a task's id names.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import {
  CANCEL_TASKS,
  LIST_TASKS,
  type ListTasksRequest,
  RETHROTTLE_TASK,
  type TaskInfo,
  type TasksResponse,
} from '@shoal/protocol';
import type { ActionCodec } from '@shoal/transport';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { parseTaskId, type TaskId } from '../tasks/task-id.ts';
import { filterNodes } from './node-filter.ts';
import { askNodes, NODE_TIMEOUT_MS_DEFAULT, type NodeFailure } from './node-requests.ts';

export interface NodeTasks {
  readonly node: DiscoveryNode;
  readonly tasks: readonly TaskInfo[];
}

export interface GatheredTasks {
  /** In the order of the cluster state. */
  readonly nodes: readonly NodeTasks[];
  readonly failures: readonly NodeFailure[];
}

export interface TasksQuestion {
  readonly actions: readonly string[];
  readonly nodes: readonly string[];
  readonly parentTaskId: string | null;
  /** null: all that the rest names. */
  readonly taskId: TaskId | null;
  readonly wait: TasksWait;
}

/** How long an answer about tasks may take. */
export interface TasksWait {
  /** The answer comes when the tasks have ended. */
  readonly isForEnd: boolean;
  /** Milliseconds that the end is waited for, or, where it is not, until a node that says nothing counts as failed. */
  readonly timeoutMs: number;
}

/** Tasks as they are, from all nodes that answer in the usual time. */
export const AS_THEY_ARE: TasksWait = { isForEnd: false, timeoutMs: NODE_TIMEOUT_MS_DEFAULT };

/** What a node may take beyond what it was told to wait. */
const WAIT_GRACE_MS = 1_000;
const BY_USER = 'by user request';

export function listTasks(context: CoordinatorContext, question: TasksQuestion): Promise<GatheredTasks> {
  return ask(context, question, LIST_TASKS, (request) => request);
}

export function cancelTasks(context: CoordinatorContext, question: TasksQuestion): Promise<GatheredTasks> {
  return ask(context, question, CANCEL_TASKS, (request) => ({ ...request, reason: BY_USER }));
}

/** Another pace for one task: so many requests a second, null for any number. */
export async function rethrottleTask(
  context: CoordinatorContext,
  { nodeId, id }: TaskId,
  requestsPerSecond: number | null,
): Promise<GatheredTasks> {
  const node = context.cluster.state().nodes.get(nodeId);
  if (node === undefined) return { nodes: [], failures: [noSuchNode(nodeId)] };
  const request = { taskId: id, requestsPerSecond };
  const { answers, failures } = await askNodes(context, [node], RETHROTTLE_TASK, () => request);
  const tasks = answers.get(nodeId)?.tasks ?? [];
  return { nodes: tasks.length === 0 ? [] : [{ node, tasks }], failures };
}

/** The one task; throws 404 where it is not. */
export async function getTask(context: CoordinatorContext, taskId: TaskId, wait: TasksWait): Promise<TaskInfo> {
  const { nodeId, id } = taskId;
  if (!context.cluster.state().nodes.has(nodeId)) {
    throw new ShoalError(
      'resource_not_found_exception',
      404,
      `task [${nodeId}:${id}] belongs to the node [${nodeId}] which isn't part of the cluster and there is no record of the task`,
    );
  }
  const { nodes, failures } = await listTasks(context, { actions: [], nodes: [], parentTaskId: null, taskId, wait });
  const [failure] = failures;
  if (failure !== undefined) throw failure.error;
  const task = nodes[0]?.tasks[0];
  if (task === undefined) throw new ShoalError('illegal_state_exception', 500, `no answer for task [${nodeId}:${id}]`);
  return task;
}

async function ask<Req>(
  context: CoordinatorContext,
  question: TasksQuestion,
  codec: ActionCodec<Req, TasksResponse>,
  requestOf: (request: ListTasksRequest) => Req,
): Promise<GatheredTasks> {
  const { taskId, actions, parentTaskId } = question;
  const { isForEnd, timeoutMs } = question.wait;
  if (parentTaskId !== null) parseTaskId(parentTaskId);
  const state = context.cluster.state();
  const one = taskId === null ? null : state.nodes.get(taskId.nodeId);
  if (taskId !== null && !one) return { nodes: [], failures: [noSuchNode(taskId.nodeId)] };
  const nodes = one ? [one] : filterNodes(state, context.cluster.localNode.id, question.nodes);
  const request = requestOf({
    filter: { actions, parentTaskId, taskId: taskId?.id ?? null },
    waitMs: isForEnd ? timeoutMs : null,
  });
  const { answers, failures } = await askNodes(
    context,
    nodes,
    codec,
    () => request,
    isForEnd ? timeoutMs + WAIT_GRACE_MS : timeoutMs,
  );
  const answered = nodes.flatMap((node) => {
    const tasks = answers.get(node.id)?.tasks ?? [];
    return tasks.length === 0 ? [] : [{ node, tasks }];
  });
  return { nodes: answered, failures };
}

function noSuchNode(nodeId: string): NodeFailure {
  return {
    nodeId,
    error: new ShoalError('no_such_node_exception', 500, `No such node [${nodeId}]`, { metadata: { node_id: nodeId } }),
  };
}
