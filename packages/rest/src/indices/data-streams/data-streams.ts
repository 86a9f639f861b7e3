/**
 * `_data_stream`: creates, shows and deletes data streams, and makes them of aliases.
 */

import type { ClusterState, DataStream } from '@shoal/cluster-state';
import { type CoordinatorContext, READ_INDICES_OPTIONS, resolveNames } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { givenExpansion } from '../../request/indices-options-parameters.ts';
import { managedState, readState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts, READ_PARAMETERS } from '../../request/manager-timeouts.ts';
import { dataStreamBody } from './data-stream-body.ts';

export const createDataStreamApi: RestApi = {
  usageName: 'create_data_stream_action',
  methods: ['PUT'],
  paths: ['/_data_stream/{name}'],
  privilege: 'indices:admin/data_stream/create',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const name = request.params.required('name');
    const { acknowledged } = await context.cluster.admin.createDataStream({ ...managerTimeouts(request), name });
    return valueResponse({ acknowledged });
  },
};

export const migrateToDataStreamApi: RestApi = {
  usageName: 'migrate_to_data_stream_action',
  methods: ['POST'],
  paths: ['/_data_stream/_migrate/{name}'],
  privilege: 'indices:admin/data_stream/migrate',
  task: null,
  params: CHANGE_PARAMETERS,
  handler: async (request, context) => {
    const name = request.params.required('name');
    const { acknowledged } = await context.cluster.admin.migrateToDataStream({ ...managerTimeouts(request), name });
    return valueResponse({ acknowledged });
  },
};

export const getDataStreamsApi: RestApi = {
  usageName: 'get_data_streams_action',
  methods: ['GET'],
  paths: ['/_data_stream', '/_data_stream/{name}'],
  privilege: 'indices:admin/data_stream/get',
  task: null,
  params: { ...READ_PARAMETERS, expand_wildcards: 'list' },
  handler: getDataStreams,
};

export const deleteDataStreamsApi: RestApi = {
  usageName: 'delete_data_stream_action',
  methods: ['DELETE'],
  paths: ['/_data_stream/{name}'],
  privilege: 'indices:admin/data_stream/delete',
  task: null,
  params: { ...CHANGE_PARAMETERS, expand_wildcards: 'list' },
  handler: deleteDataStreams,
};

async function getDataStreams(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const found = namedStreams(state, request);
  return valueResponse({
    data_streams: found.map((stream) => dataStreamBody(state, stream, context.cluster.settings())),
  });
}

async function deleteDataStreams(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const names = namedStreams(state, request).map(({ name }) => name);
  if (names.length === 0) return valueResponse({ acknowledged: true });
  const { acknowledged } = await context.cluster.admin.deleteDataStreams({ ...managerTimeouts(request), names });
  return valueResponse({ acknowledged });
}

/** @throws index_not_found_exception for a name without a wildcard that no data stream has */
export function namedStreams(state: ClusterState, { params }: HttpRequest): readonly DataStream[] {
  const expand = givenExpansion(params.list('expand_wildcards'));
  const options = { ...READ_INDICES_OPTIONS, allowsSelectors: false, ...expand };
  // Indices and aliases are no data streams: with them left out, their names are not found.
  const streamsOnly = { ...state, metadata: { ...state.metadata, indices: new Map() } };
  return resolveNames(streamsOnly, params.string('name') ?? '*', options, 0).dataStreams;
}
