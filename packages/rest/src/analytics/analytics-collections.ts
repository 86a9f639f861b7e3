/**
 * `_application/analytics`: collections of events, each a data stream, and the events that applications send.
 */
import {
  BulkItems,
  type CoordinatorContext,
  DEFAULT_WRITE_TIMEOUT_MS,
  executeBulk,
  NO_EXTRAS,
} from '@shoal/coordinator';
import { matchesAny, ShoalError, writeJson } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { requiredBody } from '../request/json-body.ts';
import type { managerTimeouts } from '../request/manager-timeouts.ts';
import { analyticsEvent } from './analytics-event.ts';
import { STREAM_PREFIX, TEMPLATE, TEMPLATE_NAME } from './analytics-template.ts';

const PATH = '/_application/analytics/{name}';
const TIMEOUT_MS = 30_000;

const putCollectionApi: RestApi = {
  usageName: 'analytics_put_collection_action',
  methods: ['PUT'],
  paths: [PATH],
  privilege: 'cluster:admin/xpack/application/analytics/put',
  task: null,
  params: {},
  handler: putCollection,
};

const getCollectionsApi: RestApi = {
  usageName: 'analytics_get_collection_action',
  methods: ['GET'],
  paths: [PATH, '/_application/analytics'],
  privilege: 'cluster:admin/xpack/application/analytics/get',
  task: null,
  params: {},
  handler: async ({ params }, context) => {
    const asked = params.has('name') ? (params.list('name') ?? []) : ['*'];
    const all = collections(context);
    const missing = asked.find((name) => !name.includes('*') && !all.includes(name));
    if (missing !== undefined) throw collectionNotFound(missing);
    const found = all.filter((name) => matchesAny(asked, name));
    return valueResponse(
      Object.fromEntries(found.map((name) => [name, { event_data_stream: { name: STREAM_PREFIX + name } }])),
    );
  },
};

const deleteCollectionApi: RestApi = {
  usageName: 'analytics_delete_collection_action',
  methods: ['DELETE'],
  paths: [PATH],
  privilege: 'cluster:admin/xpack/application/analytics/delete',
  task: null,
  params: {},
  handler: async ({ params }, context) => {
    const name = params.required('name');
    if (!collections(context).includes(name)) throw collectionNotFound(name);
    const names = [STREAM_PREFIX + name];
    const { acknowledged } = await context.cluster.admin.deleteDataStreams({ ...TIMEOUTS, names });
    return valueResponse({ acknowledged });
  },
};

const postEventApi: RestApi = {
  usageName: 'analytics_post_event_action',
  methods: ['POST'],
  paths: ['/_application/analytics/{collection_name}/event/{event_type}'],
  privilege: 'cluster:admin/xpack/application/analytics/post_event',
  task: null,
  body: 'json',
  params: { debug: 'boolean' },
  handler: postEvent,
};

export const ANALYTICS_APIS: readonly RestApi[] = [
  putCollectionApi,
  getCollectionsApi,
  deleteCollectionApi,
  postEventApi,
];

const TIMEOUTS: ReturnType<typeof managerTimeouts> = { masterTimeoutMs: TIMEOUT_MS, timeoutMs: TIMEOUT_MS };

async function putCollection({ params }: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const name = params.required('name');
  const { admin } = context.cluster;
  if (collections(context).includes(name)) {
    throw new ShoalError('resource_already_exists_exception', 400, `analytics collection [${name}] already exists`);
  }
  // A template of a user under that name stays.
  if (!context.cluster.state().metadata.templates.index.has(TEMPLATE_NAME)) {
    await admin.putTemplate({ ...TIMEOUTS, kind: 'index', name: TEMPLATE_NAME, create: false, body: TEMPLATE });
  }
  const stream = STREAM_PREFIX + name;
  const { acknowledged } = await admin.createDataStream({ ...TIMEOUTS, name: stream });
  // The cluster manager applied it; this node may be a moment behind.
  await context.cluster.waitForState((state) => state.metadata.dataStreams.has(stream), TIMEOUT_MS);
  return valueResponse({ acknowledged, name });
}

/** Answered when the event is written. */
async function postEvent(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const collection = params.required('collection_name');
  if (!collections(context).includes(collection)) throw collectionNotFound(collection);
  const timeMs = context.runtime.clock.wallMs();
  const event = analyticsEvent({ type: params.required('event_type'), collection, timeMs }, requiredBody(request));
  const write = { action: 'create', index: STREAM_PREFIX + collection, id: null, source: writeJson(event) } as const;
  const options = { refresh: 'none', timeoutMs: DEFAULT_WRITE_TIMEOUT_MS, waitForActiveShards: null } as const;
  const outcome = (await executeBulk(context, BulkItems.of({ ...NO_EXTRAS, ...write }), options)).at(0);
  if (outcome.kind === 'failed') throw outcome.error;
  return valueResponse({ accepted: true, ...(params.boolean('debug', false) && { event }) }, 202);
}

/** Names of all, in order. */
function collections({ cluster }: CoordinatorContext): readonly string[] {
  const streams = [...cluster.state().metadata.dataStreams.keys()];
  const ours = streams.filter((name) => name.startsWith(STREAM_PREFIX));
  return ours.map((name) => name.slice(STREAM_PREFIX.length)).toSorted();
}

function collectionNotFound(name: string): ShoalError {
  return new ShoalError('resource_not_found_exception', 404, name);
}
