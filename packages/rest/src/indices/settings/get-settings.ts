/**
 * `GET _settings`: settings of indices.
 */
import { checkIndexBlocks } from '@shoal/cluster';
import { type CoordinatorContext, METADATA_INDICES_OPTIONS, resolveIndices } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../../request/indices-options-parameters.ts';
import { readState } from '../../request/managed-state.ts';
import { READ_PARAMETERS } from '../../request/manager-timeouts.ts';
import { defaultIndexSettings } from './index-setting-defaults.ts';
import { indexSettingsBody } from './index-settings-body.ts';

export const getIndexSettingsApi: RestApi = {
  usageName: 'get_settings_action',
  methods: ['GET'],
  paths: ['/_settings', '/_settings/{name}', '/{index}/_settings', '/{index}/_settings/{name}'],
  privilege: 'indices:monitor/settings/get',
  task: null,
  params: {
    ...READ_PARAMETERS,
    ...INDICES_OPTIONS_PARAMETERS,
    flat_settings: 'boolean',
    include_defaults: 'boolean',
  },
  handler: getSettings,
};

async function getSettings(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, METADATA_INDICES_OPTIONS);
  const found = resolveIndices(state, request.params.string('index'), options, context.runtime.clock.wallMs());
  checkIndexBlocks(
    state,
    'metadata_read',
    found.map(({ index }) => index.name),
  );
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
}
