/**
 * Cluster states for tests, made of the parts that a test names.
 */
import {
  type AliasMetadata,
  type ClusterBlock,
  type ClusterState,
  type DiscoveryNode,
  type IndexMetadata,
  NO_LIFECYCLE,
  NO_SNAPSHOT_POLICIES,
  NO_TEMPLATES,
  type RepositoryMetadata,
  type RunningSnapshot,
  type ShardRouting,
  type Templates,
} from '@shoal/cluster-state';

export function aliasOf(name: string, parts: Partial<AliasMetadata> = {}): AliasMetadata {
  return { name, filter: null, indexRouting: null, searchRouting: null, isWriteIndex: null, isHidden: null, ...parts };
}

export interface IndexParts {
  readonly shards?: number;
  readonly state?: 'open' | 'close';
  readonly settings?: Readonly<Record<string, string>>;
  /** Cluster settings that the node was started with. */
  readonly nodeSettings?: Readonly<Record<string, string>>;
  readonly aliases?: readonly AliasMetadata[];
  readonly mapping?: Readonly<Record<string, unknown>>;
}

export function indexOf(name: string, parts: IndexParts = {}): IndexMetadata {
  const shards = parts.shards ?? 1;
  return {
    name,
    uuid: `uuid-${name}`,
    state: parts.state ?? 'open',
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    settings: { 'index.number_of_shards': String(shards), ...parts.settings },
    mapping: parts.mapping ?? {},
    aliases: new Map((parts.aliases ?? []).map((alias) => [alias.name, alias])),
    numberOfShards: shards,
    numberOfReplicas: 0,
    routingNumShards: shards * 256,
    primaryTerms: Array.from({ length: shards }, () => 1),
    inSyncAllocations: Array.from({ length: shards }, () => []),
    creationDateMs: 0,
    restoredFrom: null,
  };
}

export function nodeOf(id: string): DiscoveryNode {
  return {
    id,
    ephemeralId: `${id}-e`,
    name: id,
    version: '0.1.0',
    roles: ['data'],
    address: { host: '127.0.0.1', port: 9300 },
    httpAddress: null,
    attributes: {},
  };
}

export interface StateParts {
  readonly indices?: readonly IndexMetadata[];
  readonly nodes?: readonly DiscoveryNode[];
  readonly version?: number;
  readonly blocks?: readonly ClusterBlock[];
  readonly indexBlocks?: ClusterState['blocks']['indices'];
  /** Cluster settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Cluster settings that the node was started with. */
  readonly nodeSettings?: Readonly<Record<string, string>>;
  readonly templates?: Templates;
  /** Configurations by id, also as JSON. */
  readonly ingestPipelines?: Readonly<Record<string, unknown>>;
  readonly storedScripts?: ClusterState['metadata']['storedScripts'];
  readonly synonymSets?: ClusterState['metadata']['synonymSets'];
  readonly enrichPolicies?: ClusterState['metadata']['enrichPolicies'];
  /** Backing indices by the name of their stream. */
  readonly dataStreams?: Readonly<Record<string, readonly string[]>>;
  /** Failure indices of data streams, by the name of the stream. */
  readonly failureIndices?: Readonly<Record<string, readonly string[]>>;
  readonly repositories?: readonly RepositoryMetadata[];
  readonly runningSnapshots?: readonly RunningSnapshot[];
  /** Node of a shard; null: unassigned. Default: all on the first node. */
  readonly place?: (index: string, shard: number) => string | null;
}

export function stateOf(parts: StateParts): ClusterState {
  const nodes = parts.nodes ?? [nodeOf('n1')];
  const place = parts.place ?? (() => nodes[0]?.id ?? null);
  const indices = parts.indices ?? [];
  return {
    clusterName: 'test',
    version: parts.version ?? 1,
    term: 1,
    stateUuid: `state-${parts.version ?? 1}`,
    clusterManagerId: nodes[0]?.id ?? null,
    nodes: new Map(nodes.map((node) => [node.id, node])),
    metadata: {
      clusterUuid: 'cluster-uuid',
      clusterUuidCommitted: true,
      coordination: { lastCommittedConfig: [], lastAcceptedConfig: [], votingConfigExclusions: [] },
      indices: new Map(indices.map((index) => [index.name, index])),
      persistentSettings: parts.settings ?? {},
      transientSettings: {},
      indexGraveyard: [],
      templates: parts.templates ?? NO_TEMPLATES,
      lifecycle: NO_LIFECYCLE,
      ingestPipelines: new Map(
        Object.entries(parts.ingestPipelines ?? {}).map(([id, config]) => [
          id,
          { id, config: typeof config === 'string' ? config : JSON.stringify(config) },
        ]),
      ),
      storedScripts: parts.storedScripts ?? new Map(),
      synonymSets: parts.synonymSets ?? new Map(),
      enrichPolicies: parts.enrichPolicies ?? new Map(),
      snapshotPolicies: NO_SNAPSHOT_POLICIES,
      dataStreams: new Map(
        Object.entries(parts.dataStreams ?? {}).map(([name, backing]) => [
          name,
          {
            name,
            indices: backing,
            generation: backing.length,
            isHidden: false,
            meta: null,
            lifecycle: null,
            rollsOverOnWrite: false,
            failureIndices: parts.failureIndices?.[name] ?? [],
            failuresRollOverOnWrite: false,
            failureStore: null,
          },
        ]),
      ),
      repositories: new Map((parts.repositories ?? []).map((repository) => [repository.name, repository])),
      runningSnapshots: parts.runningSnapshots ?? [],
    },
    routing: {
      version: 1,
      indices: new Map(
        indices.map((index) => [
          index.name,
          Array.from({ length: index.numberOfShards }, (_, shard) => [
            routingOf(index, shard, place(index.name, shard)),
          ]),
        ]),
      ),
    },
    blocks: { global: parts.blocks ?? [], indices: parts.indexBlocks ?? new Map() },
  };
}

function routingOf(index: IndexMetadata, shard: number, nodeId: string | null): ShardRouting {
  return {
    index: index.name,
    indexUuid: index.uuid,
    shard,
    isPrimary: true,
    state: nodeId === null ? 'UNASSIGNED' : 'STARTED',
    nodeId,
    relocatingNodeId: null,
    allocationId: nodeId === null ? null : `alloc-${index.name}-${shard}`,
    recoverySource: 'EMPTY_STORE',
    unassigned: null,
  };
}
