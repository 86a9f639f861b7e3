/**
 * Changes to the cluster state as requests: each is sent to the elected cluster manager, waits for one to be elected up to
 * `masterTimeoutMs` (then `master_not_discovered_exception`), and resolves when the change is committed and applied by all
 * nodes, or `timeoutMs` passed (`acknowledged: false`).
 */
import type { CreateIndexBody, RolloverBody, TemplateChange } from '@shoal/cluster';
import type {
  DataStreamLifecycle,
  FailureStoreOptions,
  IngestPipeline,
  StoredScript,
  StreamComponent,
  SynonymRule,
  SynonymSet,
  TemplateKind,
} from '@shoal/cluster-state';
import type {
  AliasChange,
  ExplainAllocationMessage,
  HandOverPrimaryMessage,
  PendingTask,
  RerouteAnswer,
  RerouteMessage,
  StreamIndexChange,
} from '@shoal/protocol';
import type { ActionCodec } from '@shoal/transport';

export interface ManagerTimeouts {
  readonly masterTimeoutMs: number;
  readonly timeoutMs: number;
}

export interface Acknowledged {
  readonly acknowledged: boolean;
}

export interface CreateIndexRequest extends ManagerTimeouts, CreateIndexBody {}

export interface CreateIndexResponse extends Acknowledged {
  readonly shardsAcknowledged: boolean;
  readonly index: string;
}

export interface ClusterAdmin {
  createIndex(request: CreateIndexRequest): Promise<CreateIndexResponse>;
  /** Concrete names only; all or none. */
  deleteIndices(request: ManagerTimeouts & { readonly indices: readonly string[] }): Promise<Acknowledged>;
  /** Merges into the mapping of each concrete index; all or none. */
  putMapping(
    request: ManagerTimeouts & {
      readonly indices: readonly string[];
      readonly mapping: Readonly<Record<string, unknown>>;
    },
  ): Promise<Acknowledged>;
  updateIndexSettings(
    request: ManagerTimeouts & {
      readonly indices: readonly string[];
      readonly settings: Readonly<Record<string, unknown>>;
      readonly preserveExisting: boolean;
    },
  ): Promise<Acknowledged>;
  /** Warnings are for the user. */
  putTemplate(
    request: ManagerTimeouts & TemplateChange,
  ): Promise<Acknowledged & { readonly warnings: readonly string[] }>;
  /** Names and patterns of names of one kind. */
  deleteTemplates(
    request: ManagerTimeouts & { readonly kind: TemplateKind; readonly names: readonly string[] },
  ): Promise<Acknowledged>;
  /** A policy of that name is replaced. */
  putLifecyclePolicy(
    request: ManagerTimeouts & { readonly name: string; readonly policy: string },
  ): Promise<Acknowledged>;
  deleteLifecyclePolicy(request: ManagerTimeouts & { readonly name: string }): Promise<Acknowledged>;
  /** Stops the execution of all policies, or starts it again. */
  setLifecycleMode(request: ManagerTimeouts & { readonly isStopped: boolean }): Promise<Acknowledged>;
  /** A pipeline of that id is replaced. */
  putIngestPipeline(request: ManagerTimeouts & IngestPipeline): Promise<Acknowledged>;
  putStoredScript(request: ManagerTimeouts & StoredScript): Promise<Acknowledged>;
  /** An id, or a pattern of ids. */
  deleteIngestPipelines(request: ManagerTimeouts & { readonly id: string }): Promise<Acknowledged>;
  deleteStoredScripts(request: ManagerTimeouts & { readonly id: string }): Promise<Acknowledged>;
  /** A set of that id is replaced. */
  putSynonymSet(request: ManagerTimeouts & SynonymSet): Promise<Acknowledged>;
  deleteSynonymSet(request: ManagerTimeouts & { readonly id: string }): Promise<Acknowledged>;
  /** A rule of that id in the set is replaced. */
  putSynonymRule(
    request: ManagerTimeouts & { readonly set: string; readonly rule: SynonymRule },
  ): Promise<Acknowledged>;
  deleteSynonymRule(
    request: ManagerTimeouts & { readonly set: string; readonly ruleId: string },
  ): Promise<Acknowledged>;
  createDataStream(request: ManagerTimeouts & { readonly name: string }): Promise<Acknowledged>;
  /** An alias of that name becomes a data stream. */
  migrateToDataStream(request: ManagerTimeouts & { readonly name: string }): Promise<Acknowledged>;
  /** Concrete names; their indices go with them. */
  deleteDataStreams(request: ManagerTimeouts & { readonly names: readonly string[] }): Promise<Acknowledged>;
  /** Concrete names; null takes the lifecycle from them. */
  setDataStreamLifecycle(
    request: ManagerTimeouts & { readonly names: readonly string[]; readonly lifecycle: DataStreamLifecycle | null },
  ): Promise<Acknowledged>;
  /** Concrete names; null takes the options from them. */
  setDataStreamOptions(
    request: ManagerTimeouts & { readonly names: readonly string[]; readonly failureStore: FailureStoreOptions | null },
  ): Promise<Acknowledged>;
  /** Takes indices into data streams and out of them: all or none. */
  modifyDataStreams(
    request: ManagerTimeouts & { readonly changes: readonly StreamIndexChange[] },
  ): Promise<Acknowledged>;
  /** Has the next write roll a data stream over. */
  rolloverOnWrite(
    request: ManagerTimeouts & { readonly name: string; readonly component: StreamComponent },
  ): Promise<Acknowledged>;
  /** Creates the next index of an alias or data stream, and makes it the one that is written to. */
  rollover(request: ManagerTimeouts & RolloverBody): Promise<CreateIndexResponse>;
  updateAliases(request: ManagerTimeouts & { readonly actions: readonly AliasChange[] }): Promise<Acknowledged>;
  /** Open or close concrete indices. */
  setIndexState(
    request: ManagerTimeouts & { readonly indices: readonly string[]; readonly state: 'open' | 'close' },
  ): Promise<Acknowledged>;
  /** null removes a setting, also by wildcard. */
  updateClusterSettings(
    request: ManagerTimeouts & {
      readonly persistent: Readonly<Record<string, unknown>>;
      readonly transient: Readonly<Record<string, unknown>>;
    },
  ): Promise<
    Acknowledged & {
      readonly persistent: Readonly<Record<string, string>>;
      readonly transient: Readonly<Record<string, string>>;
    }
  >;
  /** Does the commands, then assigns what can be assigned; with `retryFailed` also copies that failed too often. */
  reroute(request: RerouteMessage): Promise<RerouteAnswer>;
  /** The body of `_cluster/allocation/explain`, in Elasticsearch's shape. */
  explainAllocation(request: ExplainAllocationMessage): Promise<Readonly<Record<string, unknown>>>;
  /** Tasks in the cluster manager's queue, in the order in which they run. */
  pendingTasks(request: { readonly masterTimeoutMs: number }): Promise<readonly PendingTask[]>;
  /** Sends a request to the elected cluster manager, and again to the next one when it was not reached. */
  ask<Req extends object, Res>(codec: ActionCodec<Req, Res>, request: Req, timeouts: ManagerTimeouts): Promise<Res>;
  addVotingConfigExclusions(
    request: ManagerTimeouts & { readonly nodeIds: readonly string[]; readonly nodeNames: readonly string[] },
  ): Promise<void>;
  clearVotingConfigExclusions(request: ManagerTimeouts & { readonly waitForRemoval: boolean }): Promise<void>;
  /** Data node to cluster manager: a copy is ready. Retried by the caller until the state shows it. */
  shardStarted(request: {
    readonly index: string;
    readonly shard: number;
    readonly allocationId: string;
    readonly primaryTerm: number;
  }): Promise<void>;
  /** Data node to cluster manager: a copy could not be started or broke. */
  shardFailed(request: {
    readonly index: string;
    readonly shard: number;
    readonly allocationId: string;
    readonly primaryTerm: number;
    readonly markStale: boolean;
    readonly reason: string;
  }): Promise<void>;
  /**
   * Makes the target of a primary on the move primary in the next term. Rejects with `no_longer_primary_shard_exception` when the
   * copy is not the primary of the term, and with 409 when it does not move to that target.
   */
  handOverPrimary(request: HandOverPrimaryMessage): Promise<void>;
  /**
   * Resolves when a state was committed after the question came in which the copy is primary of the term; else rejects with
   * `no_longer_primary_shard_exception`.
   */
  confirmPrimary(request: {
    readonly index: string;
    readonly shard: number;
    readonly allocationId: string;
    readonly primaryTerm: number;
  }): Promise<void>;
}
