/**
 * `_data_stream`: creates, shows and deletes data streams, and makes them of aliases.
 */

import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { managedState, readState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts, READ_PARAMETERS } from '../../request/manager-timeouts.ts';
import { dataStreamBody } from './data-stream-body.ts';
import { namedStreams } from './named-streams.ts';
import { NO_TIMESTAMP, newestTimestamps } from './newest-timestamps.ts';

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
  params: { ...READ_PARAMETERS, expand_wildcards: 'list', include_defaults: 'boolean', verbose: 'boolean' },
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
  const showsDefaults = request.params.boolean('include_defaults', false);
  const isVerbose = request.params.boolean('verbose', false);
  const newest = isVerbose ? await newestTimestamps(request, context, state, found) : [];
  const settings = context.cluster.settings();
  return valueResponse({
    data_streams: found.map((stream, i) => ({
      ...dataStreamBody(state, stream, { settings, showsDefaults }),
      ...(isVerbose ? { maximum_timestamp: newest[i] ?? NO_TIMESTAMP } : {}),
    })),
  });
}

async function deleteDataStreams(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const names = namedStreams(state, request).map(({ name }) => name);
  if (names.length === 0) return valueResponse({ acknowledged: true });
  const { acknowledged } = await context.cluster.admin.deleteDataStreams({ ...managerTimeouts(request), names });
  return valueResponse({ acknowledged });
}
