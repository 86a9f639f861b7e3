/** A small cluster state, made by the functions that make the real ones. */

import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { NO_CONFIG_FILES } from '@shoal/core';
import { CopyIndex } from '../allocation/copies/copy-index.ts';
import {
  type AllocationContext,
  NO_DISKS_KNOWN,
  NO_STORES_KNOWN,
  type ShardStores,
} from '../allocation/rules/allocation-context.ts';
import { type CreateIndexBody, createIndex } from '../metadata/create-index.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { emptyClusterState, withNodes } from './cluster-value-model.ts';

export function testNode(id: string, overrides: Partial<DiscoveryNode> = {}): DiscoveryNode {
  return {
    id,
    ephemeralId: `${id}-1`,
    name: `name-${id}`,
    version: '0.1.0',
    roles: ['cluster_manager', 'data'],
    address: { host: '127.0.0.1', port: 9300 + id.charCodeAt(0) },
    httpAddress: null,
    attributes: {},
    ...overrides,
  };
}

export function testContext(stores: ShardStores = NO_STORES_KNOWN): MetadataContext & AllocationContext {
  let last = 0;
  return {
    nowMs: 1_000,
    newAllocationId: () => `alloc-${++last}`,
    newUuid: () => `uuid-${++last}`,
    stores,
    disks: NO_DISKS_KNOWN,
    copies: new CopyIndex(),
    nodeSettings: {},
    files: NO_CONFIG_FILES,
  };
}

export function clusterOf(...nodes: readonly DiscoveryNode[]): ClusterState {
  const [first = testNode('a')] = nodes;
  return withNodes(emptyClusterState('c'), { joined: nodes, left: [], newManager: first }, testContext());
}

export function withIndex(
  state: ClusterState,
  index: string,
  body: Partial<CreateIndexBody> = {},
  context: MetadataContext = testContext(),
): ClusterState {
  const full = { index, settings: {}, mappings: {}, aliases: {}, waitForActiveShards: 1, ...body };
  return createIndex(state, full, context);
}

export function copiesOf(state: ClusterState, index: string): readonly ShardRouting[] {
  return (state.routing.indices.get(index) ?? []).flat();
}
