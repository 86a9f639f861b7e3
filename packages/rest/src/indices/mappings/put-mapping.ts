/**
 * `PUT _mapping`: adds fields to the mappings of indices.
 */

import type { ClusterState } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndexNames,
  resolveIndices,
} from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../../request/indices-options-parameters.ts';
import { type JsonObject, requiredBody } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';
import { refuseTypes, TYPE_NAME_PARAMETER } from '../../request/refuse-types.ts';
import { SINGLE_TYPE } from '../../request/single-type.ts';
import { withCheckedScripts } from './check-runtime-scripts.ts';

const CHANGE_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, allowNoIndices: false, allowsSelectors: false };

export const putMappingApi: RestApi = {
  usageName: 'put_mapping_action',
  methods: ['PUT', 'POST'],
  paths: ['/{index}/_mapping', '/{index}/_mappings'],
  privilege: 'indices:admin/mapping/put',
  task: null,
  params: {
    ...CHANGE_PARAMETERS,
    ...INDICES_OPTIONS_PARAMETERS,
    ...TYPE_NAME_PARAMETER,
    write_index_only: 'boolean',
  },
  body: 'json',
  handler: putMapping,
};

async function putMapping(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseTypes(request);
  const mapping = untypedMapping(requiredBody(request));
  const state = await managedState(request, context);
  const options = indicesOptionsOf(request.params, CHANGE_OPTIONS);
  const expression = request.params.string('index');
  const nowMs = context.runtime.clock.wallMs();
  const indices = request.params.boolean('write_index_only', false)
    ? writeIndices(state, expression, options, nowMs)
    : resolveIndexNames(state, expression, options, nowMs);
  if (indices.length === 0) return valueResponse({ acknowledged: true });
  const { acknowledged } = await context.cluster.admin.putMapping({ ...managerTimeouts(request), indices, mapping });
  return valueResponse({ acknowledged });
}

function writeIndices(
  state: ClusterState,
  expression: string | null,
  options: IndicesOptions,
  nowMs: number,
): readonly string[] {
  const names = resolveIndices(state, expression, options, nowMs)
    .filter(({ viaAliases }) => viaAliases.length === 0 || viaAliases.some((alias) => alias.isWriteIndex === true))
    .map(({ index }) => index.name);
  if (names.length === 0) throw illegalArgument(`no write index is defined for [${expression ?? '_all'}]`);
  return names;
}

function untypedMapping(mapping: JsonObject): JsonObject {
  const keys = Object.keys(mapping);
  if (keys.length === 1 && keys[0] === SINGLE_TYPE) {
    throw illegalArgument(
      'Types cannot be provided in put mapping requests, unless the include_type_name parameter is set to true.',
    );
  }
  if (keys.length === 0)
    throw new ShoalError('action_request_validation_exception', 400, 'Validation Failed: 1: mapping source is empty;');
  return withCheckedScripts(mapping);
}
