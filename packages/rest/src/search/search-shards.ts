/**
 * `_search_shards`: where the shards stand that a search would ask, and what aliases filter. Nobody is asked.
 */
import { checkBlock } from '@shoal/cluster';
import { type ClusterState, type IndexMetadata, withoutTargets } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  READ_INDICES_OPTIONS,
  resolveIndices,
  searchTargets,
  splitExpression,
} from '@shoal/coordinator';
import { isObject, parseJson, simpleMatch } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse, withoutEffect } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { discoveryNodeBody } from '../bodies/discovery-node-body.ts';
import { shardRoutingBody } from '../cluster/cluster-state-body.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { managedState } from '../request/managed-state.ts';
import { MANAGER_PARAMETERS } from '../request/manager-timeouts.ts';
import { shownQuery } from './shown-query.ts';

export const searchShardsApi: RestApi = {
  usageName: 'cluster_search_shards_action',
  methods: ['GET', 'POST'],
  paths: ['/_search_shards', '/{index}/_search_shards'],
  privilege: 'indices:admin/shards/search_shards',
  task: null,
  body: 'none',
  params: {
    ...INDICES_OPTIONS_PARAMETERS,
    ...MANAGER_PARAMETERS,
    local: withoutEffect('boolean', 'every node answers from its own state'),
    preference: 'string',
    routing: 'list',
  },
  handler: searchShards,
};

type Json = Readonly<Record<string, unknown>>;

async function searchShards(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const { params } = request;
  const state = await managedState(request, context);
  checkBlock(state, 'read', []);
  const expression = params.string('index');
  const options = indicesOptionsOf(params, READ_INDICES_OPTIONS);
  const indices = resolveIndices(state, expression, options, context.runtime.clock.wallMs());
  const targets = searchTargets(indices, params.list('routing'), context.reads.shards);
  const groups = targets.map(({ shard }) =>
    withoutTargets(state.routing.indices.get(shard.index)?.[shard.number] ?? []),
  );
  const nodeIds = new Set(groups.flatMap((copies) => copies.flatMap(({ nodeId }) => nodeId ?? [])));
  const filters = new Map(targets.map(({ shard, aliasFilter }) => [shard.index, aliasFilter]));
  return valueResponse({
    nodes: Object.fromEntries([...nodeIds].flatMap((id) => nodeEntry(state, id))),
    indices: Object.fromEntries(
      indices.map(({ index }) => [index.name, indexBody(index, expression, filters.get(index.name) ?? null)]),
    ),
    shards: groups.map((copies) => copies.map((copy) => shardRoutingBody(copy, copies))),
  });
}

function nodeEntry({ nodes }: ClusterState, id: string): readonly (readonly [string, Json])[] {
  const node = nodes.get(id);
  return node === undefined ? [] : [[id, discoveryNodeBody(node)]];
}

function indexBody(index: IndexMetadata, expression: string | null, filter: Uint8Array | null): Json {
  const parts = splitExpression(expression);
  const named = [...index.aliases.keys()].filter((alias) =>
    parts.some((part) => part !== '*' && simpleMatch(part, alias)),
  );
  return {
    ...(named.length === 0 ? {} : { aliases: named.sort() }),
    ...(filter === null ? {} : { filter: shownFilter(parseJson(filter), named.length) }),
  };
}

/** Filters of several aliases stand as alternatives, of which a query that only has such demands one anyway. */
function shownFilter(filter: unknown, aliasCount: number): unknown {
  if (aliasCount < 2 || !isObject(filter) || !isObject(filter.bool)) return shownQuery(filter);
  const { minimum_should_match: _, ...bool } = filter.bool;
  return shownQuery({ bool });
}
