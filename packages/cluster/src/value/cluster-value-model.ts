/**
 * The cluster state as the value that coordination agrees on: who is in it, how nodes come and go, who may join.
 */

import {
  type ClusterState,
  type DiscoveryNode,
  NO_ENRICH_POLICIES,
  NO_INGEST_PIPELINES,
  NO_LIFECYCLE,
  NO_SNAPSHOT_POLICIES,
  NO_STORED_SCRIPTS,
  NO_SYNONYM_SETS,
  NO_TEMPLATES,
  withEntries,
} from '@shoal/cluster-state';
import type { NodeChanges, StateHeader, ValueModel } from '@shoal/consensus';
import { assert, INDEX_VERSION_CREATED, versionId } from '@shoal/core';
import { expandReplicas } from '../allocation/expand-replicas.ts';
import { reroute } from '../allocation/reroute.ts';
import { dropCopiesOf, resetFailedAllocations } from '../allocation/shard-transitions.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { resolveExclusions } from '../metadata/voting-exclusions.ts';
import { BLOCK_ID, STATE_NOT_RECOVERED_BLOCK } from '../reading/cluster-blocks.ts';
import { withStackTemplates } from '../stack-templates/with-stack-templates.ts';

/** The state of a node that has never been in a cluster. */
export function emptyClusterState(clusterName: string): ClusterState {
  return {
    clusterName,
    version: 0,
    term: 0,
    stateUuid: '_na_',
    clusterManagerId: null,
    nodes: new Map(),
    metadata: {
      clusterUuid: '_na_',
      clusterUuidCommitted: false,
      coordination: { lastCommittedConfig: [], lastAcceptedConfig: [], votingConfigExclusions: [] },
      indices: new Map(),
      persistentSettings: {},
      transientSettings: {},
      indexGraveyard: [],
      templates: NO_TEMPLATES,
      dataStreams: new Map(),
      ingestPipelines: NO_INGEST_PIPELINES,
      storedScripts: NO_STORED_SCRIPTS,
      synonymSets: NO_SYNONYM_SETS,
      enrichPolicies: NO_ENRICH_POLICIES,
      snapshotPolicies: NO_SNAPSHOT_POLICIES,
      lifecycle: NO_LIFECYCLE,
      repositories: new Map(),
      runningSnapshots: [],
    },
    routing: { version: 0, indices: new Map() },
    blocks: { global: [STATE_NOT_RECOVERED_BLOCK], indices: new Map() },
  };
}

/** @param context asked once for each change that needs time, ids or what is known of stores */
export function clusterValueModel(context: () => MetadataContext): ValueModel<ClusterState> {
  return {
    nodes: (state) => state.nodes,
    excludedIds: (state) => new Set(state.metadata.coordination.votingConfigExclusions.map(({ nodeId }) => nodeId)),
    withNodes: (state, changes) => {
      const now = context();
      const next = withNodes(state, changes, now);
      return changes.newManager === null ? next : withStackTemplates(next, now);
    },
    stamp: stampHeader,
    refuseJoin,
    refuseState,
  };
}

/** Header of a state; the other direction of `stampHeader`. */
export function headerOf(state: ClusterState): StateHeader {
  const { metadata } = state;
  return {
    term: state.term,
    version: state.version,
    stateUuid: state.stateUuid,
    clusterUuid: metadata.clusterUuid,
    clusterUuidCommitted: metadata.clusterUuidCommitted,
    acceptedConfig: metadata.coordination.lastAcceptedConfig,
    committedConfig: metadata.coordination.lastCommittedConfig,
  };
}

function stampHeader(state: ClusterState, header: StateHeader): ClusterState {
  assert(
    header.term > state.term || (header.term === state.term && header.version >= state.version),
    `state ${state.term}/${state.version} is stamped as ${header.term}/${header.version}`,
  );
  return {
    ...state,
    term: header.term,
    version: header.version,
    stateUuid: header.stateUuid,
    metadata: {
      ...state.metadata,
      clusterUuid: header.clusterUuid,
      clusterUuidCommitted: header.clusterUuidCommitted,
      coordination: {
        ...state.metadata.coordination,
        lastAcceptedConfig: header.acceptedConfig,
        lastCommittedConfig: header.committedConfig,
      },
    },
  };
}

export function withNodes(state: ClusterState, changes: NodeChanges, context: MetadataContext): ClusterState {
  const { joined, left, newManager } = changes;
  const entries = new Map<string, DiscoveryNode | null>();
  const gone = new Map<string, DiscoveryNode>();
  for (const { node } of left) {
    // A removal names a process: a newer one of the same node stays.
    if (state.nodes.get(node.id)?.ephemeralId !== node.ephemeralId) continue;
    entries.set(node.id, null);
    gone.set(node.id, node);
  }
  for (const node of newManager === null ? joined : [newManager, ...joined]) {
    const old = state.nodes.get(node.id);
    if (old !== undefined && old.ephemeralId === node.ephemeralId && !gone.has(node.id)) continue;
    if (old !== undefined) gone.set(node.id, old);
    entries.set(node.id, node);
    // A node of another name that had this address cannot be there any more.
    for (const other of state.nodes.values()) {
      if (other.id !== node.id && sameAddress(other, node) && !entries.has(other.id)) {
        entries.set(other.id, null);
        gone.set(other.id, other);
      }
    }
  }
  const ownBefore = newManager === null ? undefined : state.nodes.get(newManager.id);
  const isRecovery = newManager !== null && ownBefore?.ephemeralId !== newManager.ephemeralId;
  let next: ClusterState = { ...state, nodes: withEntries(state.nodes, entries) };
  if (newManager !== null) next = withManager(next, newManager);
  if (next.nodes === state.nodes && newManager === null) return state;
  next = dropCopiesOf(next, [...gone.values()], {
    nowMs: context.nowMs,
    reason: isRecovery ? 'CLUSTER_RECOVERED' : 'NODE_LEFT',
  });
  const members = next.nodes;
  const copies = [...next.routing.indices.values()].flat(2);
  const orphan = copies.find((copy) => copy.nodeId !== null && !members.has(copy.nodeId));
  assert(orphan === undefined, `[${orphan?.index}][${orphan?.shard}] is on [${orphan?.nodeId}], which is no member`);
  const hasNewNode = [...entries.values()].some((node) => node !== null);
  if (hasNewNode) next = resetFailedAllocations(resolveExclusions(next));
  return reroute(next.nodes === state.nodes ? next : expandReplicas(next, context), context);
}

function withManager(state: ClusterState, manager: DiscoveryNode): ClusterState {
  const global = state.blocks.global.filter(
    (block) => block.id !== STATE_NOT_RECOVERED_BLOCK.id && block.id !== BLOCK_ID.noManager,
  );
  return {
    ...state,
    clusterManagerId: manager.id,
    blocks: global.length === state.blocks.global.length ? state.blocks : { ...state.blocks, global },
  };
}

function refuseJoin(state: ClusterState, node: DiscoveryNode): string | null {
  const joining = versionId(node.version);
  const majorOf = (version: number): number => Math.floor(version / 1_000_000);
  for (const member of state.nodes.values()) {
    if (member.id === node.id) continue;
    const known = versionId(member.version);
    if (majorOf(known) !== majorOf(joining)) {
      return `node version [${node.version}] may not join a cluster with a node of version [${member.version}]: the major versions differ`;
    }
  }
  const lowest = [...state.nodes.values()].filter((member) => member.id !== node.id).map((m) => versionId(m.version));
  if (lowest.length > 0 && joining < Math.min(...lowest)) {
    return `node version [${node.version}] may not join a cluster comprising only nodes of newer versions`;
  }
  return null;
}

function refuseState(state: ClusterState): string | null {
  for (const index of state.metadata.indices.values()) {
    const created = Number(index.settings['index.version.created'] ?? INDEX_VERSION_CREATED);
    if (created > Number(INDEX_VERSION_CREATED)) {
      return `index [${index.name}] was created by a newer version [${created}] than this node can read [${INDEX_VERSION_CREATED}]`;
    }
  }
  return null;
}

function sameAddress(a: DiscoveryNode, b: DiscoveryNode): boolean {
  return a.address.port !== 0 && a.address.host === b.address.host && a.address.port === b.address.port;
}
