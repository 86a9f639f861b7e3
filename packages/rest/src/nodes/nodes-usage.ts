/**
 * `_nodes/usage`: which APIs and aggregations nodes were asked for since they started.
 */
import { askNodes, type CoordinatorContext, nodesHeaderBody } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { NODE_USAGE } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { nodesOf, timeoutOf } from './asked-nodes.ts';

const SECTIONS = ['rest_actions', 'aggregations'] as const;

export const nodesUsageApi: RestApi = {
  usageName: 'nodes_usage_action',
  methods: ['GET'],
  paths: [
    ...['/_nodes/usage', '/_nodes/usage/{metric}'],
    ...['/_nodes/{node_id}/usage', '/_nodes/{node_id}/usage/{metric}'],
  ],
  privilege: 'cluster:monitor/nodes/usage',
  task: null,
  params: { timeout: 'time' },
  handler: nodesUsage,
};

async function nodesUsage(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const metrics = request.params.list('metric');
  const isAll = metrics.length === 0 || metrics.includes('_all');
  if (isAll && metrics.length > 1) {
    throw illegalArgument(`request [${request.path}] contains _all and individual metrics [${metrics.join(',')}]`);
  }
  const nodes = nodesOf(context, request.params.list('node_id'));
  const answers = await askNodes(context, nodes, NODE_USAGE, () => ({}), timeoutOf(request));
  const bodies = nodes.flatMap((node) => {
    const usage = answers.answers.get(node.id)?.usage;
    if (usage === undefined) return [];
    const { timestamp, since } = usage;
    // A metric that is none is passed over.
    const shown = SECTIONS.filter((section) => isAll || metrics.includes(section));
    return [[node.id, { timestamp, since, ...Object.fromEntries(shown.map((name) => [name, usage[name]])) }] as const];
  });
  return valueResponse({
    _nodes: nodesHeaderBody(answers),
    cluster_name: context.cluster.state().clusterName,
    nodes: Object.fromEntries(bodies),
  });
}
