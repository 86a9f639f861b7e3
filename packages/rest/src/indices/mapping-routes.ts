/**
 * Mappings: of whole indices and of single fields.
 */

import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndexNames,
  resolveIndices,
} from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type Route, valueResponse } from '@shoal/http';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { type JsonObject, requiredBody } from '../request/json-body.ts';
import {
  CHANGE_PARAMETERS,
  managedState,
  managerTimeouts,
  READ_PARAMETERS,
  readState,
  refuseTypes,
  TYPE_NAME_PARAMETER,
} from '../request/manager-access.ts';
import { fieldMappingsBody } from './field-mapping-body.ts';

type Handler = Route<CoordinatorContext>['handler'];

const READ_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToClosed: false };
const CHANGE_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, allowNoIndices: false };
const SINGLE_TYPE = '_doc';

const getMapping: Handler = async (request, context) => {
  refuseTypes(request);
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, READ_OPTIONS);
  const found = resolveIndices(state, request.params.string('index'), options, context.runtime.clock.wallMs());
  return valueResponse(Object.fromEntries(found.map(({ index }) => [index.name, { mappings: index.mapping }])));
};

const getFieldMapping: Handler = async (request, context) => {
  refuseTypes(request);
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, READ_OPTIONS);
  const found = resolveIndices(state, request.params.string('index'), options, context.runtime.clock.wallMs());
  const includeDefaults = request.params.boolean('include_defaults', false);
  const fields = request.params.list('fields');
  const body = Object.fromEntries(
    found.map(({ index }) => [index.name, { mappings: fieldMappingsBody(index.mapping, fields, includeDefaults) }]),
  );
  return valueResponse(body, found.length === 0 ? 404 : 200);
};

const putMapping: Handler = async (request, context) => {
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
};

function writeIndices(
  state: Awaited<ReturnType<typeof managedState>>,
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
  return mapping;
}

const READ = { ...READ_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS, ...TYPE_NAME_PARAMETER } as const;
const CHANGE = {
  ...CHANGE_PARAMETERS,
  ...INDICES_OPTIONS_PARAMETERS,
  ...TYPE_NAME_PARAMETER,
  write_index_only: 'boolean',
} as const;

export const mappingRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['GET'],
    paths: ['/_mapping', '/_mappings', '/{index}/_mapping', '/{index}/_mappings'],
    params: { ...READ, index: 'string' },
    handler: getMapping,
  },
  {
    methods: ['GET'],
    paths: ['/_mapping/field/{fields}', '/{index}/_mapping/field/{fields}'],
    params: { ...READ, index: 'string', include_defaults: 'boolean' },
    handler: getFieldMapping,
  },
  {
    methods: ['PUT', 'POST'],
    paths: ['/{index}/_mapping', '/{index}/_mappings'],
    params: CHANGE,
    body: 'json',
    handler: putMapping,
  },
];
