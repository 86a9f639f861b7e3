/**
 * One shard of an index on this node: the contract between the engine and whoever runs it (the data node's worker).
 *
 * A shard has one writer: every call is made from the one thread that owns it, and the engine never talks to a network,
 * another shard or the cluster. A write is acknowledged (its promise resolves) only when it is durable in the translog.
 */
import type {
  CachesToClear,
  CopiedDocuments,
  CopyDocumentsRequest,
  FetchedHit,
  FetchShardRequest,
  ForcedMerge,
  GetRequest,
  NextEntriesRequest,
  OperationList,
  QueryShardRequest,
  RankAnswer,
  RankAsk,
  RankedQueryResult,
  RankRoundRequest,
  ScrolledResult,
  SegmentInfo,
  ShardId,
  ShardQueryResult,
  ShardRecovery,
  ShardSuggestions,
  ShardTerms,
  TermsEnumRequest,
  TermVectors,
  TermVectorsRequest,
  WriteOutcome,
} from '@shoal/shard-api';
import type { FielddataStats } from '../../memory/fielddata-use.ts';
import type { FilterStats } from '../../memory/filter-use.ts';
import type { RequestCacheStats } from '../../memory/request-cache.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import type { HistoryNeeds } from '../history/history-retention.ts';
import type { InstalledFiles } from '../recovery/file-recovery.ts';
import type { ShardCommits } from '../recovery/shard-commits.ts';
import type { ShardRestore } from '../snapshot/restore-shard.ts';
import type { ShardManifest } from '../snapshot/shard-manifest.ts';
import type { ShardSnapshotRequest } from '../snapshot/snapshot-shard.ts';
import type { PrimaryClaim } from './primary-claim.ts';
import type { SearchGroupStats } from './search-groups.ts';
import type { ShardHistory } from './shard-history.ts';

export type {
  FetchShardRequest,
  GetRequest,
  QueryShardRequest,
  ShardId,
  WriteConditions,
  WriteOperation,
  WriteOutcome,
  WriteResult,
} from '@shoal/shard-api';

export interface OpenShardOptions {
  readonly shard: ShardId;
  /** Folder of this shard; made if missing. */
  readonly path: string;
  /** Fresh for each assignment; written to the shard's own file before `open` resolves. */
  readonly allocationId: string;
  readonly primaryTerm: number;
  /** `create`: the folder must hold no shard of this index yet; `existing`: it must hold one with this index uuid. */
  readonly bootstrap: 'create' | 'existing';
  /** Follows a primary: numbers that it lacks stay open until their operations come. Left out: it leads. */
  readonly isReplica?: boolean;
  /** Leads, and other copies are in sync that may lack what is here: agreed is what the log says to be. Left out: all that is here. */
  readonly othersInSync?: boolean;
  /** What the other copies of the shard need; left out: there is none, or the primary says it later. */
  readonly needs?: HistoryNeeds;
  /** Fills the folder, which must be empty, from a snapshot first; only with `existing`. */
  readonly restore?: ShardRestore;
  /** Files of another copy that were just installed in the folder; left out: none were. Only with `existing`. */
  readonly installed?: InstalledFiles;
  /** Flat index settings, as in the cluster state, such as `index.refresh_interval`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Mapping JSON as in the cluster state. */
  readonly mapping: Readonly<Record<string, unknown>>;
}

export interface ShardStats extends FielddataStats, FilterStats, RequestCacheStats {
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
  readonly segmentCount: number;
  readonly translogOperations: number;
  readonly translogBytes: number;
  readonly maxSeqNo: number;
  readonly localCheckpoint: number;
  readonly indexTotal: number;
  readonly indexTimeMs: number;
  readonly indexFailed: number;
  readonly indexCurrent: number;
  readonly noopTotal: number;
  readonly deleteTotal: number;
  readonly deleteTimeMs: number;
  readonly queryTotal: number;
  readonly queryTimeMs: number;
  readonly queryCurrent: number;
  readonly fetchTotal: number;
  readonly fetchTimeMs: number;
  readonly fetchCurrent: number;
  /** Dictionaries of `completion` fields. */
  readonly completionBytes: number;
  readonly suggestTotal: number;
  readonly suggestTimeMs: number;
  readonly suggestCurrent: number;
  readonly scrollTotal: number;
  readonly scrollTimeMs: number;
  readonly scrollCurrent: number;
  readonly getTotal: number;
  readonly getTimeMs: number;
  readonly getExistsTotal: number;
  readonly getExistsTimeMs: number;
  readonly getMissingTotal: number;
  readonly getMissingTimeMs: number;
  readonly refreshTotal: number;
  readonly refreshTimeMs: number;
  /** Searches that wait for the next refresh to show a write. */
  readonly refreshListeners: number;
  readonly flushTotal: number;
  readonly flushTimeMs: number;
  /** Flushes that the size of the translog or of memory asked for. */
  readonly flushPeriodic: number;
  readonly mergeTotal: number;
  readonly mergeTimeMs: number;
  readonly mergeDocs: number;
  readonly mergeBytes: number;
  /** 1 while a merge runs. */
  readonly mergeCurrent: number;
  readonly mergeCurrentDocs: number;
  readonly mergeCurrentBytes: number;
  readonly openContexts: number;
  readonly memoryBytes: number;
}

/** What the newest commit of a shard says of itself. */
export interface NewestCommit {
  /** Marker of the synced flush that wrote it; null when another did. */
  readonly syncId: string | null;
  /** Highest operation that it holds; -1 when none. */
  readonly committedSeqNo: number;
}

export interface Shard {
  readonly id: ShardId;
  /** What was read to open it. */
  readonly recovery: ShardRecovery;
  readonly commit: NewestCommit;
  /** Made anew by `reload` where only searches have them, of what their files hold by now; when one cannot be made all stay as they were. */
  readonly analyzers: { reload(): void };
  /** Term vectors of documents; null when there is no such document. */
  readonly vectors: { of(request: TermVectorsRequest): Promise<TermVectors | null> };
  readonly history: ShardHistory;
  /** Files for copies that recover from this one. */
  readonly commits: ShardCommits;
  /**
   * Resolves when every done operation from `from` on is durable here. Operations of one call keep their order.
   *
   * @param claim copy that they were routed to; left out: this one, whatever its term
   * @throws shard_not_found_exception when this is not that copy, or its term is another one
   */
  write(operations: OperationList, from?: number, claim?: PrimaryClaim | null): Promise<WriteOutcome>;
  /** null when there is no such document. */
  get(request: GetRequest): FetchedHit | null;
  /** Makes everything written so far visible to search. */
  refresh(): Promise<void>;
  /** Shows first what an idle shard has not shown yet; null: nothing to wait for. Searches begin with it. */
  readyForSearch(): Promise<void> | null;
  /** Resolves after the next refresh, whoever starts it (`?refresh=wait_for`). */
  waitForRefresh(): Promise<void>;
  /**
   * Commits segments to disk and cuts the translog; without changes since the last commit only when forced.
   *
   * @param syncId marker of the commit, which is made for its sake where the last one has none; null for none
   */
  flush(isForced: boolean, syncId?: string | null): Promise<void>;
  /** Makes everything visible, merges as asked, and commits what became of it when `flush` is set. */
  forceMerge(merge: ForcedMerge, flush: boolean): Promise<void>;
  query(request: QueryShardRequest, stop: StopSignal): Promise<ShardQueryResult>;
  /** Queries a page far behind the first: see `RankAsk`. */
  rank(request: QueryShardRequest, ask: RankAsk, stop: StopSignal): Promise<RankedQueryResult>;
  /** Another round of a search that `rank` began. */
  rankRound(request: RankRoundRequest): Promise<RankAnswer>;
  fetch(request: FetchShardRequest, stop: StopSignal): Promise<readonly FetchedHit[]>;
  /** `fetch`; null for documents of more than `bytesMax`: then nothing is used up, and they can be fetched again. */
  fetchWithin(request: FetchShardRequest, stop: StopSignal, bytesMax: number): Promise<readonly FetchedHit[] | null>;
  /** A point in time: what is searchable now stays so for whoever names it. */
  openReader(keepAliveMs: number): Promise<number>;
  /** A page of the documents that a new index takes over; the first one shows what was written before it. */
  copyDocuments(request: CopyDocumentsRequest): Promise<CopiedDocuments>;
  /** How often the query's terms occur here, as `TermStatisticsTable` writes it. */
  statistics(request: QueryShardRequest): Promise<Uint8Array>;
  /** What may have been meant by the texts of a search's suggestions. */
  suggest(request: QueryShardRequest, stop: StopSignal): Promise<ShardSuggestions>;
  /** First terms of a field; none where the query of the search cannot match here. */
  enumerateTerms(request: QueryShardRequest, asked: TermsEnumRequest, stop: StopSignal): Promise<ShardTerms>;
  /** The entries of a scroll behind those that were shown. */
  next(request: NextEntriesRequest, stop: StopSignal): Promise<ScrolledResult>;
  /** false: there was none. */
  freeContext(contextId: number): boolean;
  /** Frees all scrolls or all points in time; returns how many. */
  freeContexts(kind: 'scroll' | 'reader'): number;
  updateMapping(mapping: Readonly<Record<string, unknown>>): void;
  updateSettings(settings: Readonly<Record<string, string>>): void;
  /** Names that stand for the index in queries on `_index`. */
  updateAliases(aliases: readonly string[]): void;
  stats(): ShardStats;
  /** Segments in the order in which searches go through them. */
  segments(withFields: boolean): readonly SegmentInfo[];
  /** Memory that each field holds beside its segments, in bytes. */
  fielddata(): ReadonlyMap<string, number>;
  /** Copies what was written before this call into a repository. */
  snapshot(request: ShardSnapshotRequest, stop: StopSignal): Promise<ShardManifest>;
  /** Searches by the names that their requests gave them. */
  searchGroups(): ReadonlyMap<string, Readonly<SearchGroupStats>>;
  /** Forgets what is kept to answer faster. */
  clearCaches(caches: CachesToClear): void;
  /**
   * Releases the folder, and flushes before what it can.
   *
   * @param isDiscarded its files are removed or replaced next, and nothing is flushed. Default: false
   */
  close(isDiscarded?: boolean): Promise<void>;
}
