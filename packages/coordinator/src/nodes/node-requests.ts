/**
 * One question to several nodes: every answer and every failure, never one in place of the other.
 *
 * Also what is asked of shards: refresh, flush and statistics go to the nodes that hold the copies.
 */

import { isActive } from '@shoal/cluster';
import {
  type ClusterState,
  type DiscoveryNode,
  isRelocationTarget,
  type ShardRouting,
  withoutTargets,
} from '@shoal/cluster-state';
import { asShoalError, isAssertionFailure, renderCause, ShoalError } from '@shoal/core';
import { type MaintenanceWork, SHARD_MAINTENANCE, SHARD_STATS, type ShardTarget } from '@shoal/protocol';
import type { ActionCodec } from '@shoal/transport';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import type { CopyStats } from './copy-stats.ts';

type Json = Readonly<Record<string, unknown>>;

export interface NodeFailure {
  readonly nodeId: string;
  readonly error: ShoalError;
}

export interface NodeAnswers<Res> {
  readonly answers: ReadonlyMap<string, Res>;
  readonly failures: readonly NodeFailure[];
}

/** A node that does not answer in this time is reported as failed. */
export const NODE_TIMEOUT_MS_DEFAULT = 30_000;
/** A flush writes what may be minutes of indexing. */
const MAINTENANCE_TIMEOUT_MS = 300_000;
/** A merge rewrites what may be all of a shard, between searches and writes. */
const MERGE_TIMEOUT_MS = 24 * 60 * 60 * 1000;

export async function askNodes<Req, Res>(
  context: CoordinatorContext,
  nodes: readonly DiscoveryNode[],
  codec: ActionCodec<Req, Res>,
  requestOf: (node: DiscoveryNode) => Req,
  timeoutMs: number = NODE_TIMEOUT_MS_DEFAULT,
): Promise<NodeAnswers<Res>> {
  const answers = new Map<string, Res>();
  const failures: NodeFailure[] = [];
  const ask = async (node: DiscoveryNode): Promise<void> => {
    try {
      const options = { channel: 'reg', timeoutMs } as const;
      answers.set(node.id, await context.cluster.send(node.id, codec, requestOf(node), options));
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      failures.push({ nodeId: node.id, error: asShoalError(error) });
    }
  };
  await Promise.all(nodes.map(ask));
  return { answers, failures };
}

/** The `_nodes` part of an answer. */
export function nodesHeaderBody(answers: NodeAnswers<unknown>): Json {
  const { failures } = answers;
  return {
    total: answers.answers.size + failures.length,
    successful: answers.answers.size,
    failed: failures.length,
    ...(failures.length > 0 ? { failures: failures.map(nodeFailureBody) } : {}),
  };
}

export function nodeFailureBody({ nodeId, error }: NodeFailure): Json {
  const failed = new ShoalError('failed_node_exception', 500, `Failed node [${nodeId}]`, {
    metadata: { node_id: nodeId },
    causedBy: error,
  });
  return renderCause(failed);
}

/** Outcome of one request over all copies of some shards: the `_shards` part of an answer. */
export interface ShardsHeader {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly Json[];
}

export interface GatheredStats {
  readonly copies: readonly CopyStats[];
  readonly header: ShardsHeader;
}

/** Statistics of all assigned copies of the indices. Nodes that hold none of them are not asked. */
export async function gatherStats(
  context: CoordinatorContext,
  state: ClusterState,
  indices: readonly string[],
  timeoutMs: number = NODE_TIMEOUT_MS_DEFAULT,
): Promise<GatheredStats> {
  const copies = copiesOf(state, indices);
  const nodes = nodesHolding(state, copies.filter(isActive));
  const response = await askNodes(context, nodes, SHARD_STATS, () => ({ indices }), timeoutMs);
  const wanted = new Set(indices);
  // What their sources have counts once.
  const targets = new Set(
    indices
      .flatMap((index) => (state.routing.indices.get(index) ?? []).flat())
      .flatMap((copy) => (isRelocationTarget(copy) ? [copy.allocationId] : [])),
  );
  const stats = [...response.answers.values()]
    .flatMap((answer) => answer.shards)
    .filter((entry) => wanted.has(entry.index) && !targets.has(entry.allocationId));
  const failed = copies.filter((copy) => response.failures.some((failure) => failure.nodeId === copy.nodeId));
  return {
    copies: stats,
    header: {
      total: copies.length,
      successful: stats.length,
      failed: failed.length,
      failures: failed.map((copy) => shardFailureBody(copy, failureOf(response.failures, copy.nodeId))),
    },
  };
}

/** Refreshes, flushes, merges or clears every active copy of the indices. */
export async function maintainShards(
  context: CoordinatorContext,
  state: ClusterState,
  work: MaintenanceWork,
  indices: readonly string[],
): Promise<ShardsHeader> {
  const copies = copiesOf(state, indices);
  const active = copies.filter(isActive);
  const byNode = new Map<string | null, ShardRouting[]>();
  for (const copy of active) {
    const held = byNode.get(copy.nodeId);
    if (held === undefined) byNode.set(copy.nodeId, [copy]);
    else held.push(copy);
  }
  const response = await askNodes(
    context,
    nodesHolding(state, active),
    SHARD_MAINTENANCE,
    (node) => ({ work, targets: (byNode.get(node.id) ?? []).map((copy) => shardTarget(copy, state.version)) }),
    work.kind === 'force_merge' ? MERGE_TIMEOUT_MS : MAINTENANCE_TIMEOUT_MS,
  );
  const failures: Json[] = [];
  for (const [nodeId, held] of byNode) {
    const answer = nodeId === null ? undefined : response.answers.get(nodeId);
    for (const [i, copy] of held.entries()) {
      const error = answer === undefined ? failureOf(response.failures, nodeId) : (answer.failures[i] ?? null);
      if (error !== null) failures.push(shardFailureBody(copy, error));
    }
  }
  return { total: copies.length, successful: active.length - failures.length, failed: failures.length, failures };
}

/** All copies of the indices, assigned or not; of those on the move the one that serves. */
export function copiesOf(state: ClusterState, indices: readonly string[]): readonly ShardRouting[] {
  return indices.flatMap((index) => (state.routing.indices.get(index) ?? []).flatMap(withoutTargets));
}

/** Nodes of the state that any of the copies is on. */
export function nodesHolding(state: ClusterState, copies: readonly ShardRouting[]): readonly DiscoveryNode[] {
  const ids = new Set(copies.map((copy) => copy.nodeId));
  return [...state.nodes.values()].filter((node) => ids.has(node.id));
}

function shardTarget(copy: ShardRouting, stateVersion: number): ShardTarget {
  return {
    index: copy.index,
    indexUuid: copy.indexUuid,
    shard: copy.shard,
    allocationId: copy.allocationId ?? '',
    stateVersion,
  };
}

/** Why a copy's node did not answer. */
export function failureOf(failures: readonly NodeFailure[], nodeId: string | null): ShoalError {
  const failure = failures.find((candidate) => candidate.nodeId === nodeId);
  return failure?.error ?? new ShoalError('no_shard_available_action_exception', 503, null);
}

/** One entry of `_shards.failures`. */
export function shardFailureBody(copy: ShardRouting, error: ShoalError): Json {
  return {
    shard: copy.shard,
    index: copy.index,
    node: copy.nodeId,
    status: statusName(error.status),
    reason: renderCause(error),
  };
}

const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [400, 'BAD_REQUEST'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [429, 'TOO_MANY_REQUESTS'],
  [503, 'SERVICE_UNAVAILABLE'],
]);

function statusName(status: number): string {
  return STATUS_NAMES.get(status) ?? 'INTERNAL_SERVER_ERROR';
}
