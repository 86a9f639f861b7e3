/**
 * `wait_for_completion=false`: the request is answered with the id of its task, and what becomes of the task is stored.
 */
import { type CoordinatorContext, storeTaskResult } from '@shoal/coordinator';
import { asShoalError, assert, isAssertionFailure, renderCause } from '@shoal/core';
import { type HttpRequest, type HttpResponse, type ParameterDeclarations, valueResponse } from '@shoal/http';
import { taskBody } from './tasks-body.ts';

/** Parameters of the APIs whose work can go on behind the answer. */
export const DETACHING_PARAMETERS: ParameterDeclarations = { wait_for_completion: 'boolean' };

/** Answer of work that was done; a stored one is for people. */
export interface WorkAnswer {
  readonly status: number;
  readonly body: (isHuman: boolean) => unknown;
}

/** Everything that is wrong with the request is to be said before: what `work` throws may be heard by nobody. */
export async function answerOrDetach(
  request: HttpRequest,
  context: CoordinatorContext,
  work: () => Promise<WorkAnswer>,
): Promise<HttpResponse> {
  if (request.params.boolean('wait_for_completion', true)) {
    const { status, body } = await work();
    return valueResponse(body(request.human), status);
  }
  const { task, cluster } = context;
  assert(task !== null, 'work without a task cannot be detached');
  task.isDetached = true;
  const taskId = `${cluster.localNode.id}:${task.id}`;
  context.runtime.sched.soon(() => void runDetached(context, taskId, work));
  return valueResponse({ task: taskId });
}

async function runDetached(
  context: CoordinatorContext,
  taskId: string,
  work: () => Promise<WorkAnswer>,
): Promise<void> {
  const { task, tasks, cluster, runtime } = context;
  assert(task !== null, `task ${taskId} has no context`);
  const shown = (): unknown => taskBody(cluster.localNode.id, tasks.info(task), { isDetailed: true, isHuman: false });
  try {
    const { body } = await work();
    await storeTaskResult(context, taskId, { completed: true, task: shown(), response: body(true) });
  } catch (error) {
    // A broken invariant is not an answer: it is left to whoever stops the process for it.
    if (isAssertionFailure(error)) throw error;
    const failure = asShoalError(error);
    runtime.log.info('a task that nobody waited for failed', { taskId, type: failure.type, reason: failure.reason });
    await storeTaskResult(context, taskId, { completed: true, task: shown(), error: renderCause(failure) });
  } finally {
    tasks.end(task);
  }
}
