/**
 * `GET _cluster/settings`: settings of the cluster, and on request what is in force without having been set.
 */
import { clusterSettingDefaults } from '@shoal/cluster';
import { askNodes, type CoordinatorContext } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { NODE_INFO } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { flatTexts, isTree } from '../bodies/stats-tree.ts';
import { settingsBody } from '../indices/settings/index-settings-body.ts';
import { readState } from '../request/managed-state.ts';
import { CHANGE_PARAMETERS } from '../request/manager-timeouts.ts';

export const getClusterSettingsApi: RestApi = {
  usageName: 'cluster_get_settings_action',
  methods: ['GET'],
  paths: ['/_cluster/settings'],
  privilege: 'cluster:monitor/settings',
  task: null,
  params: { ...CHANGE_PARAMETERS, flat_settings: 'boolean', local: 'boolean', include_defaults: 'boolean' },
  handler: getSettings,
};

async function getSettings(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await readState(request, context);
  const isFlat = request.params.boolean('flat_settings', false);
  const { persistentSettings, transientSettings } = state.metadata;
  return valueResponse({
    persistent: settingsBody(persistentSettings, isFlat),
    transient: settingsBody(transientSettings, isFlat),
    ...(request.params.boolean('include_defaults', false)
      ? {
          defaults: settingsBody(
            await settingDefaults(context, { ...persistentSettings, ...transientSettings }),
            isFlat,
          ),
        }
      : {}),
  });
}

/** Defaults of settings that are not set, and the settings that this node was started with. */
async function settingDefaults(
  context: CoordinatorContext,
  set: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { localNode } = context.cluster;
  const { answers } = await askNodes(context, [localNode], NODE_INFO, () => ({}));
  const settings = answers.get(localNode.id)?.info.settings;
  const attributes = Object.entries(localNode.attributes).map(([name, value]) => [`node.attr.${name}`, value]);
  const all: Record<string, string> = {
    ...clusterSettingDefaults(),
    'cluster.name': context.cluster.state().clusterName,
    'node.name': localNode.name,
    ...Object.fromEntries(attributes),
    ...(isTree(settings) ? flatTexts(settings, '') : {}),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => set[name] === undefined));
}
