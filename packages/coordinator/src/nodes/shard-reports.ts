/**
 * Questions about all shards of some indices besides their statistics: their segments, and how they were opened.
 */
import { isActive } from '@shoal/cluster';
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { SHARD_RECOVERIES, SHARD_SEGMENTS, type ShardRecoveryEntry, type ShardSegmentsEntry } from '@shoal/protocol';
import type { ActionCodec } from '@shoal/transport';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { askNodes, copiesOf, failureOf, nodesHolding, type ShardsHeader, shardFailureBody } from './node-requests.ts';

export interface OfShards<Entry> {
  readonly entries: readonly Entry[];
  readonly header: ShardsHeader;
}

/** Segments of every copy of the indices that serves; with what their fields take of the files where `withFields`. */
export function gatherSegments(
  context: CoordinatorContext,
  state: ClusterState,
  indices: readonly string[],
  withFields = false,
): Promise<OfShards<ShardSegmentsEntry>> {
  return gather(context, { state, copies: copiesOf(state, indices) }, { indices, withFields }, SHARD_SEGMENTS);
}

/** How the copies of the indices were opened; those that are being opened, as targets of moves are, are among them. */
export function gatherRecoveries(
  context: CoordinatorContext,
  state: ClusterState,
  indices: readonly string[],
): Promise<OfShards<ShardRecoveryEntry>> {
  const copies = indices.flatMap((index) => (state.routing.indices.get(index) ?? []).flat());
  return gather(context, { state, copies }, { indices }, SHARD_RECOVERIES);
}

async function gather<
  Request extends { readonly indices: readonly string[] },
  Entry extends { readonly index: string; readonly allocationId: string },
>(
  context: CoordinatorContext,
  { state, copies }: { readonly state: ClusterState; readonly copies: readonly ShardRouting[] },
  request: Request,
  codec: ActionCodec<Request, { readonly shards: readonly Entry[] }>,
): Promise<OfShards<Entry>> {
  const asked = copies.filter((copy) => isActive(copy) || copy.state === 'INITIALIZING');
  const { answers, failures } = await askNodes(context, nodesHolding(state, asked), codec, () => request);
  // A node may hold copies that the state has given up.
  const known = new Set(copies.map((copy) => copy.allocationId));
  const entries = [...answers.values()].flatMap((answer) => answer.shards).filter((e) => known.has(e.allocationId));
  const failed = copies.filter((copy) => failures.some((failure) => failure.nodeId === copy.nodeId));
  return {
    entries,
    header: {
      total: copies.length,
      successful: entries.length,
      failed: failed.length,
      failures: failed.map((copy) => shardFailureBody(copy, failureOf(failures, copy.nodeId))),
    },
  };
}
