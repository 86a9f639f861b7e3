/**
 * The one-node cluster whose answers were recorded from a real server, as a cluster state: one index `lib` with one shard.
 */

import {
  type ClusterState,
  type IndexMetadata,
  NO_LIFECYCLE,
  NO_TEMPLATES,
  type ShardRouting,
} from '@shoal/cluster-state';
import type { CopyStats } from '@shoal/coordinator';

export const NODE_ID = 'C09shqfFQ2-hKCeFjhrcMA';
export const ALLOCATION_ID = 'riwxpOqgSeOgwz7G2QzP-w';
export const RECORDED_AT_MS = 1795253367123;

export const libCopy: ShardRouting = {
  index: 'lib',
  indexUuid: 'gBB1iblQTkmo_D3MU32TBA',
  shard: 0,
  isPrimary: true,
  state: 'STARTED',
  nodeId: NODE_ID,
  relocatingNodeId: null,
  allocationId: ALLOCATION_ID,
  recoverySource: 'EMPTY_STORE',
  unassigned: null,
};

export const lib: IndexMetadata = {
  name: 'lib',
  uuid: 'gBB1iblQTkmo_D3MU32TBA',
  state: 'open',
  version: 3,
  mappingVersion: 1,
  settingsVersion: 1,
  aliasesVersion: 1,
  settings: {
    'index.creation_date': '1795253359807',
    'index.number_of_replicas': '0',
    'index.number_of_shards': '1',
    'index.provided_name': 'lib',
    'index.uuid': 'gBB1iblQTkmo_D3MU32TBA',
    'index.version.created': '136407927',
  },
  mapping: { properties: { title: { type: 'text', fields: { raw: { type: 'keyword' } } }, n: { type: 'long' } } },
  aliases: new Map(),
  numberOfShards: 1,
  numberOfReplicas: 0,
  routingNumShards: 1024,
  primaryTerms: [1],
  inSyncAllocations: [[ALLOCATION_ID]],
  creationDateMs: 1795253359807,
  restoredFrom: null,
};

export const libStats: CopyStats = {
  index: 'lib',
  shard: 0,
  allocationId: ALLOCATION_ID,
  stats: { docCount: 3, deletedCount: 5, storeBytes: 13_282, indexTotal: 5, indexTimeMs: 128, indexFailed: 4 },
};

export const recordedState: ClusterState = {
  clusterName: 'peer-19290',
  version: 4,
  term: 1,
  stateUuid: 'D1V4jqEGTqW3GQPfssbk1g',
  clusterManagerId: NODE_ID,
  nodes: new Map([
    [
      NODE_ID,
      {
        id: NODE_ID,
        ephemeralId: 'JokCRW0dS1izs8QUryEDnQ',
        name: 'peer-19290',
        version: '0.1.0',
        roles: ['cluster_manager', 'data', 'ingest', 'remote_cluster_client'],
        address: { host: '127.0.0.1', port: 20_290 },
        httpAddress: '127.0.0.1:19290',
        attributes: { testattr: 'test' },
      },
    ],
  ]),
  metadata: {
    clusterUuid: 'dQvAlpe2R7uiWr2WjXS9oQ',
    clusterUuidCommitted: true,
    coordination: { lastCommittedConfig: [NODE_ID], lastAcceptedConfig: [NODE_ID], votingConfigExclusions: [] },
    indices: new Map([['lib', lib]]),
    persistentSettings: {},
    transientSettings: {},
    indexGraveyard: [],
    templates: NO_TEMPLATES,
    dataStreams: new Map(),
    ingestPipelines: new Map(),
    storedScripts: new Map(),
    synonymSets: new Map(),
    enrichPolicies: new Map(),
    snapshotPolicies: { isStopped: false, policies: new Map(), retention: { runs: 0, failed: 0, tookMs: 0 } },
    lifecycle: NO_LIFECYCLE,
    repositories: new Map(),
    runningSnapshots: [],
  },
  routing: { version: 3, indices: new Map([['lib', [[libCopy]]]]) },
  blocks: { global: [], indices: new Map() },
};

/** The recorded state with other indices: metadata and copies by name. */
export function stateWith(
  indices: readonly { readonly metadata: IndexMetadata; readonly shards: readonly (readonly ShardRouting[])[] }[],
): ClusterState {
  return {
    ...recordedState,
    metadata: { ...recordedState.metadata, indices: new Map(indices.map((i) => [i.metadata.name, i.metadata])) },
    routing: { version: 4, indices: new Map(indices.map((i) => [i.metadata.name, i.shards])) },
  };
}

/** A replica of `lib` that no node holds. */
export const unassignedReplica: ShardRouting = {
  ...libCopy,
  isPrimary: false,
  state: 'UNASSIGNED',
  nodeId: null,
  allocationId: null,
  recoverySource: 'PEER',
  unassigned: {
    reason: 'INDEX_CREATED',
    atMs: RECORDED_AT_MS,
    failedAllocations: 0,
    details: null,
    allocationStatus: 'no_attempt',
    lastNodeId: null,
  },
};
