/**
 * One task by its id: while it runs its node tells, behind that what it left in `.tasks`.
 */
import { isShoalError } from '@shoal/core';
import type { TaskInfo } from '@shoal/protocol';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { executeGet } from '../documents/execute-get.ts';
import { getTask, type TasksWait } from '../nodes/ask-tasks.ts';
import type { TaskId } from '../tasks/task-id.ts';
import { TASKS_INDEX } from './store-task-result.ts';

export type FoundTask =
  | { readonly kind: 'listed'; readonly task: TaskInfo; readonly isCompleted: boolean }
  /** JSON of the whole answer. */
  | { readonly kind: 'stored'; readonly result: Uint8Array };

/** @throws resource_not_found_exception */
export async function findTask(context: CoordinatorContext, taskId: TaskId, wait: TasksWait): Promise<FoundTask> {
  try {
    const task = await getTask(context, taskId, wait);
    const stored = wait.isForEnd ? await storedResult(context, taskId) : null;
    return stored === null ? { kind: 'listed', task, isCompleted: wait.isForEnd } : { kind: 'stored', result: stored };
  } catch (error) {
    if (!isShoalError(error) || error.type !== 'resource_not_found_exception') throw error;
    const stored = await storedResult(context, taskId);
    if (stored === null) throw error;
    return { kind: 'stored', result: stored };
  }
}

async function storedResult(context: CoordinatorContext, { nodeId, id }: TaskId): Promise<Uint8Array | null> {
  if (!context.cluster.state().metadata.indices.has(TASKS_INDEX)) return null;
  const key = { index: TASKS_INDEX, id: `${nodeId}:${id}`, routing: null };
  const { document } = await executeGet(context, key, { realtime: true, refresh: false });
  return document?.source ?? null;
}
