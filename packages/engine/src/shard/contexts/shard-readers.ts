/**
 * Searches on an open shard and the readers that they use: one for each, or one that was opened before and outlives them.
 */
import { assert, illegalArgument } from '@shoal/core';
import { withRuntimeFields } from '@shoal/schema';
import type {
  CopiedDocuments,
  CopyDocumentsRequest,
  FetchedHit,
  FetchShardRequest,
  NameCounts,
  NextEntriesRequest,
  QueryShardRequest,
  ScrolledResult,
  ShardQueryResult,
  ShardSuggestions,
  ShardTerms,
  TermsEnumRequest,
  TermVectorsRequest,
} from '@shoal/shard-api';
import { countUsage } from '../../collect/aggregations/usage/count-usage.ts';
import type { AfterEntry } from '../../collect/walk/after-entry.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { ShardAnswers } from '../../memory/request-cache.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import type { ShardQueryOutcome, ShardSearchContext } from '../../phases/context/shard-search-context.ts';
import { resultOf } from '../../phases/query/query-outcome.ts';
import type { ShardSearch } from '../../phases/shard-search.ts';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { ShardCounters } from '../contract/shard-counters.ts';
import type { SearchSlowLog } from '../slow-log/search-slow-log.ts';
import { answerSlot, isRepeatable } from './cached-answers.ts';
import { copyDocuments } from './copy-documents.ts';
import { RankLists } from './ranked-list-store.ts';
import { RankedSearches } from './ranked-searches.ts';
import { ScrollCursor } from './scroll-cursor.ts';
import { SearchContexts, type SearchContextsParts } from './search-contexts.ts';

/** Time between two pages after which nobody comes for the next one. */
const COPY_KEEP_ALIVE_MS = 5 * 60_000;

export interface ShardReadersParts extends SearchContextsParts {
  readonly segments: SegmentSet;
  readonly search: ShardSearch;
  readonly counters: ShardCounters;
  readonly slowLog: SearchSlowLog;
  /** Told of the aggregations of searches; null: nobody counts them. */
  readonly aggregationUsage: NameCounts | null;
  /** Answers of the shard in the request cache; null: none are cached. */
  readonly answers: ShardAnswers | null;
  /** `index.requests.cache.enable`. */
  readonly cachesRequests: () => boolean;
  /** Throws when the shard was closed meanwhile. */
  readonly checkOpen: () => void;
  readonly contextOf: (searcher: Searcher, after: AfterEntry | null) => ShardSearchContext;
}

export class ShardReaders {
  readonly contexts: SearchContexts;
  /** Deep pages. */
  readonly ranked: RankedSearches;
  private readonly parts: ShardReadersParts;

  constructor(parts: ShardReadersParts) {
    this.parts = parts;
    const lists = new RankLists();
    this.contexts = new SearchContexts(
      parts,
      (searcher) => parts.segments.release(searcher),
      (id, { kind, openedAtMs }) => {
        lists.dropContext(id);
        if (kind !== 'scroll') return;
        parts.counters.scrollTotal++;
        parts.counters.scrollTimeMs += parts.clock.monotonicMs() - openedAtMs;
      },
    );
    this.ranked = new RankedSearches({
      contexts: this.contexts,
      segments: parts.segments,
      lists,
      checkOpen: parts.checkOpen,
      execute: (searcher, request, stop) => this.execute(searcher, request, stop, null),
      rank: (searcher, request, ask, stop, bytesMax) => {
        const options = { ask, stop, clock: parts.clock, bytesMax };
        const work = () => parts.search.executeRankQuery(parts.contextOf(searcher, null), request, options);
        return this.asked(searcher, request, work);
      },
    });
  }

  async query(request: QueryShardRequest, stop: StopSignal): Promise<ShardQueryResult> {
    const { reader } = request;
    if (reader !== null) {
      return this.contexts.during(reader, request.keepAliveMs, async (context) => {
        const outcome = await this.execute(context.searcher, request, stop, null);
        context.rescored.remember(request.search.request, outcome.rescored);
        return resultOf(outcome, reader);
      });
    }
    if (request.isScroll) this.contexts.checkScrolls();
    const { segments } = this.parts;
    const searcher = segments.acquire();
    let isKept = false;
    try {
      const asked = request.isScroll ? ScrollCursor.batchRequest(request) : request;
      const result = await this.answer(searcher, asked, stop);
      this.parts.checkOpen();
      if (request.isScroll) {
        const cursor = new ScrollCursor(request, result);
        const contextId = this.contexts.open('scroll', searcher, request.keepAliveMs, {
          cursor,
          request: asked.search.request,
        });
        isKept = true;
        return { ...cursor.page(), contextId };
      }
      const isFound = result.ords.length > 0;
      const memory = { cursor: null, request: request.search.request };
      const contextId = isFound ? this.contexts.open('fetch', searcher, request.keepAliveMs, memory) : null;
      isKept = contextId !== null;
      if (contextId !== null) this.contexts.get(contextId).rescored.remember(request.search.request, result.rescored);
      return resultOf(result, contextId);
    } finally {
      if (!isKept) segments.release(searcher);
    }
  }

  next({ contextId, keepAliveMs }: NextEntriesRequest, stop: StopSignal): Promise<ScrolledResult> {
    return this.contexts.during(contextId, keepAliveMs, async ({ searcher, cursor }) => {
      if (cursor === null) throw illegalArgument(`context [${contextId}] is not one of a scroll`);
      if (cursor.needsBatch) {
        const asked = ScrollCursor.batchRequest(cursor.request);
        cursor.useBatch(await this.execute(searcher, asked, stop, cursor.after));
      }
      return { result: { ...cursor.page(), contextId }, request: cursor.request.search.request };
    });
  }

  /** The query phase, or its answer to the same request before. */
  private async answer(searcher: Searcher, request: QueryShardRequest, stop: StopSignal): Promise<ShardQueryOutcome> {
    const { answers, cachesRequests } = this.parts;
    const slot = answerSlot(answers, request, searcher, cachesRequests());
    const known = slot?.answer ?? null;
    if (known !== null) return this.asked(searcher, request, () => Promise.resolve(known));
    const outcome = await this.execute(searcher, request, stop, null);
    if (slot !== null && isRepeatable(outcome)) slot.keep(withoutMoment(outcome));
    return outcome;
  }

  private async execute(
    searcher: Searcher,
    request: QueryShardRequest,
    stop: StopSignal,
    after: AfterEntry | null,
  ): Promise<ShardQueryOutcome> {
    const { clock, search, contextOf } = this.parts;
    const context = contextOf(searcher, after);
    const work = () => search.executeShardQuery(context, request, stop, clock);
    // Further pages of a scroll ask for no more than the first.
    return after === null ? this.asked(searcher, request, work) : this.counted(searcher, request, work);
  }

  /** Counts the search and its aggregations, whose request the shard has taken when it answers. */
  private async asked<T>(searcher: Searcher, request: QueryShardRequest, work: () => Promise<T>): Promise<T> {
    const result = await this.counted(searcher, request, work);
    const { aggregationUsage, contextOf } = this.parts;
    const { aggregations, request: search } = request.search;
    if (aggregationUsage !== null && aggregations !== null) {
      const { mapping } = contextOf(searcher, null);
      countUsage(aggregationUsage, withRuntimeFields(mapping, search.runtimeMappings), aggregations.aggregations);
    }
    return result;
  }

  private async counted<T>(searcher: Searcher, { search }: QueryShardRequest, work: () => Promise<T>): Promise<T> {
    const { clock, counters, segments, slowLog } = this.parts;
    const { statsGroups: names } = search.request;
    const startMs = clock.monotonicMs();
    counters.queryCurrent++;
    counters.groups.add(names, { queryCurrent: 1 });
    const result = await segments.reading(searcher, work).finally(() => {
      counters.queryCurrent--;
      counters.groups.add(names, { queryCurrent: -1 });
    });
    counters.queryTotal++;
    const tookMs = clock.monotonicMs() - startMs;
    counters.queryTimeMs += tookMs;
    counters.groups.add(names, { queryTotal: 1, queryTimeMs: tookMs });
    slowLog.queried(tookMs, search.request);
    return result;
  }

  statistics(request: QueryShardRequest): Uint8Array {
    const { segments, search, contextOf } = this.parts;
    const searcher = request.reader === null ? segments.acquire() : this.contexts.get(request.reader).searcher;
    try {
      return search.collectStatistics(contextOf(searcher, null), request);
    } finally {
      if (request.reader === null) segments.release(searcher);
    }
  }

  /** A page of the documents that a new index takes over. The context ends with its last page. */
  async copy(request: CopyDocumentsRequest): Promise<CopiedDocuments> {
    const contextId = request.contextId ?? this.openReader(COPY_KEEP_ALIVE_MS);
    const { segments } = this.parts;
    const page = await this.contexts.during(contextId, COPY_KEEP_ALIVE_MS, ({ searcher }) =>
      segments.reading(searcher, async () => copyDocuments(searcher, request)),
    );
    const { nextDoc, ...copied } = page;
    if (nextDoc === null) this.contexts.free(contextId);
    return { ...copied, next: nextDoc === null ? null : { contextId, fromDoc: nextDoc } };
  }

  async suggest(request: QueryShardRequest, stop: StopSignal): Promise<ShardSuggestions> {
    if (request.reader !== null) {
      const { reader, keepAliveMs } = request;
      return this.contexts.during(reader, keepAliveMs, ({ searcher }) => this.suggestIn(searcher, request, stop));
    }
    const { segments } = this.parts;
    const searcher = segments.acquire();
    return this.suggestIn(searcher, request, stop).finally(() => segments.release(searcher));
  }

  enumerateTerms(request: QueryShardRequest, asked: TermsEnumRequest, stop: StopSignal): Promise<ShardTerms> {
    const { clock, search, segments, contextOf } = this.parts;
    const searcher = segments.acquire();
    const work = (): Promise<ShardTerms> =>
      search.enumerateTerms(contextOf(searcher, null), request, asked, { stop, clock });
    return segments.reading(searcher, work).finally(() => segments.release(searcher));
  }

  private async suggestIn(searcher: Searcher, request: QueryShardRequest, stop: StopSignal): Promise<ShardSuggestions> {
    const { clock, search, segments, counters, contextOf } = this.parts;
    const startMs = clock.monotonicMs();
    counters.suggestCurrent++;
    try {
      return await segments.reading(searcher, () => search.suggest(contextOf(searcher, null), request, stop, clock));
    } finally {
      counters.suggestCurrent--;
      counters.suggestTotal++;
      counters.suggestTimeMs += clock.monotonicMs() - startMs;
    }
  }

  /** JSON of the term vectors of a document with this source. */
  async termVectors(source: Uint8Array, request: TermVectorsRequest): Promise<Uint8Array> {
    const { clock, search, segments, contextOf } = this.parts;
    const searcher = segments.acquire();
    const work = (): Promise<Uint8Array> => search.termVectors(contextOf(searcher, null), source, request, clock);
    return segments.reading(searcher, work).finally(() => segments.release(searcher));
  }

  openReader(keepAliveMs: number): number {
    const { segments } = this.parts;
    const searcher = segments.acquire();
    try {
      return this.contexts.open('reader', searcher, keepAliveMs, { cursor: null, request: null });
    } catch (error) {
      segments.release(searcher);
      throw error;
    }
  }

  /** `fetch` without a limit. */
  async fetchAll(request: FetchShardRequest, stop: StopSignal): Promise<readonly FetchedHit[]> {
    const hits = await this.fetch(request, stop, Number.POSITIVE_INFINITY);
    assert(hits !== null, 'documents without a limit are too large');
    return hits;
  }

  /** The documents of a page. What is shown of each was said in the query phase, unless the request says it. */
  fetch(
    { contextId, ords, consumed, request: given }: FetchShardRequest,
    stop: StopSignal,
    bytesMax: number,
  ): Promise<readonly FetchedHit[] | null> {
    const { clock, search, segments, counters, contextOf, slowLog } = this.parts;
    return this.contexts.during(contextId, 0, async ({ kind, searcher, cursor, rescored, request: remembered }) => {
      const startMs = clock.monotonicMs();
      const request = given ?? remembered;
      const names = request?.statsGroups ?? [];
      counters.fetchCurrent++;
      counters.groups.add(names, { fetchCurrent: 1 });
      let isTooLarge = false;
      try {
        if (request === null)
          throw illegalArgument(`a fetch from the reader [${contextId}] does not say of which search`);
        const page = { ords, request, rescored: rescored.of(request) };
        const context = contextOf(searcher, null);
        const hits = await segments.reading(searcher, () => search.fetchHits(context, page, stop, clock));
        isTooLarge = !areWithin(hits, bytesMax);
        if (isTooLarge) return null;
        slowLog.fetched(clock.monotonicMs() - startMs, request);
        cursor?.consume(consumed ?? 0);
        return hits;
      } finally {
        if (kind === 'fetch' && !isTooLarge) this.contexts.free(contextId);
        const tookMs = clock.monotonicMs() - startMs;
        const fetchTotal = isTooLarge ? 0 : 1;
        counters.fetchCurrent--;
        counters.fetchTotal += fetchTotal;
        counters.fetchTimeMs += tookMs;
        counters.groups.add(names, { fetchCurrent: -1, fetchTotal, fetchTimeMs: tookMs });
      }
    });
  }
}

function withoutMoment({ dependsOnNow: _, ...outcome }: ShardQueryOutcome): ShardQueryOutcome {
  return outcome;
}

function areWithin(hits: readonly FetchedHit[], bytesMax: number): boolean {
  if (bytesMax === Number.POSITIVE_INFINITY) return true;
  let bytes = 0;
  for (const hit of hits) {
    const { source, storedApart, fields, highlight, ignored, ignoredValues, matchedQueries, explanation } = hit;
    const shown = [fields, highlight, ignored, ignoredValues, matchedQueries, explanation?.tree];
    for (const part of [source, storedApart, ...shown]) {
      bytes += part?.byteLength ?? 0;
    }
    if (bytes > bytesMax) return false;
  }
  return true;
}
