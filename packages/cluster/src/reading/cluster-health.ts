/**
 * Health of the cluster, of some indices, and of each shard: a pure reading of the cluster state.
 */
import { type ClusterState, type ShardRouting, type UnassignedInfo, withoutTargets } from '@shoal/cluster-state';
import { isPrimaryActive } from './active-copy.ts';
import { isDelayed } from './delayed-copy.ts';
import { isNeverStarted } from './resize-source.ts';

export type HealthStatus = 'green' | 'yellow' | 'red';

export interface HealthCounts {
  readonly status: HealthStatus;
  readonly activePrimaryShards: number;
  readonly activeShards: number;
  readonly relocatingShards: number;
  readonly initializingShards: number;
  readonly unassignedShards: number;
  readonly unassignedPrimaryShards: number;
  /** Unassigned copies that wait for the node that held them. */
  readonly delayedUnassignedShards: number;
}

export interface ShardHealth extends HealthCounts {
  readonly shard: number;
  readonly primaryActive: boolean;
}

export interface IndexHealth extends HealthCounts {
  readonly index: string;
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  readonly shards: readonly ShardHealth[];
}

export interface ClusterHealth extends HealthCounts {
  readonly clusterName: string;
  readonly numberOfNodes: number;
  readonly numberOfDataNodes: number;
  readonly hasClusterManager: boolean;
  /** 0..100; 100 when there is no shard. */
  readonly activeShardsPercent: number;
  /** Health of each index, in the order of names. */
  readonly indices: ReadonlyMap<string, IndexHealth>;
}

/** Status of the blocks of a node that cannot know how its cluster is: not recovered yet, or without a cluster manager. */
const UNAVAILABLE_STATUS = 503;

/** Health of whole states that are still in use. */
const WHOLE = new WeakMap<ClusterState, ClusterHealth>();

/** @param indices concrete names; null: all. Unknown names are left out: the caller knows what it asked for. */
export function clusterHealth(state: ClusterState, indices: readonly string[] | null): ClusterHealth {
  if (indices !== null) return healthOf(state, indices);
  const known = WHOLE.get(state);
  if (known !== undefined) return known;
  const health = healthOf(state, state.metadata.indices.keys());
  WHOLE.set(state, health);
  return health;
}

function healthOf(state: ClusterState, names: Iterable<string>): ClusterHealth {
  const byName = new Map<string, IndexHealth>();
  for (const name of names) {
    const health = indexHealth(state, name);
    if (health !== null) byName.set(name, health);
  }
  const counts = sum(byName.values());
  const total = counts.activeShards + counts.initializingShards + counts.unassignedShards;
  const isKnown = !state.blocks.global.some((block) => block.status === UNAVAILABLE_STATUS);
  return {
    ...counts,
    status: isKnown ? counts.status : 'red',
    clusterName: state.clusterName,
    numberOfNodes: state.nodes.size,
    numberOfDataNodes: [...state.nodes.values()].filter((node) => node.roles.includes('data')).length,
    hasClusterManager: state.clusterManagerId !== null,
    activeShardsPercent: total === 0 ? 100 : (counts.activeShards / total) * 100,
    indices: byName,
  };
}

/**
 * Health of indices by their copies: who asks while a cluster recovers asks many times of thousands of indices, of which few have changed. Copies
 * in a cluster state never change in their place.
 */
const KNOWN = new WeakMap<readonly (readonly ShardRouting[])[], IndexHealth>();

function indexHealth(state: ClusterState, name: string): IndexHealth | null {
  const index = state.metadata.indices.get(name);
  if (index === undefined) return null;
  const { numberOfShards, numberOfReplicas } = index;
  const copies = state.routing.indices.get(name) ?? [];
  const known = KNOWN.get(copies);
  if (known?.index === name && known.numberOfShards === numberOfShards && known.numberOfReplicas === numberOfReplicas) {
    return known;
  }
  const shards = copies.map(shardHealth);
  const health: IndexHealth = { ...sum(shards), index: name, numberOfShards, numberOfReplicas, shards };
  KNOWN.set(copies, health);
  return health;
}

function shardHealth(all: readonly ShardRouting[], shard: number): ShardHealth {
  const copies = withoutTargets(all);
  const count = (...states: ShardRouting['state'][]): number =>
    copies.filter((copy) => states.includes(copy.state)).length;
  const [primary] = copies;
  const primaryActive = isPrimaryActive(copies);
  const activeShards = count('STARTED', 'RELOCATING');
  return {
    shard,
    primaryActive,
    // A primary of a new index that nobody could start yet is on its way, not lost.
    status: primaryActive ? (activeShards === copies.length ? 'green' : 'yellow') : isNew(primary) ? 'yellow' : 'red',
    activePrimaryShards: primaryActive ? 1 : 0,
    activeShards,
    relocatingShards: count('RELOCATING'),
    initializingShards: count('INITIALIZING'),
    unassignedShards: count('UNASSIGNED'),
    unassignedPrimaryShards: primary?.state === 'UNASSIGNED' ? 1 : 0,
    delayedUnassignedShards: copies.filter(isDelayed).length,
  };
}

/** Reasons of primaries that wait to be started for the first time. */
const NEW_REASONS: readonly UnassignedInfo['reason'][] = [
  'INDEX_CREATED',
  'NEW_INDEX_RESTORED',
  'EXISTING_INDEX_RESTORED',
];

function isNew(primary: ShardRouting | undefined): boolean {
  const info = primary?.unassigned;
  return (
    primary !== undefined &&
    isNeverStarted(primary) &&
    info !== null &&
    info !== undefined &&
    NEW_REASONS.includes(info.reason) &&
    info.failedAllocations === 0 &&
    info.allocationStatus !== 'deciders_no' &&
    info.allocationStatus !== 'no_valid_shard_copy'
  );
}

function sum(parts: Iterable<HealthCounts>): HealthCounts {
  const total = {
    status: 'green' as HealthStatus,
    activePrimaryShards: 0,
    activeShards: 0,
    relocatingShards: 0,
    initializingShards: 0,
    unassignedShards: 0,
    unassignedPrimaryShards: 0,
    delayedUnassignedShards: 0,
  };
  for (const part of parts) {
    if (part.status === 'red' || total.status === 'green') total.status = part.status;
    total.activePrimaryShards += part.activePrimaryShards;
    total.activeShards += part.activeShards;
    total.relocatingShards += part.relocatingShards;
    total.initializingShards += part.initializingShards;
    total.unassignedShards += part.unassignedShards;
    total.unassignedPrimaryShards += part.unassignedPrimaryShards;
    total.delayedUnassignedShards += part.delayedUnassignedShards;
  }
  return total;
}
