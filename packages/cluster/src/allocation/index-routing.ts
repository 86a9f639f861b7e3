/**
 * The routing of one index: made with it, widened and narrowed with its number of replicas.
 */

import {
  type ClusterState,
  type IndexMetadata,
  type IndexRouting,
  type ShardRouting,
  sourceOf,
  type UnassignedInfo,
  withEntries,
  withoutTargets,
} from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import { resizeSourceOf } from '../reading/resize-source.ts';

/** All copies unassigned: the primaries will start from nothing, or from the shards of the index that it is made of. */
export function newIndexRouting(index: IndexMetadata, nowMs: number): IndexRouting {
  return Array.from({ length: index.numberOfShards }, (_, shard) =>
    Array.from({ length: 1 + index.numberOfReplicas }, (_unused, copy) =>
      copy === 0
        ? newCopy(index, shard, true, 'INDEX_CREATED', nowMs)
        : newCopy(index, shard, false, 'INDEX_CREATED', nowMs),
    ),
  );
}

/** States of replicas, those that have most to lose first. */
const KEPT_FIRST: readonly ShardRouting['state'][] = ['RELOCATING', 'STARTED', 'INITIALIZING', 'UNASSIGNED'];

/** The state with as many replicas as the indices have now. Copies that are dropped are not in sync any more: the others hold all that they have. */
export function withReplicas(state: ClusterState, indices: readonly IndexMetadata[], nowMs: number): ClusterState {
  if (indices.length === 0) return state;
  const routing: [string, IndexRouting][] = [];
  const metadata: [string, IndexMetadata][] = [];
  for (const index of indices) {
    const before = state.routing.indices.get(index.name);
    if (before === undefined) continue;
    const after = withReplicaCount(before, index, nowMs);
    routing.push([index.name, after]);
    metadata.push([index.name, { ...index, inSyncAllocations: withoutDropped(index, before, after) }]);
  }
  return {
    ...state,
    routing: withIndexRouting(state.routing, routing),
    metadata: { ...state.metadata, indices: withEntries(state.metadata.indices, metadata) },
  };
}

function withoutDropped(
  { inSyncAllocations }: IndexMetadata,
  before: IndexRouting,
  after: IndexRouting,
): IndexMetadata['inSyncAllocations'] {
  return inSyncAllocations.map((ids, shard) => {
    const kept = new Set(after[shard]?.map(({ allocationId }) => allocationId));
    const dropped = (before[shard] ?? []).flatMap(({ allocationId }) =>
      allocationId === null || kept.has(allocationId) ? [] : [allocationId],
    );
    return dropped.length === 0 ? ids : ids.filter((id) => !dropped.includes(id));
  });
}

/** Routing with as many replicas of each shard as the index has now: new ones unassigned, unassigned ones dropped first. */
function withReplicaCount(routing: IndexRouting, index: IndexMetadata, nowMs: number): IndexRouting {
  return routing.map((copies, shard) => {
    const primaries = copies.filter((copy) => copy.isPrimary);
    const replicas = withoutTargets(copies)
      .filter((copy) => !copy.isPrimary)
      .sort((a, b) => KEPT_FIRST.indexOf(a.state) - KEPT_FIRST.indexOf(b.state))
      .slice(0, index.numberOfReplicas);
    while (replicas.length < index.numberOfReplicas) {
      replicas.push(newCopy(index, shard, false, 'REPLICA_ADDED', nowMs));
    }
    assert(primaries.length === 1, `[${index.name}][${shard}] has ${primaries.length} primaries`);
    const kept = [...primaries, ...replicas];
    return [...kept, ...copies.filter((copy) => sourceOf(copy, kept) !== null)];
  });
}

export function withIndexRouting(
  routing: ClusterState['routing'],
  changes: Iterable<readonly [string, IndexRouting | null]>,
): ClusterState['routing'] {
  return { version: routing.version + 1, indices: withEntries(routing.indices, changes) };
}

/** Source of the documents of a primary that never started. */
function firstSource(index: IndexMetadata): ShardRouting['recoverySource'] {
  // Before what it was made of in the cluster that it comes from.
  if (index.restoredFrom !== null) return 'SNAPSHOT';
  return resizeSourceOf(index) === null ? 'EMPTY_STORE' : 'LOCAL_SHARDS';
}

function newCopy(
  index: IndexMetadata,
  shard: number,
  isPrimary: boolean,
  reason: UnassignedInfo['reason'],
  nowMs: number,
): ShardRouting {
  return {
    index: index.name,
    indexUuid: index.uuid,
    shard,
    isPrimary,
    state: 'UNASSIGNED',
    nodeId: null,
    relocatingNodeId: null,
    allocationId: null,
    recoverySource: isPrimary ? firstSource(index) : 'PEER',
    unassigned: {
      reason,
      atMs: nowMs,
      failedAllocations: 0,
      details: null,
      allocationStatus: 'no_attempt',
      lastNodeId: null,
    },
  };
}
