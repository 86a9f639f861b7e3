/**
 * `_cluster/stats`: numbers of all nodes and indices added up.
 */
import {
  askNodes,
  type CoordinatorContext,
  filterNodes,
  gatherStats,
  NODE_TIMEOUT_MS_DEFAULT,
  nodesHeaderBody,
} from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import { NODE_INFO, NODE_STATS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { managedState } from '../request/managed-state.ts';
import { boundedMs, CHANGE_PARAMETERS } from '../request/manager-timeouts.ts';
import { clusterStatsBody } from './cluster-stats-body.ts';

export const clusterStatsApi: RestApi = {
  usageName: 'cluster_stats_action',
  methods: ['GET'],
  paths: ['/_cluster/stats', '/_cluster/stats/nodes/{node_id}'],
  privilege: 'cluster:monitor/stats',
  task: null,
  params: {
    ...CHANGE_PARAMETERS,
    flat_settings: withoutEffect('boolean', 'the answer has no settings'),
    include_remotes: withoutEffect('boolean', 'no remote cluster can be registered'),
  },
  handler: clusterStats,
};

async function clusterStats(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const nodes = filterNodes(state, context.cluster.localNode.id, request.params.list('node_id'));
  const timeoutMs = boundedMs(request.params.timeMs('timeout') ?? NODE_TIMEOUT_MS_DEFAULT);
  const [answers, known, shards] = await Promise.all([
    askNodes(context, nodes, NODE_STATS, () => ({}), timeoutMs),
    askNodes(context, nodes, NODE_INFO, () => ({}), timeoutMs),
    gatherStats(context, state, [...state.metadata.indices.keys()], timeoutMs),
  ]);
  const stats = [...answers.answers.values()].map((answer) => answer.stats);
  const infos = [...known.answers.values()].map((answer) => answer.info);
  const parts = { nodes, infos, stats, copies: shards.copies, nowMs: context.runtime.clock.wallMs() };
  const body = await context.turns.run(clusterStatsBody(state, parts), request.signal);
  return valueResponse({ _nodes: nodesHeaderBody(answers), ...body });
}
