/**
 * Requests of clients as tasks: which routes are one, under which of Elasticsearch's action names, and what is said of them.
 *
 * A search is told to stop when its task is cancelled, and its task is cancelled when its client goes away.
 */

import { type CoordinatorContext, TaskCluster } from '@shoal/coordinator';
import { assert } from '@shoal/core';
import type { HttpRequest, Route } from '@shoal/http';

interface RouteAction {
  readonly action: string;
  readonly isCancellable: boolean;
  readonly describe: (request: HttpRequest) => string;
}

const OPAQUE_ID_CHARS_MAX = 1_024;
const DECODER = new TextDecoder();
const NOTHING = (): string => '';

function cancellable(action: string, describe: RouteAction['describe']): RouteAction {
  return { action, isCancellable: true, describe };
}

function plain(action: string, describe: RouteAction['describe'] = NOTHING): RouteAction {
  return { action, isCancellable: false, describe };
}

const SEARCH = cancellable('indices:data/read/search', describeSearch);
const WRITE_ONE = plain('indices:data/write/index', (request) => `index {[${given(request, 'index')}]}`);
const LIST = plain('cluster:monitor/tasks/lists');
const CANCEL = plain('cluster:admin/tasks/cancel');

/** By method and first path of the route. */
const ROUTE_ACTIONS: ReadonlyMap<string, RouteAction> = new Map([
  ['GET /_search', SEARCH],
  ['GET /_count', SEARCH],
  ['GET /_msearch', cancellable('indices:data/read/msearch', NOTHING)],
  ['GET /_search/scroll', cancellable('indices:data/read/scroll', NOTHING)],
  ['DELETE /_search/scroll', plain('indices:data/read/scroll/clear')],
  ['POST /{index}/_pit', plain('indices:data/read/open_point_in_time')],
  ['GET /{index}/_explain/{id}', plain('indices:data/read/explain')],
  ['GET /_mget', plain('indices:data/read/mget')],
  ['POST /_bulk', plain('indices:data/write/bulk', (request) => `indices[${given(request, 'index')}]`)],
  ['GET /{index}/_doc/{id}', plain('indices:data/read/get')],
  ['PUT /{index}/_doc/{id}', WRITE_ONE],
  ['POST /{index}/_doc', WRITE_ONE],
  ['PUT /{index}/_create/{id}', WRITE_ONE],
  ['DELETE /{index}/_doc/{id}', plain('indices:data/write/delete')],
  ['POST /{index}/_update/{id}', plain('indices:data/write/update')],
  ['GET /_tasks', LIST],
  ['GET /_cat/tasks', LIST],
  ['GET /_tasks/{task_id}', plain('cluster:monitor/task/get')],
  ['POST /_tasks/_cancel', CANCEL],
]);

/** The routes, those of the table with a task around each of their requests. */
export function taskedRoutes(routes: readonly Route<CoordinatorContext>[]): readonly Route<CoordinatorContext>[] {
  const unused = new Set(ROUTE_ACTIONS.keys());
  const tasked = routes.map((route) => {
    const key = `${route.methods[0] ?? ''} ${route.paths[0] ?? ''}`;
    const action = ROUTE_ACTIONS.get(key);
    unused.delete(key);
    return action === undefined ? route : { ...route, handler: asTask(action, route.handler) };
  });
  assert(unused.size === 0, `no routes for the tasks of ${[...unused].join(', ')}`);
  return tasked;
}

type Handler = Route<CoordinatorContext>['handler'];

function asTask({ action, isCancellable, describe }: RouteAction, handler: Handler): Handler {
  return async (request, context) => {
    const { tasks } = context;
    const headers = headersOf(request);
    const describeNow = (): string => describe(request);
    const task = tasks.begin({
      type: 'transport',
      action,
      isCancellable,
      parentTaskId: null,
      headers,
      describe: describeNow,
    });
    const cluster = new TaskCluster(context.cluster, { taskId: `${context.cluster.localNode.id}:${task.id}`, headers });
    try {
      if (!isCancellable) return await handler(request, { ...context, cluster });
      request.signal.onCancel(() => task.cancel(request.signal.reason ?? 'http channel closed'));
      return await handler({ ...request, signal: task.flag }, { ...context, cluster });
    } finally {
      tasks.end(task);
    }
  };
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

function headersOf({ headers }: HttpRequest): Readonly<Record<string, string>> {
  const opaqueId = headers['x-opaque-id'];
  return opaqueId === undefined ? NO_HEADERS : { 'X-Opaque-Id': opaqueId.slice(0, OPAQUE_ID_CHARS_MAX) };
}

function describeSearch(request: HttpRequest): string {
  const type = given(request, 'search_type') || 'query_then_fetch';
  const source = request.body === null ? '' : DECODER.decode(request.body);
  return `indices[${given(request, 'index')}], search_type[${type.toUpperCase()}], source[${source}]`;
}

/** Empty without. Not every route of one action declares every name. */
function given({ params }: HttpRequest, name: string): string {
  return params.entries().get(name) ?? '';
}
