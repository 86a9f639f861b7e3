/**
 * `_nodes/{node_id}/_repositories_metering`: what repositories asked of the services that keep them. A repository here is a folder, which is
 * no service, so that there is nothing to meter, and no archive to clear.
 */

import type { CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { nodesOf } from './asked-nodes.ts';

/** A whole number, as Java reads a `long`. */
const VERSION = /^[+-]?\d{1,18}$/;

export const repositoriesMeteringApi: RestApi = {
  usageName: 'get_repositories_metering_action',
  methods: ['GET'],
  paths: ['/_nodes/{node_id}/_repositories_metering'],
  privilege: 'cluster:monitor/xpack/repositories_metering/get_metrics',
  task: null,
  handler: async (request, context) => meteringOf(request, context),
};

export const clearRepositoriesMeteringApi: RestApi = {
  usageName: 'clear_repositories_metrics_archive_action',
  methods: ['DELETE'],
  paths: ['/_nodes/{node_id}/_repositories_metering/{max_archive_version}'],
  privilege: 'cluster:monitor/xpack/repositories_metering/clear_metering_archive',
  task: null,
  handler: async (request, context) => {
    const version = request.params.required('max_archive_version');
    if (!VERSION.test(version)) throw illegalArgument(`For input string: "${version}"`);
    return meteringOf(request, context);
  },
};

function meteringOf(request: HttpRequest, context: CoordinatorContext): HttpResponse {
  const nodes = nodesOf(context, request.params.list('node_id'));
  return valueResponse({
    _nodes: { total: nodes.length, successful: nodes.length, failed: 0 },
    cluster_name: context.cluster.state().clusterName,
    nodes: Object.fromEntries(nodes.map(({ id }) => [id, []])),
  });
}
