/**
 * `PUT _cluster/settings`: changes settings of the cluster.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { settingsBody } from '../indices/settings/index-settings-body.ts';
import { checkKeys, objectAt, requiredBody } from '../request/json-body.ts';
import { CHANGE_PARAMETERS, managerTimeouts } from '../request/manager-timeouts.ts';

const SETTINGS_KEYS: readonly string[] = ['persistent', 'transient'];

export const putClusterSettingsApi: RestApi = {
  usageName: 'cluster_update_settings_action',
  methods: ['PUT'],
  paths: ['/_cluster/settings'],
  privilege: 'cluster:admin/settings/update',
  task: null,
  params: { ...CHANGE_PARAMETERS, flat_settings: 'boolean' },
  body: 'json',
  handler: putSettings,
};

async function putSettings(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const body = requiredBody(request);
  checkKeys(body, SETTINGS_KEYS, (key) => `unknown key [${key}] for cluster settings`);
  const persistent = objectAt(body, 'persistent');
  const transient = objectAt(body, 'transient');
  if (Object.keys(persistent).length + Object.keys(transient).length === 0) {
    throw illegalArgument('no settings to update');
  }
  const changes = { ...managerTimeouts(request), persistent, transient };
  const response = await context.cluster.admin.updateClusterSettings(changes);
  const isFlat = request.params.boolean('flat_settings', false);
  return valueResponse({
    acknowledged: response.acknowledged,
    persistent: settingsBody(response.persistent, isFlat),
    transient: settingsBody(response.transient, isFlat),
  });
}
