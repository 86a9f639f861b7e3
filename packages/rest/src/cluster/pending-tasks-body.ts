/**
 * Changes that wait for the cluster manager: body of `_cluster/pending_tasks`, and what health says of the same queue.
 */

import type { ClusterState } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { isAssertionFailure } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import { PENDING_TASKS, type PendingTask } from '@shoal/protocol';
import { durationText } from '../bodies/unit-text.ts';
import { readState } from '../request/managed-state.ts';
import { masterTimeoutMs } from '../request/manager-timeouts.ts';

export interface QueueCounts {
  readonly waiting: number;
  readonly longestMs: number;
}

/** Health must not wait for a cluster manager that does not answer: then the queue counts as empty. */
const QUEUE_ANSWER_MS = 100;
export const EMPTY_QUEUE: QueueCounts = { waiting: 0, longestMs: 0 };

/** Changes that wait for the cluster manager; none where `?local=true` asks a node that is not it. */
export async function waitingTasks(request: HttpRequest, context: CoordinatorContext): Promise<readonly PendingTask[]> {
  const { admin, localNode } = context.cluster;
  const state = await readState(request, context);
  const isAsked = !request.params.boolean('local', false) || state.clusterManagerId === localNode.id;
  return isAsked ? admin.pendingTasks({ masterTimeoutMs: masterTimeoutMs(request) }) : [];
}

export function pendingTasksBody(tasks: readonly PendingTask[]): Readonly<Record<string, unknown>> {
  return {
    tasks: tasks.map((task) => ({
      insert_order: task.insertOrder,
      priority: task.priority.toUpperCase(),
      source: task.source,
      executing: task.executing,
      time_in_queue_millis: task.timeInQueueMillis,
      time_in_queue: durationText(task.timeInQueueMillis),
    })),
  };
}

/** Counts of the queue of the cluster manager of this state; empty with `?local=true`, and when the manager does not answer. */
export async function queueCounts(
  request: HttpRequest,
  context: CoordinatorContext,
  state: ClusterState,
): Promise<QueueCounts> {
  const managerId = state.clusterManagerId;
  if (managerId === null || request.params.boolean('local', false)) return EMPTY_QUEUE;
  try {
    const options = { channel: 'reg', timeoutMs: QUEUE_ANSWER_MS } as const;
    const { tasks } = await context.cluster.send(managerId, PENDING_TASKS, {}, options);
    const longestMs = tasks.reduce((longest, task) => Math.max(longest, task.timeInQueueMillis), 0);
    return { waiting: tasks.length, longestMs };
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return EMPTY_QUEUE;
  }
}

/** Longest wait for a state before the queue is asked again. */
const QUEUE_RECHECK_MS = 100;

/**
 * `wait_for_events`: waits until the cluster manager has nothing left to do, whatever the priority that was named.
 *
 * @returns false when it still has at the end of the time
 */
export async function queueDrained(
  request: HttpRequest,
  context: CoordinatorContext,
  timeoutMs: number,
): Promise<boolean> {
  const { clock } = context.runtime;
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    const state = context.cluster.state();
    if ((await queueCounts(request, context, state)).waiting === 0) return true;
    const leftMs = deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) return false;
    await context.cluster.waitForState((next) => next !== state, Math.min(leftMs, QUEUE_RECHECK_MS));
  }
}
