/**
 * `_nodes/stats`: what nodes count and measure.
 */
import { askNodes, type CoordinatorContext, nodesHeaderBody } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import { NODE_STATS, SHARD_STATS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { parseStatsMetrics } from '../bodies/shard-stats-body.ts';
import { namesFields, shownFields } from '../request/field-patterns.ts';
import { nodesOf, timeoutOf } from './asked-nodes.ts';
import { checkNodeStatsMetrics, nodeStatsBody, type StatsLevel } from './nodes-body.ts';

const LEVELS: readonly StatsLevel[] = ['node', 'indices', 'shards'];

export const nodesStatsApi: RestApi = {
  usageName: 'nodes_stats_action',
  methods: ['GET'],
  paths: [
    ...['/_nodes/stats', '/_nodes/stats/{metric}', '/_nodes/stats/{metric}/{index_metric}'],
    ...['/_nodes/{node_id}/stats', '/_nodes/{node_id}/stats/{metric}'],
    '/_nodes/{node_id}/stats/{metric}/{index_metric}',
  ],
  privilege: 'cluster:monitor/nodes/stats',
  task: null,
  params: {
    node_id: 'string',
    completion_fields: 'list',
    fielddata_fields: 'list',
    fields: 'list',
    groups: 'list',
    level: LEVELS,
    types: withoutEffect('list', 'mapping types are gone'),
    timeout: 'time',
    include_segment_file_sizes: withoutEffect('boolean', 'a segment is one file: there are no kinds to tell apart'),
    include_unloaded_segments: withoutEffect('boolean', 'segments are counted whether they are in memory or not'),
  },
  handler: nodesStats,
};

async function nodesStats(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const metrics = request.params.list('metric');
  const indexMetrics = request.params.list('index_metric');
  checkNodeStatsMetrics(metrics, indexMetrics, request.path);
  const view = {
    level: LEVELS.find((level) => level === request.params.string('level')) ?? 'node',
    metrics: parseStatsMetrics(indexMetrics, request.path),
    wanted: metrics,
    nowMs: context.runtime.clock.wallMs(),
    fields: shownFields(request.params),
  } as const;
  const nodes = nodesOf(context, request.params.list('node_id'));
  const wantsCopies = (view.level !== 'node' || namesFields(view.fields)) && wantsIndices(metrics);
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
}

function wantsIndices(metrics: readonly string[]): boolean {
  return metrics.length === 0 || metrics.includes('_all') || metrics.includes('indices');
}
