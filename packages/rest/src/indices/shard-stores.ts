/**
 * `_shard_stores`: which nodes hold a copy of a shard on disk, assigned or not.
 */
import { checkBlock, clusterHealth, dataNodes, type HealthStatus } from '@shoal/cluster';
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { askNodes, type CoordinatorContext, METADATA_INDICES_OPTIONS, type NodeAnswers } from '@shoal/coordinator';
import { illegalArgument, renderCause } from '@shoal/core';
import { type HttpRequest, type HttpResponse, valueResponse } from '@shoal/http';
import { LIST_SHARD_STORES, type ListShardStoresResponse, SHARD_STORES_MAX } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { discoveryNodeBody } from '../bodies/discovery-node-body.ts';
import { INDICES_OPTIONS_PARAMETERS } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { READ_PARAMETERS } from '../request/manager-timeouts.ts';
import { namedIndices } from '../request/named-indices.ts';

type Json = Readonly<Record<string, unknown>>;

interface AskedShard {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly copies: readonly ShardRouting[];
}

const STATUSES: readonly HealthStatus[] = ['green', 'yellow', 'red'];
const STATUSES_DEFAULT: readonly HealthStatus[] = ['yellow', 'red'];

export const shardStoresApi: RestApi = {
  usageName: 'indices_shard_stores_action',
  methods: ['GET'],
  paths: ['/_shard_stores', '/{index}/_shard_stores'],
  privilege: 'indices:monitor/shard_stores',
  task: null,
  params: { ...READ_PARAMETERS, ...INDICES_OPTIONS_PARAMETERS, status: 'list' },
  handler: shardStores,
};

async function shardStores(request: HttpRequest, context: CoordinatorContext): Promise<HttpResponse> {
  const wanted = statusesOf(request.params.list('status'));
  const state = await readState(request, context);
  checkBlock(state, 'metadata_read', []);
  const indices = namedIndices(state, request, context, METADATA_INDICES_OPTIONS);
  const health = clusterHealth(state, indices);
  const shards = indices.flatMap((index): readonly AskedShard[] => {
    const indexUuid = state.metadata.indices.get(index)?.uuid ?? '';
    return (state.routing.indices.get(index) ?? []).flatMap((copies, shard) => {
      const status = health.indices.get(index)?.shards[shard]?.status;
      return status !== undefined && wanted.includes(status) ? [{ index, indexUuid, shard, copies }] : [];
    });
  });
  if (shards.length > SHARD_STORES_MAX) {
    throw illegalArgument(`[${shards.length}] shards are more than one request can ask for: [${SHARD_STORES_MAX}]`);
  }
  const found = await storesOf(context, state, shards);
  const bodies = new Map<string, Record<string, Json>>();
  shards.forEach(({ index, shard, copies }, at) => {
    const ofIndex = bodies.get(index) ?? {};
    ofIndex[String(shard)] = shardBody(state, copies, at, found);
    bodies.set(index, ofIndex);
  });
  const failures = found.failures.flatMap((failure) =>
    shards.map(({ index, shard }) => ({ node: failure.nodeId, shard, index, reason: renderCause(failure.error) })),
  );
  return valueResponse({
    indices: Object.fromEntries([...bodies].map(([index, ofIndex]) => [index, { shards: ofIndex }])),
    ...(failures.length > 0 ? { failures } : {}),
  });
}

/** Statuses of shards that the request wants to see. */
function statusesOf(names: readonly string[]): readonly HealthStatus[] {
  if (names.length === 0) return STATUSES_DEFAULT;
  return names.flatMap((name) => {
    if (name.toLowerCase() === 'all') return STATUSES;
    const status = STATUSES.find((candidate) => candidate === name.toLowerCase());
    if (status === undefined) throw illegalArgument(`unknown cluster health status [${name}]`);
    return [status];
  });
}

function storesOf(
  context: CoordinatorContext,
  state: ClusterState,
  shards: readonly AskedShard[],
): Promise<NodeAnswers<ListShardStoresResponse>> {
  const nodes = shards.length === 0 ? [] : dataNodes(state);
  const asked = shards.map(({ indexUuid, shard }) => ({ indexUuid, shard }));
  return askNodes(context, nodes, LIST_SHARD_STORES, () => ({ shards: asked }));
}

/** Copies that routing knows first: the primary, then replicas, then what nobody uses. */
function shardBody(
  state: ClusterState,
  copies: readonly ShardRouting[],
  at: number,
  { answers }: NodeAnswers<ListShardStoresResponse>,
): Json {
  const stores = [...answers].flatMap(([nodeId, answer]) => {
    const allocationId = answer.allocationIds[at] ?? null;
    const node = state.nodes.get(nodeId);
    if (allocationId === null || node === undefined) return [];
    const copy = copies.find((c) => c.nodeId === nodeId && c.allocationId === allocationId);
    const allocation = copy === undefined ? 'unused' : copy.isPrimary ? 'primary' : 'replica';
    return [{ [nodeId]: discoveryNodeBody(node), allocation_id: allocationId, allocation } as const];
  });
  const order = ['primary', 'replica', 'unused'];
  return { stores: stores.sort((a, b) => order.indexOf(a.allocation) - order.indexOf(b.allocation)) };
}
