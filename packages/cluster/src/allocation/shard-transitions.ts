/**
 * Transitions of copies: started, failed, left behind by a node. Pure: state in, state out, one transition a call.
 */

import type { ClusterState, DiscoveryNode, ShardRouting, UnassignedInfo } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import { isNeverStarted } from '../reading/resize-source.ts';
import type { AllocationContext } from './allocation-context.ts';
import { RoutingChanges } from './routing-changes.ts';

export interface StartedShard {
  readonly index: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

export interface FailedShard extends StartedShard {
  readonly markStale: boolean;
  readonly reason: string;
}

/** Longest failure text that is kept in the state. */
const DETAILS_MAX = 2_000;

/**
 * Marks a copy as started. No reroute: a thousand reports of a restart would make a thousand. A copy that the state does not
 * show as starting under this id and term is ignored: the message is late.
 */
export function applyShardStarted(state: ClusterState, started: StartedShard): ClusterState {
  const copy = findCopy(state, started);
  const index = state.metadata.indices.get(started.index);
  if (copy === null || index === undefined || copy.state !== 'INITIALIZING') return state;
  if (index.primaryTerms[started.shard] !== started.primaryTerm) return state;
  const changes = new RoutingChanges(state);
  changes.replace(copy, { ...copy, state: 'STARTED', recoverySource: 'EXISTING_STORE', unassigned: null });
  const inSync = index.inSyncAllocations[started.shard] ?? [];
  if (!inSync.includes(started.allocationId)) {
    // A primary that started from nothing is the whole set: any other id belongs to a life that is over.
    const base = copy.isPrimary && isNeverStarted(copy) ? [] : inSync;
    changes.setInSync(started.index, started.shard, [...base, started.allocationId]);
  }
  return changes.finish();
}

/**
 * Takes the node from a copy; it is tried again by the next reroute. Throws `no_longer_primary_shard_exception` for a report by a primary of an
 * older term (term 0: the copy reports itself).
 */
export function applyShardFailed(
  state: ClusterState,
  failed: FailedShard,
  context: Pick<AllocationContext, 'nowMs'>,
): ClusterState {
  const index = state.metadata.indices.get(failed.index);
  const current = index?.primaryTerms[failed.shard];
  if (index === undefined || current === undefined) return state;
  if (failed.primaryTerm !== 0 && failed.primaryTerm !== current) {
    throw new ShoalError(
      'no_longer_primary_shard_exception',
      500,
      `primary term [${failed.primaryTerm}] did not match current primary term [${current}]`,
      { metadata: { index: failed.index, shard: String(failed.shard), index_uuid: index.uuid } },
    );
  }
  const copy = findCopy(state, failed);
  if (copy === null) return state;
  const changes = new RoutingChanges(state);
  changes.replace(
    copy,
    unassigned(copy, {
      reason: 'ALLOCATION_FAILED',
      atMs: context.nowMs,
      failedAllocations: (copy.unassigned?.failedAllocations ?? 0) + 1,
      details: `failed shard on node [${copy.nodeId}]: ${failed.reason}`.slice(0, DETAILS_MAX),
      allocationStatus: 'no_attempt',
      lastNodeId: copy.nodeId,
    }),
  );
  // The set never becomes empty by failing: the last copy that holds every acknowledged write stays the one to wait for.
  const inSync = index.inSyncAllocations[failed.shard] ?? [];
  const rest = inSync.filter((id) => id !== failed.allocationId);
  if (failed.markStale && !copy.isPrimary && rest.length > 0) changes.setInSync(failed.index, failed.shard, rest);
  return changes.finish();
}

/** Copies of nodes that are gone (or of an earlier process of a node that is back) become unassigned. No reroute. */
export function dropCopiesOf(
  state: ClusterState,
  gone: readonly DiscoveryNode[],
  options: { readonly nowMs: number; readonly reason: 'NODE_LEFT' | 'CLUSTER_RECOVERED' },
): ClusterState {
  if (gone.length === 0) return state;
  const ids = new Set(gone.map((node) => node.id));
  const changes = new RoutingChanges(state);
  for (const copy of [...changes.copies()]) {
    if (copy.nodeId === null || !ids.has(copy.nodeId)) continue;
    changes.replace(
      copy,
      unassigned(copy, {
        reason: options.reason,
        atMs: options.nowMs,
        failedAllocations: 0,
        details: options.reason === 'NODE_LEFT' ? `node_left [${copy.nodeId}]` : null,
        allocationStatus: 'no_attempt',
        lastNodeId: copy.nodeId,
      }),
    );
  }
  return changes.finish();
}

/** Copies that were given up after too many failures get new attempts. */
export function resetFailedAllocations(state: ClusterState): ClusterState {
  const changes = new RoutingChanges(state);
  for (const copy of [...changes.copies()]) {
    if (copy.state !== 'UNASSIGNED' || copy.unassigned === null || copy.unassigned.failedAllocations === 0) continue;
    changes.replace(copy, { ...copy, unassigned: { ...copy.unassigned, failedAllocations: 0 } });
  }
  return changes.finish();
}

function findCopy(state: ClusterState, at: StartedShard): ShardRouting | null {
  const copies = state.routing.indices.get(at.index)?.[at.shard] ?? [];
  return copies.find((copy) => copy.allocationId === at.allocationId) ?? null;
}

function unassigned(copy: ShardRouting, info: UnassignedInfo): ShardRouting {
  return {
    ...copy,
    state: 'UNASSIGNED',
    nodeId: null,
    relocatingNodeId: null,
    allocationId: null,
    unassigned: info,
  };
}
