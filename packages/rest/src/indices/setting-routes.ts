/**
 * Settings of indices.
 */

import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndexNames,
  resolveIndices,
} from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import { type Route, valueResponse } from '@shoal/http';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { isJsonObject, type JsonObject, requiredBody } from '../request/json-body.ts';
import {
  CHANGE_PARAMETERS,
  managedState,
  managerTimeouts,
  READ_PARAMETERS,
  readState,
} from '../request/manager-access.ts';
import { defaultIndexSettings } from './index-setting-defaults.ts';
import { indexSettingsBody } from './index-settings-body.ts';

type Handler = Route<CoordinatorContext>['handler'];

const CHANGE_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, allowNoIndices: false };
const WRAPPER = 'settings';

const getSettings: Handler = async (request, context) => {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, METADATA_INDICES_OPTIONS);
  const found = resolveIndices(state, request.params.string('index'), options, context.runtime.clock.wallMs());
  const view = {
    isFlat: request.params.boolean('flat_settings', false),
    names: request.params.list('name'),
    isHuman: request.human,
  };
  const includeDefaults = request.params.boolean('include_defaults', false);
  const bodies = found.flatMap(({ index }) => {
    const settings = indexSettingsBody(index, view);
    const defaults = includeDefaults ? { defaults: defaultIndexSettings(index, view) } : {};
    const isEmpty = Object.keys(settings).length === 0 && !includeDefaults && view.names.length > 0;
    return isEmpty ? [] : [[index.name, { settings, ...defaults }] as const];
  });
  return valueResponse(Object.fromEntries(bodies));
};

const putSettings: Handler = async (request, context) => {
  const settings = unwrapped(requiredBody(request));
  const state = await managedState(request, context);
  const options = indicesOptionsOf(request.params, CHANGE_OPTIONS);
  const indices = resolveIndexNames(state, request.params.string('index'), options, context.runtime.clock.wallMs());
  if (Object.keys(settings).length === 0) {
    throw new ShoalError('action_request_validation_exception', 400, 'Validation Failed: 1: no settings to update;');
  }
  if (indices.length === 0) return valueResponse({ acknowledged: true });
  const { acknowledged } = await context.cluster.admin.updateIndexSettings({
    ...managerTimeouts(request),
    indices,
    settings,
    preserveExisting: request.params.boolean('preserve_existing', false),
  });
  return valueResponse({ acknowledged });
};

/** The body may be the settings, or hold them under `settings`. */
function unwrapped(body: JsonObject): JsonObject {
  const inner = body[WRAPPER];
  return isJsonObject(inner) ? inner : body;
}

export const settingRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['GET'],
    paths: ['/_settings', '/_settings/{name}', '/{index}/_settings', '/{index}/_settings/{name}'],
    params: {
      ...READ_PARAMETERS,
      ...INDICES_OPTIONS_PARAMETERS,
      flat_settings: 'boolean',
      include_defaults: 'boolean',
    },
    handler: getSettings,
  },
  {
    methods: ['PUT'],
    paths: ['/_settings', '/{index}/_settings'],
    params: {
      ...CHANGE_PARAMETERS,
      ...INDICES_OPTIONS_PARAMETERS,
      flat_settings: 'boolean',
      preserve_existing: 'boolean',
      reopen: 'boolean',
    },
    body: 'json',
    handler: putSettings,
  },
];
