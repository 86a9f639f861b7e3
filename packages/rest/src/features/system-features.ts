/**
 * `_migration/system_features`: whether indices of features must be made anew for the next version. Every version reads the segments of
 * those before it, and merges write them anew, so that none must.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { managedState } from '../request/managed-state.ts';
import { MANAGER_PARAMETERS } from '../request/manager-timeouts.ts';
import { FEATURES, type Feature } from './feature-list.ts';

const NOT_NEEDED = 'NO_MIGRATION_NEEDED';
const VERSION_CREATED = 'index.version.created';

export const systemFeaturesApi: RestApi = {
  usageName: 'get_feature_upgrade_status',
  methods: ['GET'],
  paths: ['/_migration/system_features'],
  privilege: 'cluster:admin/migration/get_system_feature',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: async (request, context) => {
    const state = await managedState(request, context);
    return valueResponse({
      features: FEATURES.map((feature) => featureBody(feature, state)),
      migration_status: NOT_NEEDED,
    });
  },
};

export const migrateSystemFeaturesApi: RestApi = {
  usageName: 'post_feature_upgrade',
  methods: ['POST'],
  paths: ['/_migration/system_features'],
  privilege: 'cluster:admin/migration/post_system_feature',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: async (request, context) => {
    await managedState(request, context);
    return valueResponse({ accepted: false, reason: 'No system indices require migration' });
  },
};

function featureBody({ name, indices }: Feature, state: ClusterState): Readonly<Record<string, unknown>> {
  const found = indices(state).flatMap((index) => {
    const version = state.metadata.indices.get(index)?.settings[VERSION_CREATED];
    return version === undefined ? [] : [{ index, version }];
  });
  const versions = found.map(({ version }) => version).sort((a, b) => Number(a) - Number(b));
  return {
    feature_name: name,
    minimum_index_version: versions[0],
    migration_status: NOT_NEEDED,
    indices: found,
  };
}
