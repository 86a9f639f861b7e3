/**
 * `_data_stream/{name}/_lifecycle`: how long data streams keep their documents, and what comes of each index of theirs.
 */
import { parseStreamLifecycle } from '@shoal/cluster';
import type { ClusterState, DataStream, DataStreamLifecycle, IndexMetadata } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  generationStartMs,
  METADATA_INDICES_OPTIONS,
  resolveNames,
  streamLifecycleOf,
} from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { durationText } from '../../bodies/unit-text.ts';
import { givenExpansion, INDICES_OPTIONS_PARAMETERS } from '../../request/indices-options-parameters.ts';
import { bodyObject } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, MANAGER_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';
import { namedIndices } from '../../request/named-indices.ts';
import { streamLifecycleBody } from './data-stream-body.ts';

type Json = Readonly<Record<string, unknown>>;

const PATH = '/_data_stream/{name}/_lifecycle';

export const putDataStreamLifecycleApi: RestApi = {
  usageName: 'put_data_lifecycles_action',
  methods: ['PUT'],
  paths: [PATH],
  privilege: 'indices:admin/data_stream/lifecycle/put',
  task: null,
  params: { ...CHANGE_PARAMETERS, expand_wildcards: 'list' },
  body: 'json',
  handler: (request, context) => changeLifecycle(request, context, parseStreamLifecycle(bodyObject(request))),
};

export const deleteDataStreamLifecycleApi: RestApi = {
  usageName: 'delete_data_lifecycles_action',
  methods: ['DELETE'],
  paths: [PATH],
  privilege: 'indices:admin/data_stream/lifecycle/delete',
  task: null,
  params: { ...CHANGE_PARAMETERS, expand_wildcards: 'list' },
  handler: (request, context) => changeLifecycle(request, context, null),
};

export const getDataStreamLifecycleApi: RestApi = {
  usageName: 'get_data_lifecycles_action',
  methods: ['GET'],
  paths: [PATH],
  privilege: 'indices:admin/data_stream/lifecycle/get',
  task: null,
  params: { ...MANAGER_PARAMETERS, expand_wildcards: 'list', include_defaults: 'boolean' },
  handler: getLifecycles,
};

export const dataStreamLifecycleStatsApi: RestApi = {
  usageName: 'data_stream_lifecycle_stats_action',
  methods: ['GET'],
  paths: ['/_lifecycle/stats'],
  privilege: 'cluster:monitor/data_stream/lifecycle/stats',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: lifecycleStats,
};

export const explainDataStreamLifecycleApi: RestApi = {
  usageName: 'data_stream_lifecycle_explain_action',
  methods: ['GET'],
  paths: ['/{index}/_lifecycle/explain'],
  privilege: 'indices:admin/data_stream/lifecycle/explain',
  task: null,
  params: { ...MANAGER_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS, include_defaults: 'boolean' },
  handler: explainLifecycles,
};

async function changeLifecycle(
  request: HttpRequest,
  context: CoordinatorContext,
  lifecycle: DataStreamLifecycle | null,
): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const names = streamsAmong(state, request).map(({ name }) => name);
  if (names.length === 0) return valueResponse({ acknowledged: true });
  const change = { ...managerTimeouts(request), names, lifecycle };
  const { acknowledged } = await context.cluster.admin.setDataStreamLifecycle(change);
  return valueResponse({ acknowledged });
}

/** Data streams that the path names; an index of that name is passed over. @throws index_not_found_exception for nothing at all */
function streamsAmong(state: ClusterState, { params }: HttpRequest): readonly DataStream[] {
  const expand = givenExpansion(params.list('expand_wildcards'));
  const options = { ...METADATA_INDICES_OPTIONS, allowsSelectors: false, ...expand };
  return resolveNames(state, params.required('name'), options, 0).dataStreams;
}

async function getLifecycles(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const showsDefaults = request.params.boolean('include_defaults', false);
  const bodies = streamsAmong(state, request).map(({ name, lifecycle }) => ({
    name,
    ...(lifecycle === null ? {} : { lifecycle: streamLifecycleBody(lifecycle, showsDefaults) }),
  }));
  return valueResponse({ data_streams: bodies });
}

/** Counts the streams that a lifecycle manages. */
async function lifecycleStats(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const managed = [...state.metadata.dataStreams.values()].filter(({ lifecycle }) => lifecycle?.isEnabled === true);
  return valueResponse({
    data_stream_count: managed.length,
    data_streams: managed.map(({ name, indices }) => ({
      name,
      backing_indices_in_total: indices.length,
    })),
  });
}

async function explainLifecycles(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const nowMs = context.runtime.clock.wallMs();
  const showsDefaults = request.params.boolean('include_defaults', false);
  const options = { ...METADATA_INDICES_OPTIONS, expandsToHidden: true };
  const bodies = namedIndices(state, request, context, options).flatMap((name) => {
    const index = state.metadata.indices.get(name);
    if (index === undefined) return [];
    const lifecycle = streamLifecycleOf(state, index, context.cluster.settings());
    return [[name, explainedBody(index, lifecycle, { nowMs, showsDefaults })] as const];
  });
  return valueResponse({ indices: Object.fromEntries(bodies) });
}

function explainedBody(
  index: IndexMetadata,
  lifecycle: DataStreamLifecycle | null,
  { nowMs, showsDefaults }: { readonly nowMs: number; readonly showsDefaults: boolean },
): Json {
  if (lifecycle === null) return { index: index.name, managed_by_lifecycle: false };
  const { creationDateMs, rolledOverMs } = index;
  const since = (ms: number): string => durationText(Math.max(0, nowMs - ms));
  return {
    index: index.name,
    managed_by_lifecycle: true,
    index_creation_date_millis: creationDateMs,
    time_since_index_creation: since(creationDateMs),
    ...(rolledOverMs === undefined
      ? {}
      : {
          rollover_date_millis: rolledOverMs,
          time_since_rollover: since(rolledOverMs),
          generation_time: since(generationStartMs(index)),
        }),
    lifecycle: streamLifecycleBody(lifecycle, showsDefaults),
  };
}
