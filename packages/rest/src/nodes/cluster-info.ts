/**
 * `_info`: what all nodes of the cluster count, added up.
 */
import { askNodes, type CoordinatorContext } from '@shoal/coordinator';
import { illegalArgument } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { NODE_STATS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { unrecognizedName } from '../bodies/shard-stats-body.ts';
import { isTree, type StatsTree, summedTrees } from '../bodies/stats-tree.ts';
import { nodesOf } from './asked-nodes.ts';

const TARGETS = ['http', 'ingest', 'thread_pool'] as const;

export const clusterInfoApi: RestApi = {
  usageName: 'cluster_info_action',
  methods: ['GET'],
  paths: ['/_info/{target}'],
  privilege: 'cluster:monitor/nodes/stats',
  task: null,
  handler: clusterInfo,
};

async function clusterInfo(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const targets = wantedTargets(request);
  const { answers } = await askNodes(context, nodesOf(context, []), NODE_STATS, () => ({}));
  const stats = [...answers.values()].map((answer) => answer.stats);
  const sectionOf = (target: string): StatsTree => {
    const sections = stats.map((ofNode) => ofNode[target]).filter(isTree);
    return sections.reduce<StatsTree>((sum, section) => summedTrees(sum, section), {});
  };
  return valueResponse({
    cluster_name: context.cluster.state().clusterName,
    ...Object.fromEntries(targets.map((target) => [target, sectionOf(target)])),
  });
}

/** @throws illegal_argument_exception for a target that is none */
function wantedTargets({ params, path }: HttpRequest): readonly string[] {
  const names = params.list('target');
  if (!names.includes('_all')) {
    const unknown = names.find((name) => !TARGETS.some((target) => target === name));
    if (unknown !== undefined) throw unrecognizedName(path, 'target', unknown, TARGETS);
    return TARGETS.filter((target) => names.includes(target));
  }
  if (names.length === 1) return TARGETS;
  throw illegalArgument(`request [${path}] contains _all and individual target [${names.join(',')}]`);
}
