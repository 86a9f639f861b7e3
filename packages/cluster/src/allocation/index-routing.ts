/**
 * The routing of one index: made with it, widened and narrowed with its number of replicas.
 */

import {
  type ClusterState,
  type IndexMetadata,
  type IndexRouting,
  type ShardRouting,
  type UnassignedInfo,
  withEntries,
} from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import { resizeSourceOf } from '../reading/resize-source.ts';
import { REPLICAS_UNASSIGNED } from './deciders.ts';

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

/** Routing with as many replicas of each shard as the index has now: new ones unassigned, unassigned ones dropped first. */
export function withReplicaCount(routing: IndexRouting, index: IndexMetadata, nowMs: number): IndexRouting {
  return routing.map((copies, shard) => {
    const primaries = copies.filter((copy) => copy.isPrimary);
    const replicas = copies
      .filter((copy) => !copy.isPrimary)
      .sort((a, b) => Number(a.state === 'UNASSIGNED') - Number(b.state === 'UNASSIGNED'))
      .slice(0, index.numberOfReplicas);
    while (replicas.length < index.numberOfReplicas) {
      replicas.push(newCopy(index, shard, false, 'REPLICA_ADDED', nowMs));
    }
    assert(primaries.length === 1, `[${index.name}][${shard}] has ${primaries.length} primaries`);
    return [...primaries, ...replicas];
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
      details: isPrimary ? null : REPLICAS_UNASSIGNED,
      allocationStatus: isPrimary ? 'no_attempt' : 'deciders_no',
      lastNodeId: null,
    },
  };
}
