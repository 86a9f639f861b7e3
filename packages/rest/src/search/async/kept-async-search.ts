/**
 * `_async_search/{id}`: shows, watches and deletes a search that was begun before, on whichever node it runs.
 */
import { asyncSearchNode, type CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument, RawJson, ShoalError, writeJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, type ParameterDeclarations, valueResponse } from '@shoal/http';
import {
  ASYNC_SEARCH,
  type AsyncSearchRequest,
  type AsyncSearchResponse,
  type AsyncSearchWork,
  FORGET_ASYNC_SEARCHES,
} from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import type { ActionName, RestApi } from '../../api/rest-api.ts';
import { asyncSearchBody, asyncStatusBody } from './async-search-body.ts';
import { asyncWaitMs } from './submit-async-search.ts';

/** What another node may take beyond what it was told to wait. */
const GRACE_MS = 30_000;
const NOT_FOUND = 404;

const ACTIONS: Readonly<Record<AsyncSearchWork, ActionName>> = {
  delete: 'indices:data/read/async_search/delete',
  get: 'indices:data/read/async_search/get',
  status: 'cluster:monitor/async_search/status',
};

export const getAsyncSearchApi: RestApi = keptApi('get', '/_async_search/{id}', {
  keep_alive: 'time',
  return_intermediate_results: 'boolean',
  typed_keys: 'boolean',
  wait_for_completion_timeout: 'time',
});
export const asyncSearchStatusApi: RestApi = keptApi('status', '/_async_search/status/{id}', {
  keep_alive: 'time',
});
export const deleteAsyncSearchApi: RestApi = keptApi('delete', '/_async_search/{id}', {});

function keptApi(work: AsyncSearchWork, path: string, params: ParameterDeclarations): RestApi {
  return {
    usageName: `async_search_${work}_action`,
    methods: [work === 'delete' ? 'DELETE' : 'GET'],
    paths: [path],
    privilege: ACTIONS[work],
    task: null,
    params,
    handler: (request, context) => askOwner(request, context, work),
  };
}

async function askOwner(
  request: HttpRequest,
  { cluster }: CoordinatorContext,
  work: AsyncSearchWork,
): Promise<HttpResponse> {
  const { params } = request;
  const id = params.required('id');
  const nodeId = asyncSearchNode(id);
  if (nodeId === null) throw illegalArgument(`invalid id: [${id}]`);
  if (!cluster.state().nodes.has(nodeId)) throw notFound(id);
  const isGet = work === 'get';
  const waitMs = isGet ? (asyncWaitMs(request) ?? 0) : 0;
  const { status, body } = await cluster.send(
    nodeId,
    ASYNC_SEARCH,
    {
      id,
      work,
      waitMs,
      keepAliveMs: work === 'delete' ? null : params.timeMs('keep_alive'),
      typedKeys: isGet && params.boolean('typed_keys', false),
      showsPartial: !isGet || params.boolean('return_intermediate_results', true),
    },
    { channel: 'reg', timeoutMs: waitMs + GRACE_MS },
  );
  if (status === NOT_FOUND && body.length === 0) throw notFound(id);
  return valueResponse(new RawJson(body), status);
}

function notFound(id: string): ShoalError {
  return new ShoalError('resource_not_found_exception', NOT_FOUND, id);
}

/** Answers what is asked of the asynchronous searches of this node. */
export function registerAsyncSearchHandler(context: CoordinatorContext): void {
  handleWith(context.cluster.transport, ASYNC_SEARCH, (request) => answer(context, request));
  handleWith(context.cluster.transport, FORGET_ASYNC_SEARCHES, () => {
    context.asyncSearches.removeAll();
    return {};
  });
}

async function answer(
  { asyncSearches, runtime }: CoordinatorContext,
  { id, work, waitMs, keepAliveMs, typedKeys, showsPartial }: AsyncSearchRequest,
): Promise<AsyncSearchResponse> {
  const search = asyncSearches.find(id);
  if (search === null) return { status: NOT_FOUND, body: new Uint8Array(0) };
  if (work === 'delete') {
    asyncSearches.remove(search);
    return { status: 200, body: writeJson({ acknowledged: true }) };
  }
  if (keepAliveMs !== null) asyncSearches.keep(search, keepAliveMs);
  await search.finished(waitMs, runtime.sched);
  const content = await search.content();
  if (work === 'status') return { status: 200, body: writeJson(asyncStatusBody(search, content)) };
  const view = { isKept: true, typedKeys, showsPartial };
  return { status: content.status, body: writeJson(asyncSearchBody(search, content, view)) };
}
