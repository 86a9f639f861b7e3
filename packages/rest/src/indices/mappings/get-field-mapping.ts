/**
 * `GET _mapping/field/{fields}`: mappings of single fields.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import type { Steps } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { readState } from '../../request/managed-state.ts';
import { refuseTypes } from '../../request/refuse-types.ts';
import { fieldMappingsBody } from './field-mapping-body.ts';
import { MAPPING_PARAMETERS, mappedIndices } from './mapped-indices.ts';

export const getFieldMappingApi: RestApi = {
  usageName: 'get_field_mapping_action',
  methods: ['GET'],
  paths: ['/_mapping/field/{fields}', '/{index}/_mapping/field/{fields}'],
  privilege: 'indices:admin/mappings/fields/get',
  task: null,
  params: { ...MAPPING_PARAMETERS, include_defaults: 'boolean' },
  handler: getFieldMapping,
};

async function getFieldMapping(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseTypes(request);
  const state = await readState(request, context);
  const found = mappedIndices(state, request, context);
  const includeDefaults = request.params.boolean('include_defaults', false);
  const fields = request.params.list('fields');
  const body = await context.turns.run(bodyOf(found, fields, includeDefaults), request.signal);
  return valueResponse(body, found.length === 0 ? 404 : 200);
}

/** An index a step: the mappings of many indices take longer than other requests should wait. */
function* bodyOf(
  found: ReturnType<typeof mappedIndices>,
  fields: readonly string[],
  includeDefaults: boolean,
): Steps<Readonly<Record<string, unknown>>> {
  const body: [string, unknown][] = [];
  for (const { index } of found) {
    body.push([index.name, { mappings: fieldMappingsBody(index.mapping, fields, includeDefaults) }]);
    yield;
  }
  return Object.fromEntries(body);
}
