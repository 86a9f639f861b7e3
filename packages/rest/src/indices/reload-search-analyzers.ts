/**
 * `_reload_search_analyzers`: analyzers with `updateable` filters are made anew on every node, of what the files of their filters hold by now.
 */
import { updateableAnalyzers } from '@shoal/analysis';
import { checkBlock, isActive } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { type CoordinatorContext, maintainShards, READ_INDICES_OPTIONS, type ShardsHeader } from '@shoal/coordinator';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { namedIndices } from '../request/named-indices.ts';
import { shardsHeaderBody } from './index-stats-body.ts';

export const reloadSearchAnalyzersApi: RestApi = {
  methods: ['GET', 'POST'],
  paths: ['/{index}/_reload_search_analyzers'],
  usageName: 'reload_search_analyzers_action',
  privilege: 'indices:admin/reload_analyzers',
  task: null,
  params: INDICES_OPTIONS_PARAMETERS,
  handler: reload,
};

async function reload(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const state = context.cluster.state();
  checkBlock(state, 'metadata_read', []);
  const indices = namedIndices(state, request, context, READ_INDICES_OPTIONS);
  return valueResponse(await reloadedAnalyzersBody(context, indices));
}

/** Makes search analyzers of the indices anew; what is said of it in answers. */
export async function reloadedAnalyzersBody(
  context: CoordinatorContext,
  indices: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const state = context.cluster.state();
  const copies = await maintainShards(context, state, { kind: 'reload_search_analyzers' }, indices);
  const { header, nodesOf } = byNode(state, indices, copies);
  return {
    _shards: shardsHeaderBody(header),
    reload_details: indices.flatMap((index) => {
      const nodes = nodesOf(index);
      const analyzers = updateableAnalyzers(state.metadata.indices.get(index)?.settings ?? {});
      return nodes.length === 0 ? [] : [{ index, reloaded_analyzers: analyzers, reloaded_node_ids: nodes }];
    }),
  };
}

interface NodeOutcomes {
  /** One for each index on a node, however many copies of its shards are there. */
  readonly header: ShardsHeader;
  /** Nodes whose copies of the index all have the analyzers. */
  nodesOf(index: string): readonly string[];
}

function byNode(state: ClusterState, indices: readonly string[], copies: ShardsHeader): NodeOutcomes {
  const failures = new Map(copies.failures.map((failure) => [`${failure.node} ${failure.index}`, failure]));
  const nodes = new Map(
    indices.map((index) => {
      const active = (state.routing.indices.get(index) ?? []).flat().filter(isActive);
      return [index, [...new Set(active.map(({ nodeId }) => nodeId ?? ''))]] as const;
    }),
  );
  const total = [...nodes.values()].reduce((sum, holding) => sum + holding.length, 0);
  return {
    header: { total, successful: total - failures.size, failed: failures.size, failures: [...failures.values()] },
    nodesOf: (index) => (nodes.get(index) ?? []).filter((node) => !failures.has(`${node} ${index}`)),
  };
}
