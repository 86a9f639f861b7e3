/**
 * Cluster states for tests of the data node, made of the parts that a test names.
 */
import {
  type ClusterState,
  type IndexMetadata,
  NO_LIFECYCLE,
  NO_TEMPLATES,
  type ShardRouting,
} from '@shoal/cluster-state';

export const LOCAL_NODE = 'node-1';

export function routing(parts: Partial<ShardRouting> = {}): ShardRouting {
  return {
    index: 'books',
    indexUuid: 'uuid-books',
    shard: 0,
    isPrimary: true,
    state: 'INITIALIZING',
    nodeId: LOCAL_NODE,
    relocatingNodeId: null,
    allocationId: 'a1',
    recoverySource: 'EMPTY_STORE',
    unassigned: null,
    ...parts,
  };
}

export function indexMetadata(parts: Partial<IndexMetadata> = {}): IndexMetadata {
  return {
    name: 'books',
    uuid: 'uuid-books',
    state: 'open',
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    settings: {},
    mapping: {},
    aliases: new Map(),
    numberOfShards: 1,
    numberOfReplicas: 0,
    routingNumShards: 1024,
    primaryTerms: [1],
    inSyncAllocations: [[]],
    creationDateMs: 0,
    restoredFrom: null,
    ...parts,
  };
}

export interface StateParts {
  readonly indices?: readonly IndexMetadata[];
  readonly routings?: readonly ShardRouting[];
  readonly clusterManagerId?: string | null;
  readonly clusterUuid?: string;
  readonly graveyard?: readonly string[];
  readonly isRecovered?: boolean;
  readonly version?: number;
}

export function clusterState(parts: StateParts): ClusterState {
  const indices = parts.indices ?? [indexMetadata()];
  const block = { id: 1, description: 'state not recovered / initialized', status: 503, levels: ['read' as const] };
  return {
    clusterName: 'test',
    version: parts.version ?? 1,
    term: 1,
    stateUuid: 's',
    clusterManagerId: parts.clusterManagerId === undefined ? LOCAL_NODE : parts.clusterManagerId,
    nodes: new Map(),
    metadata: {
      clusterUuid: parts.clusterUuid ?? 'cluster',
      clusterUuidCommitted: true,
      coordination: { lastCommittedConfig: [], lastAcceptedConfig: [], votingConfigExclusions: [] },
      indices: new Map(indices.map((index) => [index.name, index])),
      persistentSettings: {},
      transientSettings: {},
      indexGraveyard: (parts.graveyard ?? []).map((uuid) => ({ index: 'gone', uuid, deletedAtMs: 0 })),
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
    routing: {
      version: 1,
      indices: new Map(
        indices.map((index) => [index.name, [(parts.routings ?? []).filter((copy) => copy.index === index.name)]]),
      ),
    },
    blocks: { global: parts.isRecovered === false ? [block] : [], indices: new Map() },
  };
}
