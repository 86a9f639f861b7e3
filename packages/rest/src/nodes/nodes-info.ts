/**
 * `_nodes`: what nodes were started with.
 */
import { askNodes, type CoordinatorContext, nodesHeaderBody } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { NODE_INFO } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { flatTexts, isTree } from '../bodies/stats-tree.ts';
import { nodesOf, timeoutOf } from './asked-nodes.ts';
import { areInfoMetrics, nodeInfoBody } from './nodes-body.ts';

export const nodesInfoApi: RestApi = {
  usageName: 'nodes_info_action',
  methods: ['GET'],
  paths: ['/_nodes', '/_nodes/{node_id}', '/_nodes/{node_id}/{metric}'],
  privilege: 'cluster:monitor/nodes/info',
  task: null,
  params: { flat_settings: 'boolean', timeout: 'time' },
  handler: nodesInfo,
};

async function nodesInfo(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const named = request.params.list('node_id');
  // `/_nodes/os` names a metric, `/_nodes/n1` a node: the path alone does not tell.
  const isMetric = !request.params.has('metric') && areInfoMetrics(named);
  const metrics = isMetric ? named : request.params.list('metric');
  const nodes = nodesOf(context, isMetric ? [] : named);
  const isFlat = request.params.boolean('flat_settings', false);
  const answers = await askNodes(context, nodes, NODE_INFO, () => ({}), timeoutOf(request));
  const bodies = nodes.flatMap((node) => {
    const answer = answers.answers.get(node.id);
    if (answer === undefined) return [];
    const body = nodeInfoBody(node, answer.info, metrics);
    const flat = isFlat && isTree(body.settings) ? { settings: flatTexts(body.settings, '') } : {};
    return [[node.id, { ...body, ...flat }] as const];
  });
  return valueResponse({
    _nodes: nodesHeaderBody(answers),
    cluster_name: context.cluster.state().clusterName,
    nodes: Object.fromEntries(bodies),
  });
}
