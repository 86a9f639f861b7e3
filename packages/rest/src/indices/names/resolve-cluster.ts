/**
 * `_resolve/cluster`: which clusters an index expression reaches, and whether it finds something there. No remote cluster can be
 * registered, so that it reaches this one alone.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { type CoordinatorContext, countOf, READ_INDICES_OPTIONS, resolveNames } from '@shoal/coordinator';
import { API_VERSION, isShoalError } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../../request/indices-options-parameters.ts';
import { managedState } from '../../request/managed-state.ts';
import { MANAGER_PARAMETERS } from '../../request/manager-timeouts.ts';

type Json = Readonly<Record<string, unknown>>;

const THIS_CLUSTER = '(local)';
const BUILD_FLAVOR = 'default';

export const resolveClusterApi: RestApi = {
  usageName: 'resolve_cluster_action',
  methods: ['GET'],
  paths: ['/_resolve/cluster', '/_resolve/cluster/{name}'],
  privilege: 'indices:admin/resolve/cluster',
  task: null,
  params: {
    ...MANAGER_PARAMETERS,
    ...INDICES_OPTIONS_PARAMETERS,
    timeout: withoutEffect('time', 'only remote clusters are waited for'),
  },
  handler: resolveCluster,
};

async function resolveCluster(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const expression = request.params.string('name');
  // Without an expression only remote clusters are told of.
  if (expression === null) return valueResponse({});
  const found = matching(request, context, state, expression);
  return valueResponse({ [THIS_CLUSTER]: { connected: true, skip_unavailable: false, ...found } });
}

function matching(request: HttpRequest, context: CoordinatorContext, state: ClusterState, expression: string): Json {
  const options = indicesOptionsOf(request.params, READ_INDICES_OPTIONS);
  try {
    const names = resolveNames(state, expression, options, context.runtime.clock.wallMs());
    return { matching_indices: countOf(names) > 0, version: versionBody() };
  } catch (error) {
    // A name that is missing here may be there in another cluster: it is told, not thrown.
    if (!isShoalError(error) || error.type !== 'index_not_found_exception') throw error;
    return { error: error.reason };
  }
}

function versionBody(): Json {
  return {
    number: API_VERSION.number,
    build_flavor: BUILD_FLAVOR,
    minimum_wire_compatibility_version: API_VERSION.minimumWireCompatibilityVersion,
    minimum_index_compatibility_version: API_VERSION.minimumIndexCompatibilityVersion,
  };
}
