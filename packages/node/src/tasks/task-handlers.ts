/**
 * Answers what other nodes ask of this node's tasks: which there are, and to stop some of them.
 */

import type { CoordinatorContext, Task, TaskRegistry } from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { CANCEL_TASKS, LIST_TASKS, RETHROTTLE_TASK, type TaskFilter } from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import { requestTasks } from './request-tasks.ts';

/** Those who ask for the list would wait for themselves. */
const ASKING_ACTION = /^cluster:(?:monitor\/tasks?\/|admin\/tasks\/|admin\/reindex\/)/;

/** From now on what comes over 9300 is listed too. */
export function registerTaskHandlers(context: CoordinatorContext): void {
  const { cluster, tasks } = context;
  const { transport, localNode } = cluster;
  transport.track(requestTasks(tasks, localNode.id));
  handleWith(transport, LIST_TASKS, async ({ filter, waitMs }) => {
    const found = tasks.find(filter);
    if (filter.taskId !== null && found.length === 0) throw notRunning(localNode.id, filter);
    const infos = found.map((task) => tasks.info(task));
    await waitForEnds(context, found, waitMs);
    return { tasks: infos };
  });
  handleWith(transport, CANCEL_TASKS, async ({ filter, waitMs, reason }) => {
    const chosen = cancellable(tasks, filter, localNode.id);
    for (const task of chosen) task.cancel(reason);
    const infos = chosen.map((task) => tasks.info(task));
    await waitForEnds(context, chosen, waitMs);
    return { tasks: infos };
  });
  handleWith(transport, RETHROTTLE_TASK, async ({ taskId, requestsPerSecond }) => {
    const task = tasks.task(taskId);
    if (task === null) {
      throw new ShoalError('resource_not_found_exception', 404, `task [${localNode.id}:${taskId}] is missing`);
    }
    if (task.rethrottle === null) {
      throw illegalArgument(`task [${localNode.id}:${taskId}] doesn't support this operation`);
    }
    task.rethrottle(requestsPerSecond ?? Number.POSITIVE_INFINITY);
    return { tasks: [tasks.info(task)] };
  });
}

function cancellable(tasks: TaskRegistry, filter: TaskFilter, nodeId: string): readonly Task[] {
  const found = tasks.find(filter);
  if (filter.taskId !== null) {
    const [task] = found;
    if (task === undefined) throw notFound(nodeId, filter);
    if (!task.start.isCancellable)
      throw illegalArgument(`task [${taskIdOf(nodeId, filter)}] doesn't support cancellation`);
  }
  return found.filter((task) => task.start.isCancellable);
}

async function waitForEnds(
  { runtime }: CoordinatorContext,
  found: readonly Task[],
  waitMs: number | null,
): Promise<void> {
  if (waitMs === null) return;
  const waiting = found.filter((task) => !ASKING_ACTION.test(task.start.action));
  await new Promise<void>((resolve, reject) => {
    const stopTimer = runtime.sched.after(waitMs, () => reject(notInTime()));
    void Promise.all(waiting.map((task) => task.whenEnded())).then(() => {
      stopTimer();
      resolve();
    });
  });
}

function taskIdOf(nodeId: string, { taskId }: TaskFilter): string {
  return `${nodeId}:${taskId ?? ''}`;
}

function notFound(nodeId: string, filter: TaskFilter): ShoalError {
  return new ShoalError('resource_not_found_exception', 404, `task [${taskIdOf(nodeId, filter)}] is not found`);
}

function notRunning(nodeId: string, filter: TaskFilter): ShoalError {
  const reason = `task [${taskIdOf(nodeId, filter)}] isn't running and hasn't stored its results`;
  return new ShoalError('resource_not_found_exception', 404, reason);
}

function notInTime(): ShoalError {
  return new ShoalError('timeout_exception', 500, 'Timed out waiting for completion of tasks');
}
