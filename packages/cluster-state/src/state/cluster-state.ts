/**
 * The cluster state: what all nodes agree on, as one immutable value.
 *
 * Only the elected cluster manager makes a new one, and only a committed publication changes what a node has. It is plain
 * data: no methods, no cycles, so that it can be written to disk, sent over 9300, compared and diffed part by part.
 * Parts that did not change keep their identity (===) from one state to the next.
 */
import type { Address } from '@shoal/runtime';
import type { AliasMetadata } from '../metadata/alias-metadata.ts';
import type { DataStream } from '../metadata/data-stream.ts';
import type { EnrichPolicies } from '../metadata/enrich-policies.ts';
import type { IngestPipeline } from '../metadata/ingest-pipelines.ts';
import type { LifecycleMetadata } from '../metadata/lifecycle.ts';
import type { RepositoryMetadata } from '../metadata/repository-metadata.ts';
import type { RestoreSource } from '../metadata/restore-source.ts';
import type { RunningSnapshot } from '../metadata/running-snapshot.ts';
import type { SnapshotPolicies } from '../metadata/snapshot-policies.ts';
import type { StoredScript } from '../metadata/stored-scripts.ts';
import type { SynonymSets } from '../metadata/synonym-sets.ts';
import type { Templates } from '../metadata/templates.ts';

export interface ClusterState {
  readonly clusterName: string;
  /** Grows by one with every published state of a term; of the higher term the later one wins. */
  readonly version: number;
  readonly term: number;
  /** Fresh for every state; diffs name the one they start from. */
  readonly stateUuid: string;
  /** null while none is elected (only in states that a node applies to itself). */
  readonly clusterManagerId: string | null;
  readonly nodes: ReadonlyMap<string, DiscoveryNode>;
  readonly metadata: Metadata;
  readonly routing: RoutingTable;
  readonly blocks: ClusterBlocks;
}

/** A node as the others know it. */
export interface DiscoveryNode {
  readonly id: string;
  /** Fresh at every start of the process. */
  readonly ephemeralId: string;
  readonly name: string;
  readonly version: string;
  readonly roles: readonly NodeRole[];
  /** Address of its transport. */
  readonly address: Address;
  /** `host:port` of its HTTP; null without one. */
  readonly httpAddress: string | null;
  readonly attributes: Readonly<Record<string, string>>;
}

export type NodeRole = 'cluster_manager' | 'voting_only' | 'data' | 'ingest' | 'remote_cluster_client';

export interface Metadata {
  /** `_na_` until the first election. */
  readonly clusterUuid: string;
  readonly clusterUuidCommitted: boolean;
  readonly coordination: CoordinationMetadata;
  readonly indices: ReadonlyMap<string, IndexMetadata>;
  /** Flat names to values, as `PUT _cluster/settings` set them. */
  readonly persistentSettings: Readonly<Record<string, string>>;
  readonly transientSettings: Readonly<Record<string, string>>;
  /** Deleted indices, newest last, so that a node that was away does not revive them. At most 500. */
  readonly indexGraveyard: readonly { readonly index: string; readonly uuid: string; readonly deletedAtMs: number }[];
  readonly templates: Templates;
  readonly dataStreams: ReadonlyMap<string, DataStream>;
  /** By id. */
  readonly ingestPipelines: ReadonlyMap<string, IngestPipeline>;
  readonly storedScripts: ReadonlyMap<string, StoredScript>;
  readonly synonymSets: SynonymSets;
  readonly enrichPolicies: EnrichPolicies;
  readonly snapshotPolicies: SnapshotPolicies;
  readonly lifecycle: LifecycleMetadata;
  readonly repositories: ReadonlyMap<string, RepositoryMetadata>;
  /** In the order in which they began. */
  readonly runningSnapshots: readonly RunningSnapshot[];
}

export interface CoordinationMetadata {
  readonly lastCommittedConfig: readonly string[];
  readonly lastAcceptedConfig: readonly string[];
  readonly votingConfigExclusions: readonly { readonly nodeId: string; readonly nodeName: string }[];
}

export interface IndexMetadata {
  readonly name: string;
  readonly uuid: string;
  readonly state: 'open' | 'close';
  /** These count changes of their part, as `_cluster/state` shows them. */
  readonly version: number;
  readonly mappingVersion: number;
  readonly settingsVersion: number;
  readonly aliasesVersion: number;
  /** Flat, with the `index.` prefix; every value as text. */
  readonly settings: Readonly<Record<string, string>>;
  /** Mapping JSON as `@shoal/schema` renders it. */
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly aliases: ReadonlyMap<string, AliasMetadata>;
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  /** Hash space of routing; a multiple of numberOfShards. */
  readonly routingNumShards: number;
  /** By shard number; grows whenever another copy becomes primary or a failed primary is assigned again. */
  readonly primaryTerms: readonly number[];
  /** By shard number: allocation ids of the copies that hold every acknowledged write. */
  readonly inSyncAllocations: readonly (readonly string[])[];
  readonly creationDateMs: number;
  /** When another index took its place in an alias or data stream; absent: none did. */
  readonly rolledOverMs?: number;
  /** Snapshot that its shards were or are to be restored from; null: none. */
  readonly restoredFrom: RestoreSource | null;
}

export interface RoutingTable {
  /** Grows with every change of any shard's routing. */
  readonly version: number;
  /** By index name, then shard number, then copy: the primary first. */
  readonly indices: ReadonlyMap<string, readonly (readonly ShardRouting[])[]>;
}

export type ShardState = 'UNASSIGNED' | 'INITIALIZING' | 'STARTED' | 'RELOCATING';

/** One copy of a shard, and the node that it is on. */
export interface ShardRouting {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly isPrimary: boolean;
  readonly state: ShardState;
  /** null when unassigned. */
  readonly nodeId: string | null;
  /** Node that the copy moves to, or, for the target of a move, comes from; null: it is not on the move. */
  readonly relocatingNodeId: string | null;
  /** null when unassigned. */
  readonly allocationId: string | null;
  /** Source of its documents: an empty store, the store on disk, shards of the index that it is made of, the snapshot that its index names, or a peer. */
  readonly recoverySource: 'EMPTY_STORE' | 'EXISTING_STORE' | 'LOCAL_SHARDS' | 'SNAPSHOT' | 'PEER';
  /** Why it is (or was last) unassigned; null when it is started. */
  readonly unassigned: UnassignedInfo | null;
  /** Moves of this copy that failed in a row; absent: none. */
  readonly failedRelocations?: number;
  /** A primary that starts from a copy which lacks acknowledged writes, whose loss was accepted: it begins another history. */
  readonly isForced?: true;
  /** A replica that recovers on a node which has the copy of it in sync, so that next to nothing is sent; absent once it has started. */
  readonly isReturning?: true;
}

export interface UnassignedInfo {
  readonly reason:
    | 'INDEX_CREATED'
    | 'CLUSTER_RECOVERED'
    | 'NODE_LEFT'
    | 'ALLOCATION_FAILED'
    | 'PRIMARY_FAILED'
    | 'REPLICA_ADDED'
    | 'INDEX_REOPENED'
    | 'INDEX_CLOSED'
    | 'NEW_INDEX_RESTORED'
    | 'EXISTING_INDEX_RESTORED'
    | 'FORCED_EMPTY_PRIMARY'
    | 'REROUTE_CANCELLED';
  readonly atMs: number;
  readonly failedAllocations: number;
  readonly details: string | null;
  readonly allocationStatus:
    | 'no_attempt'
    | 'no_valid_shard_copy'
    | 'deciders_no'
    | 'fetching_shard_data'
    | 'deciders_throttled'
    | 'delayed_allocation';
  /** Node that held it last; null when none did. */
  readonly lastNodeId: string | null;
  /** What that node was called; absent: it is not known. */
  readonly lastNodeName?: string;
}

export type BlockLevel = 'read' | 'write' | 'metadata_read' | 'metadata_write';

export interface ClusterBlock {
  /** Number as in Elasticsearch: 1 state not recovered, 2 no cluster manager, 4 index closed, 5 read-only, 7 read, 8 write, 9 metadata, 12 read-only-allow-delete. */
  readonly id: number;
  readonly description: string;
  readonly status: number;
  readonly levels: readonly BlockLevel[];
}

export interface ClusterBlocks {
  readonly global: readonly ClusterBlock[];
  readonly indices: ReadonlyMap<string, readonly ClusterBlock[]>;
}
