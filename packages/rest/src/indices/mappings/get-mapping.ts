/**
 * `GET _mapping`.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { readState } from '../../request/managed-state.ts';
import { refuseTypes } from '../../request/refuse-types.ts';
import { MAPPING_PARAMETERS, mappedIndices } from './mapped-indices.ts';

export const getMappingApi: RestApi = {
  usageName: 'get_mapping_action',
  methods: ['GET'],
  paths: ['/_mapping', '/_mappings', '/{index}/_mapping', '/{index}/_mappings'],
  privilege: 'indices:admin/mappings/get',
  task: null,
  params: MAPPING_PARAMETERS,
  handler: getMapping,
};

async function getMapping(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  refuseTypes(request);
  const state = await readState(request, context);
  const found = mappedIndices(state, request, context);
  return valueResponse(Object.fromEntries(found.map(({ index }) => [index.name, { mappings: index.mapping }])));
}
