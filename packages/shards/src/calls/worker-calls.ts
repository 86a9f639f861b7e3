/**
 * Calls of the main thread to a worker: one entry a call, its arguments and its result.
 *
 * Messages are structured-cloned, so they are plain values: an error inside a result is a `WireError`, since a cloned
 * `ShoalError` would lose its type. Both ends are the same program at the same version; nothing here comes from outside.
 */
import type { WireError } from '@shoal/core';
import type {
  LentSearcher,
  OpenShardOptions,
  PartStates,
  PrimaryClaim,
  ShardManifest,
  ShardSnapshotRequest,
  SharedParts,
} from '@shoal/engine';
import type {
  ContextKind,
  NodeQueryRequest,
  NodeShardQuery,
  PackedFetch,
  PackedShardQuery,
  ShardStatsMap,
} from '@shoal/protocol';
import type { ManagerAnswer, ShardGroup } from '@shoal/replication';
import type { BusyStacks } from '@shoal/runtime';
import type {
  CachesToClear,
  CopyDocumentsRequest,
  ForcedMerge,
  GetRequest,
  NextEntriesRequest,
  PeerRecovery,
  RankAsk,
  RankRoundRequest,
  SegmentInfo,
  ShardRecovery,
  ShardSuggestions,
  ShardTerms,
  TermsEnumRequest,
  TermVectorsRequest,
} from '@shoal/shard-api';
import type { CopyOutput } from './copy-output.ts';
import type { PackedBody } from './packed-body.ts';
import type { ParentBreakerSettings } from './parent-limit.ts';

/** Names a shard on this node: index uuid and number. */
export type ShardKey = string;

/** Key of a call that is for the thread itself. */
export const NO_SHARD: ShardKey = '';

export function shardKey(indexUuid: string, shard: number): ShardKey {
  return `${indexUuid}/${shard}`;
}

/** A copy that was opened. */
export interface OpenedCopy {
  readonly recovery: ShardRecovery;
  /** Its history is kept for other copies, which may come back. */
  readonly keepsHistory: boolean;
}

export interface WriteAnswer {
  /** Results in the form of `BULK_RESULTS`. */
  readonly results: PackedBody;
  readonly mappingUpdate: Readonly<Record<string, unknown>> | null;
  /** The operations, given back with a mapping update: those without a result are to be handed in again. */
  readonly operations: Uint8Array | null;
  /** Copies that have what was done, this one among them. */
  readonly successful: number;
  /** Allocation ids of copies that are out for it. */
  readonly failed: readonly string[];
}

export interface QueryAnswer {
  /** null when nothing is kept that could be fetched from. */
  readonly contextId: number | null;
  /** Answer in the form of `QUERY_PHASE`, or of `RANK_QUERY`. */
  readonly body: PackedBody;
}

/** What one shard of a group answered. */
export type GroupAnswer =
  | ({ readonly kind: 'answered' } & QueryAnswer)
  | { readonly kind: 'failed'; readonly error: WireError }
  /** It took longer than it may. */
  | { readonly kind: 'late' };

export interface WorkerCalls {
  open: {
    readonly args: {
      readonly key: ShardKey;
      readonly options: OpenShardOptions;
      /** The copy recovers from the primary of its shard, whatever its folder holds. */
      readonly isTarget: boolean;
    };
    readonly result: OpenedCopy;
  };
  close: {
    readonly args: { readonly key: ShardKey /** Its files go: nothing is flushed. */; readonly isDiscarded: boolean };
    readonly result: null;
  };
  write: {
    readonly args: {
      readonly key: ShardKey;
      /** Copy that the operations were routed to. */
      readonly claim: PrimaryClaim;
      /** Operations as `PackedOperations` reads them. */
      readonly operations: Uint8Array;
      /** So many of them are done already. */
      readonly from: number;
      /** Copies that must be active before anything is done. */
      readonly activeCopiesMin: number;
    };
    readonly result: WriteAnswer;
  };
  /** Leads in a term from now on; calls that come later find it so. */
  lead: { readonly args: { readonly key: ShardKey; readonly primaryTerm: number }; readonly result: null };
  /** A committed group of the shard: who leads, and which copies there are. */
  follow: { readonly args: { readonly key: ShardKey; readonly group: ShardGroup }; readonly result: null };
  /** How far a copy has come that was opened to recover from another; null: it is not here. */
  peerRecovery: { readonly args: { readonly key: ShardKey }; readonly result: PeerRecovery | null };
  /** Another copy asks: see `CopyCall`. Answer as `CopyResponse` is written. */
  copyRequest: {
    readonly args: { readonly key: ShardKey; readonly call: PackedBody; readonly timeoutMs: number };
    readonly result: PackedBody;
  };
  /** Another copy answered; null: no answer came. */
  copyAnswered: {
    readonly args: { readonly key: ShardKey; readonly requestId: number; readonly response: PackedBody | null };
    readonly result: null;
  };
  managerAnswered: {
    readonly args: { readonly key: ShardKey; readonly ask: number; readonly answer: ManagerAnswer };
    readonly result: null;
  };
  get: {
    readonly args: { readonly key: ShardKey; readonly refresh: boolean; readonly gets: readonly GetRequest[] };
    /** Answer in the form of `GET_DOCUMENTS`. */
    readonly result: PackedBody;
  };
  termVectors: {
    readonly args: { readonly key: ShardKey; readonly request: TermVectorsRequest };
    /** Answer in the form of `TERM_VECTORS`. */
    readonly result: PackedBody;
  };
  query: {
    readonly args: {
      readonly key: ShardKey;
      readonly query: PackedShardQuery;
      readonly fetchPage: { readonly from: number; readonly size: number } | null;
      /** Position of this query's byte in the stop bytes; -1 when nothing can stop it. */
      readonly stopSlot: number;
    };
    readonly result: QueryAnswer;
  };
  /** The query phase of several shards of the thread. */
  queryShards: {
    readonly args: {
      /** The first of them. */
      readonly key: ShardKey;
      readonly query: NodeQueryRequest['query'];
      readonly shards: readonly (Omit<NodeShardQuery, 'target'> & { readonly key: ShardKey })[];
      /** Shards that run at a time. */
      readonly concurrency: number;
      /** Longest that one shard may take, in ms. */
      readonly waitMs: number;
      /** Bytes of all answers beyond which shards are left out. */
      readonly bytesMax: number;
      readonly stopSlot: number;
    };
    /** One a shard, in order; null for those that were left out. */
    readonly result: readonly (GroupAnswer | null)[];
  };
  /** Takes part in a search on a shard of another thread; of no shard of this one. */
  searchAsGuest: {
    readonly args: {
      readonly key: ShardKey;
      readonly searcher: LentSearcher;
      readonly query: PackedShardQuery;
      readonly shared: SharedParts;
    };
    readonly result: readonly PartStates[];
  };
  fetch: {
    readonly args: {
      readonly key: ShardKey;
      readonly fetch: PackedFetch;
      /** Bytes of the documents beyond which they are not sent and can be fetched again; infinite: they are always sent. */
      readonly bytesMax: number;
      readonly stopSlot: number;
    };
    /** Answer in the form of `FETCH_PHASE`; null: too large. */
    readonly result: PackedBody | null;
  };
  /** The next entries of a scroll. */
  scroll: {
    readonly args: {
      readonly key: ShardKey;
      readonly next: NextEntriesRequest;
      readonly fetchesPage: boolean;
      readonly stopSlot: number;
    };
    readonly result: PackedBody;
  };
  /** The first round of a deep page. */
  rank: {
    readonly args: {
      readonly key: ShardKey;
      readonly query: PackedShardQuery;
      readonly ask: RankAsk;
      readonly fetchesPage: boolean;
      readonly stopSlot: number;
    };
    readonly result: QueryAnswer;
  };
  /** A later round. */
  rankRound: {
    readonly args: { readonly key: ShardKey; readonly request: RankRoundRequest };
    readonly result: PackedBody;
  };
  statistics: {
    readonly args: { readonly key: ShardKey; readonly query: PackedShardQuery };
    readonly result: Uint8Array;
  };
  suggest: {
    readonly args: { readonly key: ShardKey; readonly query: PackedShardQuery; readonly stopSlot: number };
    readonly result: ShardSuggestions;
  };
  enumerateTerms: {
    readonly args: {
      readonly key: ShardKey;
      readonly query: PackedShardQuery;
      readonly asked: TermsEnumRequest;
      readonly stopSlot: number;
    };
    readonly result: ShardTerms;
  };
  openReader: { readonly args: { readonly key: ShardKey; readonly keepAliveMs: number }; readonly result: number };
  /** How many of the contexts were there to be let go. */
  freeContexts: {
    readonly args: { readonly key: ShardKey; readonly contextIds: readonly number[] };
    readonly result: number;
  };
  freeAllContexts: { readonly args: { readonly key: ShardKey; readonly kind: ContextKind }; readonly result: number };
  refresh: { readonly args: { readonly key: ShardKey }; readonly result: null };
  waitForRefresh: { readonly args: { readonly key: ShardKey }; readonly result: null };
  flush: {
    readonly args: { readonly key: ShardKey; readonly isForced: boolean; readonly syncId: string | null };
    readonly result: null;
  };
  /** Answer in the form of `COPY_DOCUMENTS`. */
  copyDocuments: {
    readonly args: { readonly key: ShardKey; readonly copy: CopyDocumentsRequest };
    readonly result: PackedBody;
  };
  forceMerge: {
    readonly args: { readonly key: ShardKey; readonly merge: ForcedMerge; readonly flush: boolean };
    readonly result: null;
  };
  segments: {
    readonly args: { readonly key: ShardKey; readonly withFields: boolean };
    readonly result: readonly SegmentInfo[];
  };
  /** Copies the shard into a repository. */
  snapshot: {
    readonly args: { readonly key: ShardKey; readonly request: ShardSnapshotRequest; readonly stopSlot: number };
    readonly result: ShardManifest;
  };
  reloadSearchAnalyzers: { readonly args: { readonly key: ShardKey }; readonly result: null };
  clearCaches: { readonly args: { readonly key: ShardKey; readonly caches: CachesToClear }; readonly result: null };
  updateMapping: {
    readonly args: { readonly key: ShardKey; readonly mapping: Readonly<Record<string, unknown>> };
    readonly result: null;
  };
  updateSettings: {
    readonly args: { readonly key: ShardKey; readonly settings: Readonly<Record<string, string>> };
    readonly result: null;
  };
  updateAliases: {
    readonly args: { readonly key: ShardKey; readonly aliases: readonly string[] };
    readonly result: null;
  };
  stats: { readonly args: { readonly key: ShardKey }; readonly result: ShardStatsMap };
  /** What the thread is at for a while; of no shard. */
  profile: {
    readonly args: { readonly key: ShardKey; readonly durationMs: number; readonly sampleIntervalMs: number };
    /** The kernel's number of the thread; null where the system does not tell. `busy` is null for a thread that is not profiled alone. */
    readonly result: { readonly threadId: number | null; readonly busy: BusyStacks | null };
  };
}

/** A thread's slot in the breaker `request`, and the limits that hold for all of them. */
export interface BreakerSlot {
  readonly shared: SharedArrayBuffer;
  readonly slot: number;
  readonly limitBytes: number;
  readonly parent: ParentBreakerSettings;
}

export type WorkerCallName = keyof WorkerCalls;

/** First message to a worker, then calls, and pings at any time. */
export type ToWorker =
  | {
      readonly kind: 'begin';
      readonly stopBytes: SharedArrayBuffer;
      readonly memoryBytesMax: number;
      readonly requestCacheBytesMax: number;
      readonly breaker: BreakerSlot;
      /** Made by `scrollMemory`; the thread's slot is that of its breaker. */
      readonly scrolls: SharedArrayBuffer;
      readonly recoveries: SharedArrayBuffer;
      /** Every search shows what was written before it. */
      readonly refreshesBeforeSearch: boolean;
      /** The node may have other threads of shards, which can take part in a search. */
      readonly hasOthers: boolean;
    }
  /** What a guest collected of a search; null: nothing, or there is none. */
  | {
      readonly kind: 'guestAnswer';
      readonly askId: number;
      readonly found: readonly PartStates[] | null;
      /** No other guest will answer. */
      readonly isLast: boolean;
    }
  /** Answered at once, before calls that wait. */
  | { readonly kind: 'ping' }
  | {
      [Name in WorkerCallName]: {
        readonly kind: 'call';
        readonly id: number;
        readonly name: Name;
        readonly args: WorkerCalls[Name]['args'];
      };
    }[WorkerCallName];

export type FromWorker =
  | { readonly kind: 'pong' }
  /** A copy asks for what the main thread has. */
  | { readonly kind: 'copyOutput'; readonly key: ShardKey; readonly output: CopyOutput }
  /** A long search asks the threads that have nothing to do. */
  | { readonly kind: 'guestsWanted'; readonly askId: number; readonly args: WorkerCalls['searchAsGuest']['args'] }
  /** The shard can go on no more, also without a call that says so. */
  | { readonly kind: 'shardFailed'; readonly key: ShardKey; readonly error: WireError }
  /** Aggregations that searches asked for since the last such message, each with how often. */
  | { readonly kind: 'aggregationsUsed'; readonly counts: ReadonlyMap<string, number> }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: WireError };
