/**
 * Runs each request of an API as its task: listed by `_tasks` while it runs, named as the parent of what it asks of other nodes.
 *
 * A cancellable task hands its own cancel flag to the function of the API; the client that goes away cancels the task, but for
 * one that works on without it.
 */
import { TaskCluster } from '@shoal/coordinator';
import { assert } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import type { ApiTask, RestApi } from './rest-api.ts';

type Handler = RestApi['handler'];

const OPAQUE_ID_CHARS_MAX = 1_024;
const NO_HEADERS: Readonly<Record<string, string>> = {};
const NO_DESCRIPTION = (): string => '';

/** The API with its task around its function; the same API when it has none. */
export function runAsTask(api: RestApi): RestApi {
  const { task } = api;
  if (task === null) return api;
  assert(api.paths.length > 0, `an API of the task ${task.action} has no path`);
  return { ...api, handler: taskHandler(task, api.handler) };
}

function taskHandler(api: ApiTask, handler: Handler): Handler {
  const { action, isCancellable, describe = NO_DESCRIPTION, outlivesClient = false } = api;
  return async (request, context) => {
    const { tasks } = context;
    const headers = taskHeaders(request);
    const task = tasks.begin({
      type: 'transport',
      action,
      isCancellable,
      parentTaskId: null,
      headers,
      describe: () => describe(request),
    });
    const cluster = new TaskCluster(context.cluster, { taskId: `${context.cluster.localNode.id}:${task.id}`, headers });
    try {
      if (!isCancellable) return await handler(request, { ...context, cluster, task });
      if (!outlivesClient) request.signal.onCancel(() => task.cancel(request.signal.reason ?? 'http channel closed'));
      return await handler({ ...request, signal: task.flag }, { ...context, cluster, task });
    } finally {
      if (!task.isDetached) tasks.end(task);
    }
  };
}

function taskHeaders({ headers }: HttpRequest): Readonly<Record<string, string>> {
  const opaqueId = headers['x-opaque-id'];
  return opaqueId === undefined ? NO_HEADERS : { 'X-Opaque-Id': opaqueId.slice(0, OPAQUE_ID_CHARS_MAX) };
}
