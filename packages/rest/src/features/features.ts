/**
 * `_features` lists the features that keep data of their own, `_features/_reset` empties them.
 */
import type { CoordinatorContext } from '@shoal/coordinator';
import { renderCause } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { managedState } from '../request/managed-state.ts';
import { MANAGER_PARAMETERS } from '../request/manager-timeouts.ts';
import { FEATURES } from './feature-list.ts';

const OK = 200;
/** Some features were emptied, and some not. */
const MULTI_STATUS = 207;

export const featuresApi: RestApi = {
  usageName: 'get_snapshottable_features_action',
  methods: ['GET'],
  paths: ['/_features'],
  privilege: 'cluster:admin/features/get',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: async (request, context) => {
    await managedState(request, context);
    return valueResponse({ features: FEATURES.map(({ name, description }) => ({ name, description })) });
  },
};

export const resetFeaturesApi: RestApi = {
  usageName: 'reset_feature_state',
  methods: ['POST'],
  paths: ['/_features/_reset'],
  privilege: 'cluster:admin/features/reset',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: resetFeatures,
};

async function resetFeatures(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  await managedState(request, context);
  const errors = await Promise.all(FEATURES.map(({ reset }) => reset(context)));
  const bodies = FEATURES.map(({ name }, i) => {
    const error = errors[i] ?? null;
    const exception = error === null ? {} : { exception: renderCause(error) };
    return { feature_name: name, status: error === null ? 'SUCCESS' : 'FAILURE', ...exception };
  });
  return valueResponse({ features: bodies }, errors.every((error) => error === null) ? OK : MULTI_STATUS);
}
