/**
 * Opens a shard: made new, or read from its folder with the translog replayed over the newest commit.
 *
 * Before it resolves, the folder names the new allocation id durably, and every byte that was read has been verified: stored documents are
 * read and verified block by block when they are asked for.
 */

import { createAnalyzers } from '@shoal/analysis';
import { assert, randomUuid, type ShoalError } from '@shoal/core';
import { type Clock, finalSyncDir, type Runtime, ThreadTurns } from '@shoal/runtime';
import { parseMapping, typedIndexSettings } from '@shoal/schema';
import type { NameCounts } from '@shoal/shard-api';
import { DocumentParser } from '../../document/document-parser.ts';
import type { RequestBreaker } from '../../memory/request-breaker.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import type { SearchDivision } from '../../phases/context/search-division.ts';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { executeShardQuery } from '../../phases/query/execute-query.ts';
import { executeRankQuery } from '../../phases/query/rank-query.ts';
import type { ShardSearch } from '../../phases/shard-search.ts';
import { collectStatistics } from '../../phases/statistics/collect-statistics.ts';
import { executeSuggest } from '../../phases/suggest/execute-suggest.ts';
import { termVectors } from '../../phases/term-vectors/term-vectors.ts';
import { enumerateTerms } from '../../phases/terms-enum/enumerate-terms.ts';
import { analyzerLookup } from '../../write/buffer/analyzer-lookup.ts';
import { docSort } from '../../write/sort/sort-column.ts';
import type { Commit } from '../commit/commit-file.ts';
import { checkNotCorrupted } from '../commit/corruption-marker.ts';
import { RecentWrites } from '../commit/recent-writes.ts';
import { knownRecentWrites, writeRecentWrites } from '../commit/recent-writes-file.ts';
import { SegmentSet } from '../commit/segment-set.ts';
import { ShardIdentity } from '../commit/shard-identity.ts';
import { readShardState, replaceShardState, writeShardState, wrongShardFolder } from '../commit/shard-state-file.ts';
import { ShardStore } from '../commit/shard-store.ts';
import { syncParents } from '../commit/sync-parents.ts';
import { ScrollCount, scrollMemory } from '../contexts/scroll-count.ts';
import type { OpenShardOptions, Shard } from '../contract/shard.ts';
import { type GenerationTrim, trimsBefore } from '../history/generation-trims.ts';
import { type EndedGeneration, HistoryRetention } from '../history/history-retention.ts';
import { type HistoryState, newerState } from '../history/history-state.ts';
import { LocalCheckpoint } from '../history/local-checkpoint.ts';
import { finishInstall } from '../recovery/install-record.ts';
import type { RecoveryPace } from '../recovery/recovery-pace.ts';
import { restoreShard, type ShardRestore } from '../snapshot/restore-shard.ts';
import type { ShardManifest } from '../snapshot/shard-manifest.ts';
import { type KeptHistory, keptHistory } from '../translog/kept-history.ts';
import { Translog } from '../translog/translog.ts';
import type { TranslogOptions } from '../translog/translog-options.ts';
import { listGenerations, readTranslog, type TranslogContent } from '../translog/translog-reader.ts';
import { fillGaps } from '../writing/fill-gaps.ts';
import { LogRecorder } from '../writing/log-recorder.ts';
import { ShardRole } from '../writing/shard-role.ts';
import { ShardSealing } from '../writing/shard-sealing.ts';
import { ShardWriter } from '../writing/shard-writer.ts';
import { LocalShard } from './local-shard.ts';
import { openedFiles } from './opened-files.ts';

const UUID_BYTES = 16;
const FIRST_GENERATION = 1;
/** Longest time of replaying before others get their turn. */
const REPLAY_SLICE_MS = 10;

interface Opened {
  readonly historyUuid: string;
  /** Term that the copy was in last; 0: in none. */
  readonly primaryTerm: number;
  readonly segments: SegmentSet;
  readonly committedSeqNo: number;
  /** See `Commit.localCheckpoint`. */
  readonly localCheckpoint: number;
  /** What copies had agreed on, by the commit and the translog. */
  readonly state: HistoryState;
  /** What files of the translog have and the shard has not. */
  readonly trims: readonly GenerationTrim[];
  readonly nextSegment: number;
  readonly deletes: Commit['deletes'];
  readonly kept: KeptHistory;
  readonly translog: TranslogContent | null;
}

/** What the shards of one thread share beside its memory. */
export interface ThreadShare {
  readonly turns: ThreadTurns;
  /** null: nothing is counted. */
  readonly breaker: RequestBreaker | null;
  /** How long searches are divided among threads; left out: they never are. */
  readonly division?: SearchDivision;
  /** Counts the scrolls of the node; without one the shard counts its own alone. */
  readonly scrolls?: ScrollCount;
  /** Told of the aggregations of searches; left out where nobody counts them. */
  readonly aggregationUsage?: NameCounts;
  /** Every search shows what was written before it. Default: what was refreshed, as `index.refresh_interval` says. */
  readonly refreshesBeforeSearch?: boolean;
  /** Pace at which all shards of the thread send files to other copies; null or left out: as fast as can be. */
  readonly recoveryPace?: RecoveryPace | null;
  /** Told once when a shard can go on no more; it stays to be closed. */
  readonly onShardFailed?: (shard: OpenShardOptions, error: ShoalError) => void;
}

/**
 * Rejects with a `ShoalError` when the folder does not fit the options, or what it holds is damaged. `memory` and `thread`:
 * those of the calling thread, for all its shards.
 */
export function openShard(
  runtime: Runtime,
  options: OpenShardOptions,
  memory: SegmentMemory = PLAIN_MEMORY,
  thread: ThreadShare = { turns: new ThreadTurns(runtime.sched), breaker: null },
): Promise<Shard> {
  const { breaker, division } = thread;
  const given = { yieldNow: (slices: number): Promise<void> => thread.turns.next(slices), breaker };
  const divided = division === undefined ? given : { ...given, division };
  const search: ShardSearch = {
    executeShardQuery: (context, request, stop, clock) =>
      executeShardQuery({ ...context, ...divided }, request, stop, clock),
    executeRankQuery: (context, request, options) => executeRankQuery({ ...context, ...divided }, request, options),
    collectStatistics,
    suggest: (context, request, stop, clock) => executeSuggest({ ...context, ...given }, request, stop, clock),
    enumerateTerms: (context, request, asked, paced) => enumerateTerms({ ...context, ...given }, request, asked, paced),
    termVectors: (context, source, request, clock) => termVectors({ ...context, ...given }, source, request, clock),
    fetchHits: (context, request, stop, clock) => fetchHits({ ...context, ...given }, request, stop, clock),
  };
  return openShardWith(search, runtime, options, memory, thread);
}

/** Opens a shard with the query execution to use. */
export async function openShardWith(
  search: ShardSearch,
  runtime: Runtime,
  options: OpenShardOptions,
  memory: SegmentMemory = PLAIN_MEMORY,
  thread: Omit<ThreadShare, 'breaker'> = { turns: new ThreadTurns(runtime.sched) },
): Promise<Shard> {
  const { disk } = runtime;
  const { path } = options;
  const startMs = runtime.clock.monotonicMs();
  await finishInstall(runtime, path);
  const restored =
    options.restore === undefined ? null : await restoredFiles(runtime, options, options.restore, thread);
  const store = new ShardStore(disk, path);
  const opened =
    options.bootstrap === 'create'
      ? await create(runtime, options, memory)
      : await openExisting(runtime, options, store, memory);
  try {
    const indexTimeMs = runtime.clock.monotonicMs() - startMs + (options.installed?.tookMs ?? 0);
    return await start({ search, runtime, options, store, opened, restored, indexTimeMs, thread });
  } catch (error) {
    // Nobody will search them: their memory is the thread's again.
    opened.segments.close();
    throw error;
  }
}

/** The folder is filled from a snapshot, as a shard that was never opened. */
async function restoredFiles(
  runtime: Runtime,
  { path, shard, allocationId }: OpenShardOptions,
  restore: ShardRestore,
  { turns }: Pick<ThreadShare, 'turns'>,
): Promise<ShardManifest> {
  const target = { path, indexUuid: shard.indexUuid, allocationId };
  const manifest = await restoreShard(runtime, target, restore, () => turns.next());
  await syncParents(runtime.disk, path);
  return manifest;
}

interface Starting {
  readonly search: ShardSearch;
  readonly runtime: Runtime;
  readonly options: OpenShardOptions;
  readonly store: ShardStore;
  readonly opened: Opened;
  /** Files that came out of a repository; null: none did. */
  readonly restored: ShardManifest | null;
  /** Time that opening the commit took, in milliseconds. */
  readonly indexTimeMs: number;
  readonly thread: Omit<ThreadShare, 'breaker'>;
}

/** The shard over what was opened. */
async function start(starting: Starting): Promise<Shard> {
  const { runtime, options, opened } = starting;
  const { localCheckpoint, committedSeqNo } = opened;
  let shard: LocalShard | null = null;
  const translog = await Translog.open({
    disk: runtime.disk,
    sched: runtime.sched,
    folder: `${options.path}/translog`,
    begin: firstWritten(opened),
    said: opened.state,
    pieces: opened.segments.memory.pieces,
    persisted: new LocalCheckpoint(localCheckpoint, committedSeqNo),
    older: olderGenerations(opened, runtime.clock.monotonicMs()),
    trims: opened.trims,
    trimmedSeqNo: opened.kept.trimmedSeqNo,
    onFailure: (error) => shard?.fail(error),
  });
  try {
    shard = await startWith(starting, translog);
    return shard;
  } catch (error) {
    await translog.close();
    throw error;
  }
}

/** A generation without operations goes on: shards that nobody writes to gain no file by each start. */
function firstWritten({ translog }: Opened): TranslogOptions['begin'] {
  if (translog === null) return { kind: 'new', generation: FIRST_GENERATION, previousBytes: -1 };
  const { newestGeneration, newestBytes, continues } = translog;
  if (continues) return { kind: 'continued', generation: newestGeneration, sizeBytes: newestBytes };
  return { kind: 'new', generation: newestGeneration + 1, previousBytes: newestBytes };
}

function olderGenerations({ kept, translog }: Opened, endedMs: number): readonly EndedGeneration[] {
  const read = translog === null ? [] : translog.generations.slice(0, translog.continues ? -1 : undefined);
  return [...kept.generations, ...read].map((ended) => ({ ...ended, endedMs }));
}

/** What a copy has on disk is agreed only where no other copy is in sync; beside others it keeps what may not be. */
function retentionOf({ needs, isReplica, othersInSync }: OpenShardOptions, { state }: Opened): HistoryRetention {
  const { globalCheckpoint, leases } = state;
  if (needs !== undefined) return new HistoryRetention(needs, leases);
  const unconfirmed = { globalCheckpoint, retainedFrom: globalCheckpoint + 1 };
  return new HistoryRetention(isReplica === true || othersInSync === true ? unconfirmed : null, leases);
}

/** The shard with its translog replayed. */
async function startWith(
  { search, runtime, options, store, opened, restored, indexTimeMs, thread }: Starting,
  translog: Translog,
): Promise<LocalShard> {
  const { disk } = runtime;
  const { path } = options;
  if (options.bootstrap === 'create') await store.create(FIRST_GENERATION);
  const settings = typedIndexSettings(options.settings);
  const mapping = parseMapping(options.mapping, settings.fieldDefaults);
  opened.segments.sort = docSort(mapping, settings.sort);
  const recentWrites = new RecentWrites();
  recentWrites.restore(await knownRecentWrites(runtime, path));
  const recorder = new LogRecorder(translog);
  const writer = new ShardWriter({
    clock: runtime.clock,
    segments: opened.segments,
    analyzers: analyzerLookup(createAnalyzers(options.settings, runtime.config)),
    parser: new DocumentParser(mapping, settings),
    codec: settings.storedCodec,
    processed: new LocalCheckpoint(opened.localCheckpoint, opened.committedSeqNo),
    nextSegment: opened.nextSegment,
    recentWrites,
    record: (operation) => recorder.record(operation),
  });
  writer.gcDeletesMs = settings.gcDeletesMs;
  writer.rememberDeletes(opened.deletes);
  const files = openedFiles(opened.segments, restored, options.installed);
  const replayStartMs = runtime.clock.monotonicMs();
  const translogOperations = await replay(opened, writer, runtime.clock, thread.turns);
  const translogTimeMs = runtime.clock.monotonicMs() - replayStartMs;
  recorder.isReplaying = false;
  assert(
    writer.maxSeqNo >= opened.committedSeqNo,
    `replayed up to ${writer.maxSeqNo}, committed ${opened.committedSeqNo}`,
  );
  assert(translog.operationCount === 0, `${translog.operationCount} replayed operations were logged again`);
  writer.seal();
  writer.hasChanges = false;
  opened.segments.publish();
  const primaryTerm = Math.max(options.primaryTerm, opened.primaryTerm);
  const { allocationId, shard } = options;
  const state = { indexUuid: shard.indexUuid, allocationId, historyUuid: opened.historyUuid, primaryTerm };
  // Before anything of its term is durable.
  if (options.bootstrap === 'create') await writeShardState(disk, path, state);
  else await replaceShardState(disk, path, state);
  if (options.isReplica !== true) await fillGaps(writer, translog, primaryTerm);
  return new LocalShard({
    runtime,
    id: options.shard,
    recovery: { ...files, indexTimeMs, translogOperations, translogTimeMs },
    settings: options.settings,
    mapping,
    writer,
    recorder,
    role: new ShardRole(shard, { allocationId, primaryTerm }, options.isReplica !== true),
    identity: new ShardIdentity(disk, path, state),
    segments: opened.segments,
    store,
    translog,
    retention: retentionOf(options, opened),
    committedSeqNo: opened.committedSeqNo,
    keepRecentWrites: (writes) => writeRecentWrites(disk, path, writes),
    search,
    scrolls: thread.scrolls ?? new ScrollCount(scrollMemory(1), 0),
    aggregationUsage: thread.aggregationUsage ?? null,
    refreshesBeforeSearch: thread.refreshesBeforeSearch === true,
    turns: thread.turns,
    recoveryPace: thread.recoveryPace ?? null,
    path,
    onFailed: (error) => thread.onShardFailed?.(options, error),
  });
}

/** What the commit may lack is written again; other shards of the thread go on meanwhile. Resolves to how many operations. */
async function replay(
  { translog, localCheckpoint }: Opened,
  writer: ShardWriter,
  clock: Clock,
  turns: ThreadTurns,
): Promise<number> {
  let count = 0;
  const sealing = new ShardSealing({ clock, turns, writer });
  let sliceEndMs = clock.monotonicMs() + REPLAY_SLICE_MS;
  for (const operation of translog?.operations ?? []) {
    if (operation.seqNo <= localCheckpoint) continue;
    writer.apply(operation);
    count++;
    await sealing.beforeWrite();
    if (clock.monotonicMs() < sliceEndMs) continue;
    await turns.next();
    sliceEndMs = clock.monotonicMs() + REPLAY_SLICE_MS;
  }
  return count;
}

async function create(runtime: Runtime, options: OpenShardOptions, memory: SegmentMemory): Promise<Opened> {
  const { disk, random } = runtime;
  const { path } = options;
  await disk.mkdir(path);
  const there = await readShardState(disk, path);
  if (there !== null) throw wrongShardFolder(path, `already holds a shard of index [${there.indexUuid}]`);
  // Without a state file whatever is here is the rest of a shard that was never there.
  await disk.removeTree(`${path}/translog`);
  await disk.removeTree(`${path}/index`);
  await disk.mkdir(`${path}/translog`);
  await finalSyncDir(disk, path);
  await syncParents(disk, path);
  return {
    historyUuid: randomUuid(random.bytes(UUID_BYTES)),
    primaryTerm: 0,
    segments: new SegmentSet(memory),
    committedSeqNo: -1,
    localCheckpoint: -1,
    state: { globalCheckpoint: -1, leases: new Map() },
    trims: [],
    nextSegment: 0,
    deletes: [],
    kept: { generations: [], trimmedSeqNo: -1 },
    translog: null,
  };
}

async function openExisting(
  runtime: Runtime,
  options: OpenShardOptions,
  store: ShardStore,
  memory: SegmentMemory,
): Promise<Opened> {
  const { disk } = runtime;
  const { path, shard } = options;
  const state = await readShardState(disk, path);
  if (state === null) throw wrongShardFolder(path, 'holds no shard');
  if (state.indexUuid !== shard.indexUuid) {
    throw wrongShardFolder(path, `holds a shard of index [${state.indexUuid}], not of [${shard.indexUuid}]`);
  }
  await checkNotCorrupted(disk, path);
  const loaded = await store.load(memory);
  if (loaded === null) throw wrongShardFolder(path, 'holds no commit');
  const { commit, states } = loaded;
  const segments = new SegmentSet(memory);
  for (const segment of states) segments.add(segment);
  try {
    const logFolder = `${path}/translog`;
    const there = await listGenerations(disk, logFolder);
    const translog = await readTranslog(disk, logFolder, { from: commit.translogGeneration, there });
    return {
      historyUuid: state.historyUuid,
      primaryTerm: state.primaryTerm,
      segments,
      committedSeqNo: commit.maxSeqNo,
      localCheckpoint: commit.localCheckpoint,
      state: newerState(commit, translog.state),
      trims: [...trimsBefore(commit.trims, commit.translogGeneration), ...translog.trims],
      deletes: commit.deletes,
      kept: keptHistory(there, commit),
      nextSegment: commit.nextSegment,
      translog,
    };
  } catch (error) {
    segments.close();
    throw error;
  }
}
