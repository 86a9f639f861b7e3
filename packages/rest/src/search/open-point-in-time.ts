/**
 * Opens a point in time, in the paths and with the answers of both products.
 */
import {
  type CoordinatorContext,
  keepAliveMs,
  openPointInTime,
  READ_INDICES_OPTIONS,
  renderShardCounts,
  validationError,
} from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { bodyObject, type JsonObject, unknownKey } from '../request/json-body.ts';
import { concurrentShardRequests } from './search-parameters.ts';

export const openPointInTimeApi: RestApi = {
  usageName: 'open_point_in_time',
  methods: ['POST'],
  paths: ['/{index}/_pit', '/{index}/_search/point_in_time'],
  privilege: 'indices:data/read/open_point_in_time',
  task: { action: 'indices:data/read/open_point_in_time', isCancellable: false },
  body: 'json',
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    keep_alive: 'string',
    preference: 'string',
    routing: 'list',
    allow_partial_search_results: 'boolean',
    max_concurrent_shard_requests: 'integer',
    allow_partial_pit_creation: 'boolean',
  },
  handler: openReader,
};

async function openReader(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const keepAlive = params.string('keep_alive');
  if (keepAlive === null) throw validationError(['[keep_alive] is not specified']);
  refuseMembers(bodyObject(request));
  const isOther = request.path.endsWith('/point_in_time');
  const opened = await openPointInTime(context, {
    expression: params.string('index'),
    indicesOptions: indicesOptionsOf(params, READ_INDICES_OPTIONS),
    routings: params.list('routing'),
    keepAliveMs: keepAliveMs(context, keepAlive, 'keep_alive'),
    maxConcurrentOpens: params.has('max_concurrent_shard_requests') ? concurrentShardRequests(params, 1) : null,
    allowPartial: isOther
      ? params.boolean('allow_partial_pit_creation', true)
      : params.boolean('allow_partial_search_results', false),
  });
  const shards = renderShardCounts(opened.shards);
  if (!isOther) return valueResponse({ id: opened.id, _shards: shards });
  return valueResponse({ pit_id: opened.id, _shards: shards, creation_time: opened.createdAtMs });
}

/** A filter decides which indices are in: without it other documents would be found. */
function refuseMembers(body: JsonObject): void {
  const member = unknownKey(body, []);
  if (member === 'index_filter')
    throw illegalArgument('[index_filter] of a point in time is not supported by this server');
  if (member !== undefined) throw illegalArgument(`[open_point_in_time] unknown field [${member}]`);
}
