/**
 * Indices as a whole: create, look at, delete, open, close.
 */

import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveDateMathName,
  resolveIndices,
  splitExpression,
} from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { emptyResponse, type HttpRequest, type HttpResponse, type Route, valueResponse } from '@shoal/http';
import type { ClusterState } from '@shoal/protocol';
import { parseActiveShards } from '../request/active-shards.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { bodyObject, checkKeys, type JsonObject, objectAt } from '../request/json-body.ts';
import {
  CHANGE_PARAMETERS,
  clusterSetting,
  concreteIndices,
  managedState,
  managerTimeouts,
  READ_PARAMETERS,
  readState,
  refuseTypes,
  TYPE_NAME_PARAMETER,
} from '../request/manager-access.ts';
import { aliasesBody } from './alias-body.ts';
import { defaultIndexSettings } from './index-setting-defaults.ts';
import { indexSettingsBody } from './index-settings-body.ts';

type Handler = Route<CoordinatorContext>['handler'];

const FEATURES: readonly string[] = ['aliases', 'mappings', 'settings'];
const GET_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToClosed: false };
const OPEN_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToOpen: false };
const CREATE_KEYS: readonly string[] = ['settings', 'mappings', 'aliases'];
const SINGLE_TYPE = '_doc';
const DESTRUCTIVE_REQUIRES_NAME = 'action.destructive_requires_name';
const DEFAULT_ACTIVE_SHARDS = 1;

const createIndex: Handler = async (request, context) => {
  refuseTypes(request);
  const body = bodyObject(request);
  checkKeys(body, CREATE_KEYS, (key) => `unknown key [${key}] for create index`);
  const response = await context.cluster.admin.createIndex({
    ...managerTimeouts(request),
    index: resolveDateMathName(request.params.required('index'), context.runtime.clock.wallMs()),
    settings: objectAt(body, 'settings'),
    mappings: untypedMappings(objectAt(body, 'mappings')),
    aliases: objectAt(body, 'aliases'),
    waitForActiveShards: parseActiveShards(request.params.string('wait_for_active_shards')) ?? DEFAULT_ACTIVE_SHARDS,
  });
  return valueResponse({
    acknowledged: response.acknowledged,
    shards_acknowledged: response.shardsAcknowledged,
    index: response.index,
  });
};

function untypedMappings(mappings: JsonObject): JsonObject {
  const keys = Object.keys(mappings);
  if (keys.length !== 1 || keys[0] !== SINGLE_TYPE) return mappings;
  throw illegalArgument(
    `The mapping definition cannot be nested under a type [${SINGLE_TYPE}] unless include_type_name is set to true.`,
  );
}

const getIndex: Handler = async (request, context) => {
  refuseTypes(request);
  const state = await readState(request, context);
  const found = resolve(state, request, context, GET_OPTIONS);
  const features = request.params.has('features') ? request.params.list('features') : FEATURES;
  const unknown = features.find((feature) => !FEATURES.includes(feature));
  if (unknown !== undefined) throw illegalArgument(`No feature for name [${unknown}]`);
  const isFlat = request.params.boolean('flat_settings', false);
  const view = { isFlat, names: [], isHuman: request.human };
  const bodies = found.map(({ index }) => [
    index.name,
    {
      ...(features.includes('aliases') ? { aliases: aliasesBody(index.aliases.values()) } : {}),
      ...(features.includes('mappings') ? { mappings: index.mapping } : {}),
      ...(features.includes('settings') ? { settings: indexSettingsBody(index, view) } : {}),
      ...(request.params.boolean('include_defaults', false) ? { defaults: defaultIndexSettings(index, view) } : {}),
    },
  ]);
  return valueResponse(Object.fromEntries(bodies));
};

function resolve(
  state: ClusterState,
  request: HttpRequest,
  context: CoordinatorContext,
  defaults: IndicesOptions,
): ReturnType<typeof resolveIndices> {
  const options = indicesOptionsOf(request.params, defaults);
  return resolveIndices(state, request.params.string('index'), options, context.runtime.clock.wallMs());
}

/** What `GET` would answer without an error exists; a wildcard that matches nothing is no error. */
const indexExists: Handler = async (request, context) => {
  const state = await readState(request, context);
  resolve(state, request, context, GET_OPTIONS);
  return emptyResponse();
};

const deleteIndex: Handler = async (request, context) => {
  const state = await managedState(request, context);
  const expression = request.params.required('index');
  if (clusterSetting(state, DESTRUCTIVE_REQUIRES_NAME) !== 'false') refuseWildcards(expression);
  const options = indicesOptionsOf(request.params, METADATA_INDICES_OPTIONS);
  const indices = concreteIndices(state, expression, options, context.runtime.clock.wallMs());
  if (indices.length === 0) return valueResponse({ acknowledged: true });
  const { acknowledged } = await context.cluster.admin.deleteIndices({ ...managerTimeouts(request), indices });
  return valueResponse({ acknowledged });
};

function refuseWildcards(expression: string): void {
  const parts = splitExpression(expression);
  if (parts.length === 0 || parts.some((part) => part === '_all' || part.includes('*'))) {
    throw illegalArgument('Wildcard expressions or all indices are not allowed');
  }
}

const setIndexState =
  (target: 'open' | 'close', defaults: IndicesOptions): Handler =>
  async (request, context): Promise<HttpResponse> => {
    const state = await managedState(request, context);
    const indices = resolve(state, request, context, defaults).map(({ index }) => index.name);
    const activeShards = parseActiveShards(request.params.string('wait_for_active_shards'));
    const { acknowledged } =
      indices.length === 0
        ? { acknowledged: true }
        : await context.cluster.admin.setIndexState({ ...managerTimeouts(request), indices, state: target });
    const shards_acknowledged =
      acknowledged && (await haveActiveShards(request, context, indices, activeShards ?? DEFAULT_ACTIVE_SHARDS));
    if (target === 'open') return valueResponse({ acknowledged, shards_acknowledged });
    const closed = Object.fromEntries(indices.map((index) => [index, { closed: acknowledged }]));
    return valueResponse({ acknowledged, shards_acknowledged, indices: closed });
  };

/** Waits until every shard of the indices has so many active copies; false when `timeout` passed before. */
async function haveActiveShards(
  request: HttpRequest,
  context: CoordinatorContext,
  indices: readonly string[],
  wanted: number | 'all',
): Promise<boolean> {
  const hasEnough = (state: ClusterState): boolean =>
    indices.every((index) =>
      (state.routing.indices.get(index) ?? []).every((copies) => {
        const active = copies.filter((copy) => copy.state === 'STARTED' || copy.state === 'RELOCATING').length;
        return active >= (wanted === 'all' ? copies.length : wanted);
      }),
    );
  return (await context.cluster.waitForState(hasEnough, managerTimeouts(request).timeoutMs)) !== null;
}

const STATE_PARAMETERS = {
  ...CHANGE_PARAMETERS,
  ...INDICES_OPTIONS_PARAMETERS,
  wait_for_active_shards: 'string',
} as const;
const GET_PARAMETERS = {
  ...READ_PARAMETERS,
  ...INDICES_OPTIONS_PARAMETERS,
  ...TYPE_NAME_PARAMETER,
  flat_settings: 'boolean',
  include_defaults: 'boolean',
  features: 'list',
} as const;

export const indexRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['PUT'],
    paths: ['/{index}'],
    params: { ...CHANGE_PARAMETERS, ...TYPE_NAME_PARAMETER, wait_for_active_shards: 'string' },
    body: 'json',
    handler: createIndex,
  },
  { methods: ['GET'], paths: ['/{index}'], params: GET_PARAMETERS, handler: getIndex },
  { methods: ['HEAD'], paths: ['/{index}'], params: GET_PARAMETERS, handler: indexExists },
  {
    methods: ['DELETE'],
    paths: ['/{index}'],
    params: { ...CHANGE_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS },
    handler: deleteIndex,
  },
  {
    methods: ['POST'],
    paths: ['/{index}/_open'],
    params: STATE_PARAMETERS,
    handler: setIndexState('open', OPEN_OPTIONS),
  },
  {
    methods: ['POST'],
    paths: ['/{index}/_close'],
    params: STATE_PARAMETERS,
    handler: setIndexState('close', GET_OPTIONS),
  },
];
