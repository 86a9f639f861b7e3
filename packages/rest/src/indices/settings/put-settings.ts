/**
 * `PUT _settings`: changes settings of indices.
 */
import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndexNames,
} from '@shoal/coordinator';
import { illegalArgument, ShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../../request/indices-options-parameters.ts';
import { isJsonObject, type JsonObject, requiredBody } from '../../request/json-body.ts';
import { managedState } from '../../request/managed-state.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../../request/manager-timeouts.ts';

const CHANGE_OPTIONS: IndicesOptions = { ...METADATA_INDICES_OPTIONS, allowNoIndices: false };
const WRAPPER = 'settings';

export const putIndexSettingsApi: RestApi = {
  usageName: 'update_settings_action',
  methods: ['PUT'],
  paths: ['/_settings', '/{index}/_settings'],
  privilege: 'indices:admin/settings/update',
  task: null,
  params: {
    ...CHANGE_PARAMETERS,
    ...INDICES_OPTIONS_PARAMETERS,
    flat_settings: withoutEffect('boolean', 'the answer has no settings'),
    preserve_existing: 'boolean',
    reopen: 'boolean',
  },
  body: 'json',
  handler: putSettings,
};

async function putSettings(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  if (request.params.boolean('reopen', false)) throw illegalArgument('[reopen] cannot be [true] on this server');
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
}

/** The body may be the settings, or hold them under `settings`. */
function unwrapped(body: JsonObject): JsonObject {
  const inner = body[WRAPPER];
  return isJsonObject(inner) ? inner : body;
}
