/**
 * `_nodes` and `_nodes/stats`: what the nodes say of themselves.
 */

import {
  askNodes,
  type CoordinatorContext,
  filterNodes,
  NODE_TIMEOUT_MS_DEFAULT,
  nodesHeaderBody,
} from '@shoal/coordinator';
import { type HttpRequest, type Route, valueResponse } from '@shoal/http';
import { type DiscoveryNode, NODE_INFO, NODE_STATS, SHARD_STATS } from '@shoal/protocol';
import { parseStatsMetrics } from '../bodies/shard-stats-body.ts';
import { boundedMs } from '../request/manager-access.ts';
import { areInfoMetrics, checkNodeStatsMetrics, nodeInfoBody, nodeStatsBody, type StatsLevel } from './nodes-body.ts';

/** Answers that are not made here: without this they would be read as names of nodes or metrics, and answered with nothing. */
const NOT_ANSWERED: readonly string[] = ['usage', 'hot_threads'];

type Handler = Route<CoordinatorContext>['handler'];

const LEVELS: readonly StatsLevel[] = ['node', 'indices', 'shards'];

const nodesInfo: Handler = async (request, context) => {
  const named = request.params.list('node_id');
  // `/_nodes/os` names a metric, `/_nodes/n1` a node: the path alone does not tell.
  const isMetric = !request.params.has('metric') && areInfoMetrics(named);
  const metrics = isMetric ? named : request.params.list('metric');
  const nodes = nodesOf(context, isMetric ? [] : named);
  const answers = await askNodes(context, nodes, NODE_INFO, () => ({}), timeoutOf(request));
  const bodies = nodes.flatMap((node) => {
    const answer = answers.answers.get(node.id);
    return answer === undefined ? [] : [[node.id, nodeInfoBody(node, answer.info, metrics)] as const];
  });
  return valueResponse({
    _nodes: nodesHeaderBody(answers),
    cluster_name: context.cluster.state().clusterName,
    nodes: Object.fromEntries(bodies),
  });
};

const nodesStats: Handler = async (request, context) => {
  const metrics = request.params.list('metric');
  const indexMetrics = request.params.list('index_metric');
  checkNodeStatsMetrics(metrics, indexMetrics, request.path);
  const view = {
    level: LEVELS.find((level) => level === request.params.string('level')) ?? 'node',
    metrics: parseStatsMetrics(indexMetrics, request.path),
    wanted: metrics,
    nowMs: context.runtime.clock.wallMs(),
  } as const;
  const nodes = nodesOf(context, request.params.list('node_id'));
  const wantsCopies = view.level !== 'node' && wantsIndices(metrics);
  const withShards = wantsCopies ? nodes.filter((node) => node.roles.includes('data')) : [];
  const timeoutMs = timeoutOf(request);
  const [answers, shards] = await Promise.all([
    askNodes(context, nodes, NODE_STATS, () => ({}), timeoutMs),
    askNodes(context, withShards, SHARD_STATS, () => ({ indices: null }), timeoutMs),
  ]);
  const bodies = nodes.flatMap((node) => {
    const answer = answers.answers.get(node.id);
    const copies = shards.answers.get(node.id)?.shards ?? [];
    return answer === undefined ? [] : [[node.id, nodeStatsBody(node, answer.stats, copies, view)] as const];
  });
  return valueResponse({
    _nodes: nodesHeaderBody(answers),
    cluster_name: context.cluster.state().clusterName,
    nodes: Object.fromEntries(bodies),
  });
};

function nodesOf(context: CoordinatorContext, names: readonly string[]): readonly DiscoveryNode[] {
  return filterNodes(context.cluster.state(), context.cluster.localNode.id, names);
}

function wantsIndices(metrics: readonly string[]): boolean {
  return metrics.length === 0 || metrics.includes('_all') || metrics.includes('indices');
}

function timeoutOf(request: HttpRequest): number {
  return boundedMs(request.params.timeMs('timeout') ?? NODE_TIMEOUT_MS_DEFAULT);
}

const STATS_PARAMETERS = {
  node_id: 'string',
  completion_fields: 'list',
  fielddata_fields: 'list',
  fields: 'list',
  groups: 'boolean',
  level: LEVELS,
  types: 'list',
  timeout: 'time',
  include_segment_file_sizes: 'boolean',
  include_unloaded_segments: 'boolean',
} as const;

export const nodeRoutes: readonly Route<CoordinatorContext>[] = [
  {
    methods: ['GET'],
    paths: ['/_nodes', '/_nodes/{node_id}', '/_nodes/{node_id}/{metric}'],
    except: NOT_ANSWERED,
    params: { flat_settings: 'boolean', timeout: 'time' },
    handler: nodesInfo,
  },
  {
    methods: ['GET'],
    paths: [
      ...['/_nodes/stats', '/_nodes/stats/{metric}', '/_nodes/stats/{metric}/{index_metric}'],
      ...['/_nodes/{node_id}/stats', '/_nodes/{node_id}/stats/{metric}'],
      '/_nodes/{node_id}/stats/{metric}/{index_metric}',
    ],
    params: STATS_PARAMETERS,
    handler: nodesStats,
  },
];
