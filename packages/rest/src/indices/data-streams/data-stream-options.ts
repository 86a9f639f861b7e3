/**
 * `_data_stream/{name}/_options`: whether data streams keep the documents that they cannot take, and for how long.
 */
import { parseFailureStore } from '@shoal/cluster';
import type { FailureStoreOptions } from '@shoal/cluster-state';
import type { CoordinatorContext } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { requiredBody, unknownKey } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, MANAGER_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';
import { failureStoreOptionsBody } from './data-stream-body.ts';
import { namedStreams } from './named-streams.ts';

const PATH = '/_data_stream/{name}/_options';
const PARSER = 'put_data_stream_options_request';

export const putDataStreamOptionsApi: RestApi = {
  usageName: 'put_data_stream_options_action',
  methods: ['PUT'],
  paths: [PATH],
  privilege: 'indices:admin/data_stream/options/put',
  task: null,
  params: { ...CHANGE_PARAMETERS, expand_wildcards: 'list' },
  body: 'json',
  handler: (request, context) => changeOptions(request, context, optionsOf(request)),
};

export const deleteDataStreamOptionsApi: RestApi = {
  usageName: 'delete_data_stream_options_action',
  methods: ['DELETE'],
  paths: [PATH],
  privilege: 'indices:admin/data_stream/options/delete',
  task: null,
  params: { ...CHANGE_PARAMETERS, expand_wildcards: 'list' },
  handler: (request, context) => changeOptions(request, context, null),
};

export const getDataStreamOptionsApi: RestApi = {
  usageName: 'get_data_stream_options_action',
  methods: ['GET'],
  paths: [PATH],
  privilege: 'indices:admin/data_stream/options/get',
  task: null,
  params: {
    ...MANAGER_PARAMETERS,
    expand_wildcards: 'list',
    include_defaults: withoutEffect('boolean', 'options that are not set have no defaults to show'),
  },
  handler: getOptions,
};

/** @throws action_request_validation_exception for a body that sets nothing */
function optionsOf(request: HttpRequest): FailureStoreOptions {
  const body = requiredBody(request);
  const unknown = unknownKey(body, ['failure_store']);
  if (unknown !== undefined) {
    throw new ShoalError('x_content_parse_exception', 400, `[1:2] [${PARSER}] unknown field [${unknown}]`);
  }
  if (body.failure_store !== undefined && body.failure_store !== null)
    return parseFailureStore(body.failure_store, PARSER);
  throw new ShoalError(
    'action_request_validation_exception',
    400,
    'Validation Failed: 1: At least one option needs to be provided;',
  );
}

async function changeOptions(
  request: HttpRequest,
  context: CoordinatorContext,
  failureStore: FailureStoreOptions | null,
): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const names = namedStreams(state, request).map(({ name }) => name);
  if (names.length === 0) return valueResponse({ acknowledged: true });
  const change = { ...managerTimeouts(request), names, failureStore };
  const { acknowledged } = await context.cluster.admin.setDataStreamOptions(change);
  return valueResponse({ acknowledged });
}

async function getOptions(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const bodies = namedStreams(state, request).map(({ name, failureStore }) => ({
    name,
    ...(failureStore === null ? {} : { options: { failure_store: failureStoreOptionsBody(failureStore) } }),
  }));
  return valueResponse({ data_streams: bodies });
}
