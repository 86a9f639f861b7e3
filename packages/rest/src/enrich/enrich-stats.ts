/**
 * `_enrich/_stats`: executions of policies that run now, and how often processors of each node looked something up.
 */
import { AS_THEY_ARE, askNodes, type CoordinatorContext, listTasks } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { ENRICH_STATS } from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import type { RestApi } from '../api/rest-api.ts';
import { managedState } from '../request/managed-state.ts';
import { MANAGER_PARAMETERS } from '../request/manager-timeouts.ts';
import { taskBody } from '../tasks/tasks-body.ts';
import { EXECUTE_POLICY } from './execute-enrich-policy.ts';

export const enrichStatsApi: RestApi = {
  usageName: 'enrich_stats',
  methods: ['GET'],
  paths: ['/_enrich/_stats'],
  privilege: 'cluster:monitor/xpack/enrich/stats',
  task: null,
  params: MANAGER_PARAMETERS,
  handler: enrichStats,
};

async function enrichStats(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = await managedState(request, context);
  const nodes = [...state.nodes.values()];
  const question = { actions: [EXECUTE_POLICY], nodes: [], parentTaskId: null, taskId: null, wait: AS_THEY_ARE };
  const [running, { answers }] = await Promise.all([
    listTasks(context, question),
    askNodes(context, nodes, ENRICH_STATS, () => ({})),
  ]);
  const view = { isDetailed: true, isHuman: request.human };
  return valueResponse({
    executing_policies: running.nodes.flatMap(({ node, tasks }) =>
      tasks.map((task) => ({ name: task.description, task: taskBody(node.id, task, view) })),
    ),
    coordinator_stats: [...answers].map(([nodeId, { searches, running: current }]) => ({
      node_id: nodeId,
      // Lookups of a request are searched for at once: none waits in a queue.
      queue_size: 0,
      remote_requests_current: current,
      remote_requests_total: searches,
      executed_searches_total: searches,
    })),
    cache_stats: [...answers].map(([nodeId, { entries, hits, misses, missesMs, evictions, chars }]) => ({
      ...{ node_id: nodeId, count: entries, hits, misses, evictions },
      // What is remembered is read within the millisecond.
      hits_time_in_millis: 0,
      misses_time_in_millis: missesMs,
      size_in_bytes: chars,
    })),
  });
}

/** Answers how often processors of this node looked something up. */
export function registerEnrichStatsHandler({ cluster, enrichCache }: CoordinatorContext): void {
  handleWith(cluster.transport, ENRICH_STATS, () => ({
    ...enrichCache.counts,
    entries: enrichCache.size,
    chars: enrichCache.chars,
  }));
}
