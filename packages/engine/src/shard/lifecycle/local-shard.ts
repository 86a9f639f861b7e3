/**
 * A shard that is open on this node: the writer, its translog, its segments and the readers of searches under one roof.
 *
 * Everything runs on the thread that owns the shard. What is acknowledged is in the translog, synced; what is visible is
 * in published segments; what is committed is in files. A failed disk ends the shard: nothing is written after it.
 */
import { asShoalError, assert, type ShoalError } from '@shoal/core';
import {
  type FlatIndexSettings,
  type Mapping,
  parseMapping,
  type TypedIndexSettings,
  typedIndexSettings,
} from '@shoal/schema';
import type {
  CachesToClear,
  CopiedDocuments,
  CopyDocumentsRequest,
  FetchedHit,
  ForcedMerge,
  GetRequest,
  NextEntriesRequest,
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
} from '@shoal/shard-api';
import type { AfterEntry } from '../../collect/walk/after-entry.ts';
import { readAlike } from '../../document/document-limits.ts';
import { DocumentParser } from '../../document/document-parser.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import { NO_REQUEST_CACHE, type ShardAnswers } from '../../memory/request-cache.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import type { ShardSearchContext } from '../../phases/context/shard-search-context.ts';
import { analyzerLookup } from '../../write/buffer/analyzer-lookup.ts';
import { noteDamage } from '../commit/corruption-marker.ts';
import { DocumentVectors } from '../contexts/document-vectors.ts';
import { ShardReaders } from '../contexts/shard-readers.ts';
import { alreadyClosed } from '../contract/already-closed.ts';
import type { SearchGroupStats } from '../contract/search-groups.ts';
import type { NewestCommit, Shard, ShardStats } from '../contract/shard.ts';
import { ShardCounters } from '../contract/shard-counters.ts';
import { SearcherLender } from '../guest/lend-searcher.ts';
import { HistoryReset } from '../maintenance/history-reset.ts';
import { RefreshCycle } from '../maintenance/refresh-cycle.ts';
import { SegmentMerging } from '../maintenance/segment-merging.ts';
import { ShardFlush } from '../maintenance/shard-flush.ts';
import { ShardMaintenance } from '../maintenance/shard-maintenance.ts';
import { IndexingSlowLog } from '../slow-log/indexing-slow-log.ts';
import { SearchSlowLog } from '../slow-log/search-slow-log.ts';
import type { ShardManifest } from '../snapshot/shard-manifest.ts';
import { type ShardSnapshotRequest, snapshotCommit } from '../snapshot/snapshot-shard.ts';
import { BatchWriter } from '../writing/batch-writer.ts';
import { countedDocument } from '../writing/get-document.ts';
import { ShardSealing } from '../writing/shard-sealing.ts';
import { completionSizes } from './completion-sizes.ts';
import { commitsForCopies, localHistory } from './local-history.ts';
import type { LocalShardParts } from './local-shard-parts.ts';
import { ShardAnalyzers } from './shard-analyzers.ts';
import { countedStats, segmentInfos } from './shard-statistics.ts';

export class LocalShard implements Shard {
  readonly id: ShardId;
  readonly recovery: ShardRecovery;
  readonly commit: NewestCommit;
  readonly history: Shard['history'];
  readonly commits: Shard['commits'];
  readonly vectors: DocumentVectors;
  readonly analyzers: ShardAnalyzers;
  private readonly parts: LocalShardParts;
  private readonly counters = new ShardCounters();
  private readonly readers: ShardReaders;
  private readonly lender: SearcherLender;
  private readonly merging: SegmentMerging;
  private readonly cycle: RefreshCycle;
  private readonly maintenance: ShardMaintenance;
  private readonly sealing: ShardSealing;
  private flatSettings: FlatIndexSettings;
  private settings: TypedIndexSettings;
  private mapping: Mapping;
  private aliases: readonly string[] = [];
  private failure: ShoalError | null = null;
  private closing: Promise<void> | null = null;
  private marking: Promise<void> | null = null;
  /** What the request cache has of this shard. */
  private readonly answers: ShardAnswers | null;
  private readonly flushes: ShardFlush;
  private readonly batches: BatchWriter;
  private readonly searchSlowLog: SearchSlowLog;
  private readonly indexingSlowLog: IndexingSlowLog;

  constructor(parts: LocalShardParts) {
    this.parts = parts;
    this.id = parts.id;
    this.recovery = parts.recovery;
    this.commit = parts.store;
    this.flatSettings = parts.settings;
    this.settings = typedIndexSettings(parts.settings);
    this.mapping = parts.mapping;
    this.analyzers = new ShardAnalyzers(parts.settings, parts.runtime.config, () => this.answers?.clear());
    parts.segments.onDamage = (error) => this.fail(error);
    const { clock, sched, log } = parts.runtime;
    this.searchSlowLog = new SearchSlowLog(log, parts.id, parts.settings);
    this.indexingSlowLog = new IndexingSlowLog({ log, clock, shard: parts.id }, parts.settings);
    this.sealing = new ShardSealing({ ...parts, clock });
    this.flushes = new ShardFlush({
      ...parts,
      clock,
      whenSealed: (use) => this.sealing.whenSealed(use),
      historyKeptMs: () => this.settings.historyKeptMs,
      onFailure: (error) => this.fail(error),
    });
    this.answers = parts.segments.memory.requests?.ofShard() ?? null;
    this.readers = new ShardReaders({
      ...parts,
      clock,
      sched,
      random: parts.runtime.random,
      counters: this.counters,
      slowLog: this.searchSlowLog,
      answers: this.answers,
      cachesRequests: () => this.settings.cachesRequests,
      checkOpen: () => this.checkOpen(),
      contextOf: (searcher, after) => this.searchContext(searcher, after),
    });
    this.lender = new SearcherLender(parts.runtime.random);
    this.vectors = new DocumentVectors({ ...parts, readers: this.readers, refresh: () => this.refresh() });
    this.merging = new SegmentMerging({
      runtime: parts.runtime,
      turns: parts.turns,
      segments: parts.segments,
      takeName: () => `_${(parts.writer.nextSegment++).toString(36)}`,
      settings: () => this.settings,
      files: parts.store,
    });
    this.maintenance = new ShardMaintenance({
      ...parts,
      merging: this.merging,
      flush: () => this.flush(false),
      settings: () => this.settings,
      isOver: () => this.failure !== null || this.closing !== null,
    });
    this.batches = new BatchWriter({
      ...parts,
      sealing: this.sealing,
      counters: this.counters,
      slowLog: this.indexingSlowLog,
      settings: () => this.settings,
      mapping: () => this.mapping,
      checkWritable: () => this.checkWritable(),
      memoryShortage: (bytes) => this.maintenance.memoryShortage(bytes),
      afterWrites: () => this.maintenance.afterWrites(),
    });
    this.history = localHistory(parts, this.batches, this.resets());
    this.commits = commitsForCopies(parts, (error) => this.fail(error));
    this.cycle = new RefreshCycle(
      {
        ...parts,
        ...parts.runtime,
        refresh: () => this.refreshNow(),
        afterTurn: () => this.maintenance.run(),
      },
      this.settings,
    );
  }

  private resets(): HistoryReset {
    const { parts, sealing, merging, flushes } = this;
    return new HistoryReset({
      ...{ ...parts, sealing, merging, flushes },
      checkWritable: () => this.checkWritable(),
      onReset: () => this.answers?.clear(),
      onFailure: (error) => this.fail(asShoalError(error)),
    });
  }

  /** The translog can never be written again, or what is on disk is damaged. */
  fail(error: ShoalError): void {
    if (this.failure !== null) return;
    this.failure = error;
    this.parts.runtime.log.error('shard failed', {
      index: this.id.index,
      shard: this.id.number,
      reason: error.message,
    });
    this.marking = noteDamage(this.parts.runtime, this.parts.path, error).finally(() => this.parts.onFailed(error));
  }

  private checkOpen(): void {
    if (this.closing !== null) throw alreadyClosed(this.id);
  }

  private checkWritable(): void {
    this.checkOpen();
    if (this.failure !== null) throw this.failure;
  }

  readonly write: Shard['write'] = (operations, from = 0, claim = null) => this.batches.write(operations, from, claim);

  get(request: GetRequest): FetchedHit | null {
    this.checkOpen();
    return countedDocument(this.parts, this.counters, request);
  }

  async refresh(): Promise<void> {
    this.checkOpen();
    await this.refreshNow();
  }

  readonly waitForRefresh: Shard['waitForRefresh'] = () => this.cycle.waitForRefresh();

  /** null when all is visible already; else it is when the promise resolves. */
  private refreshNow(): Promise<void> | null {
    const { writer, runtime } = this.parts;
    const startMs = runtime.clock.monotonicMs();
    if (writer.hasChanges) return this.sealing.whenSealed(() => this.publish(startMs));
    this.publish(startMs);
    return null;
  }

  private publish(startMs: number): void {
    const { writer, segments, runtime } = this.parts;
    if (writer.hasChanges && this.closing === null) {
      writer.hasChanges = false;
      segments.publish();
      this.answers?.clear();
    }
    this.counters.refreshTotal++;
    this.counters.refreshTimeMs += runtime.clock.monotonicMs() - startMs;
    this.cycle.refreshed();
  }

  flush(isForced: boolean, syncId: string | null = null): Promise<void> {
    this.checkWritable();
    return this.flushes.run(isForced, syncId);
  }

  async forceMerge(merge: ForcedMerge, flush: boolean): Promise<void> {
    this.checkWritable();
    await this.refreshNow();
    const hasMerged = await this.merging.force(merge);
    if (flush && this.closing === null) await this.flush(hasMerged);
  }

  snapshot(request: ShardSnapshotRequest, stop: StopSignal): Promise<ShardManifest> {
    return this.flush(false).then(() => snapshotCommit(this.parts, request, stop));
  }

  async query(request: QueryShardRequest, stop: StopSignal): Promise<ShardQueryResult> {
    await this.readyForSearch();
    return this.readers.query(request, stop);
  }

  readyForSearch(): Promise<void> | null {
    this.checkOpen();
    return this.cycle.beforeSearch()?.then(() => this.checkOpen()) ?? null;
  }

  async rank(request: QueryShardRequest, ask: RankAsk, stop: StopSignal): Promise<RankedQueryResult> {
    await this.readyForSearch();
    return this.readers.ranked.query(request, ask, stop);
  }

  rankRound(request: RankRoundRequest): Promise<RankAnswer> {
    return this.openReaders().ranked.round(request);
  }

  async statistics(request: QueryShardRequest): Promise<Uint8Array> {
    await this.readyForSearch();
    return this.readers.statistics(request);
  }

  readonly suggest: Shard['suggest'] = (...asked) =>
    Promise.resolve(this.readyForSearch()).then(() => this.readers.suggest(...asked));
  readonly enumerateTerms: Shard['enumerateTerms'] = (...asked) =>
    Promise.resolve(this.readyForSearch()).then(() => this.readers.enumerateTerms(...asked));

  next(request: NextEntriesRequest, stop: StopSignal): Promise<ScrolledResult> {
    return this.openReaders().next(request, stop);
  }

  async openReader(keepAliveMs: number): Promise<number> {
    await this.readyForSearch();
    return this.readers.openReader(keepAliveMs);
  }

  async copyDocuments(request: CopyDocumentsRequest): Promise<CopiedDocuments> {
    this.checkOpen();
    if (request.contextId === null) await this.refreshNow();
    return this.readers.copy(request);
  }

  readonly fetch: Shard['fetch'] = async (...asked) => this.openReaders().fetchAll(...asked);
  readonly fetchWithin: Shard['fetchWithin'] = async (...asked) => this.openReaders().fetch(...asked);

  private openReaders(): ShardReaders {
    this.checkOpen();
    return this.readers;
  }

  freeContext(contextId: number): boolean {
    return this.readers.contexts.free(contextId);
  }

  freeContexts(kind: 'scroll' | 'reader'): number {
    return this.readers.contexts.freeAll(kind);
  }

  private searchContext(searcher: Searcher, after: AfterEntry | null): ShardSearchContext {
    const { mapping, flatSettings: settings, aliases, id: index } = this;
    const analyzers = this.analyzers.registry;
    const { filters, fielddata } = this.counters;
    const lend = () => this.lender.lend(searcher, { shard: index, mapping, settings, aliases });
    return { searcher, mapping, settings, analyzers, index, aliases, after, filters, fielddata, lend };
  }

  updateMapping(mapping: Readonly<Record<string, unknown>>): void {
    this.mapping = parseMapping(mapping, this.settings.fieldDefaults);
    this.answers?.clear();
    this.parts.writer.parser = new DocumentParser(this.mapping, this.settings);
  }

  updateAliases(aliases: readonly string[]): void {
    this.aliases = aliases;
    this.answers?.clear();
  }

  updateSettings(settings: FlatIndexSettings): void {
    this.flatSettings = settings;
    const before = this.settings;
    this.settings = typedIndexSettings(settings);
    this.answers?.clear();
    if (!readAlike(this.settings, before)) this.updateMapping(this.mapping.json);
    if (this.analyzers.update(settings)) this.parts.writer.analyzers = analyzerLookup(this.analyzers.registry);
    this.parts.writer.gcDeletesMs = this.settings.gcDeletesMs;
    this.parts.writer.codec = this.settings.storedCodec;
    this.searchSlowLog.updateSettings(settings);
    this.indexingSlowLog.updateSettings(settings);
    this.cycle.updateSettings(this.settings);
  }

  stats(): ShardStats {
    return {
      ...countedStats(this.parts, this.counters),
      ...completionSizes(this.parts.segments.searcher, this.mapping),
      ...(this.answers?.stats() ?? NO_REQUEST_CACHE),
      refreshListeners: this.cycle.waiting,
      ...this.flushes.stats(),
      flushPeriodic: this.maintenance.flushesDone,
      ...this.merging.stats(),
      ...this.readers.contexts.stats(),
    };
  }

  segments(withFields: boolean): readonly SegmentInfo[] {
    return segmentInfos(this.parts.segments, withFields);
  }

  fielddata(): ReadonlyMap<string, number> {
    return this.counters.fielddata.byField;
  }

  searchGroups(): ReadonlyMap<string, Readonly<SearchGroupStats>> {
    return this.counters.groups.byName;
  }

  clearCaches(caches: CachesToClear): void {
    this.checkOpen();
    if (caches.request) this.answers?.clear();
    this.parts.segments.clearCaches(caches);
  }

  close(isDiscarded = false): Promise<void> {
    this.closing ??= this.closeNow(isDiscarded);
    return this.closing;
  }

  private async closeNow(isDiscarded: boolean): Promise<void> {
    assert(this.closing === null, `shard [${this.id.index}][${this.id.number}] is closed twice`);
    this.cycle.stop();
    this.batches.stop();
    this.readers.contexts.close();
    this.maintenance.stop();
    await this.merging.stop();
    if (this.failure === null && !isDiscarded) await this.flushes.runLast(this.parts.runtime.log, this.id.index);
    await this.marking;
    await this.sealing.idle();
    await this.parts.translog.close();
    this.parts.writer.close();
    this.answers?.clear();
    this.parts.segments.close();
  }
}
