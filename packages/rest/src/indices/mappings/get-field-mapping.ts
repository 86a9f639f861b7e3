/**
 * `GET _mapping/field/{fields}`: mappings of single fields.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { readState } from '../../request/managed-state.ts';
import { refuseTypes } from '../../request/refuse-types.ts';
import { fieldMappingsBody } from './field-mapping-body.ts';
import { MAPPING_PARAMETERS, mappedIndices } from './mapped-indices.ts';

export const getFieldMappingApi: RestApi = {
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
  const body = Object.fromEntries(
    found.map(({ index }) => [index.name, { mappings: fieldMappingsBody(index.mapping, fields, includeDefaults) }]),
  );
  return valueResponse(body, found.length === 0 ? 404 : 200);
}
