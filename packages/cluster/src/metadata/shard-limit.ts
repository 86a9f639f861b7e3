/**
 * `cluster.max_shards_per_node`: a cluster with too many shards for its data nodes takes no new ones.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import type { AllocationContext } from '../allocation/rules/allocation-context.ts';
import { type ClusterSettings, clusterSettings } from '../reading/cluster-settings.ts';
import { dataNodes } from '../reading/data-nodes.ts';

const SHARDS_PER_NODE_DEFAULT = 1_000;

/** Copies of open indices that the cluster has, and may have. */
export interface ShardCapacity {
  readonly open: number;
  /** 0 without a data node. */
  readonly max: number;
}

/** @param settings of the cluster, in force */
export function shardCapacity(state: ClusterState, settings: ClusterSettings): ShardCapacity {
  const text = settings['cluster.max_shards_per_node'];
  const perNode = text === undefined ? SHARDS_PER_NODE_DEFAULT : Number.parseInt(text, 10);
  let open = 0;
  for (const index of state.metadata.indices.values()) {
    if (index.state === 'open') open += index.numberOfShards * (1 + index.numberOfReplicas);
  }
  return { open, max: perNode * dataNodes(state).length };
}

/** Throws `validation_exception` when `added` more copies of open indices would pass the limit. */
export function checkShardLimit(state: ClusterState, { nodeSettings }: AllocationContext, added: number): void {
  const { open, max } = shardCapacity(state, clusterSettings(state, nodeSettings));
  // Without a data node there is nothing to overload; the copies wait unassigned.
  if (max === 0 || added <= 0 || open + added <= max) return;
  throw new ShoalError(
    'validation_exception',
    400,
    `Validation Failed: 1: this action would add [${added}] shards, but this cluster currently has [${open}]/[${max}] maximum normal shards open;`,
  );
}
