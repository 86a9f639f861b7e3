/**
 * Segments of shards that other threads of the node own, opened by this one to take part in their searches.
 *
 * Nothing is written, and nothing of a shard is decided here. A segment stays open for a while after a search, since the next one of the
 * shard mostly wants it again; its memory counts as that of this thread.
 */
import { type AnalyzerRegistry, createAnalyzers } from '@shoal/analysis';
import { assert, parseJson } from '@shoal/core';
import type { Runtime, ThreadTurns } from '@shoal/runtime';
import { type Mapping, parseMapping, typedIndexSettings } from '@shoal/schema';
import type { QueryShardRequest } from '@shoal/shard-api';
import type { PartStates, SharedParts } from '../../collect/aggregations/run/search-guests.ts';
import { SegmentBytes } from '../../format/container/segment-bytes.ts';
import { FlatSegment } from '../../format/flat-segment.ts';
import type { Searcher, SegmentView } from '../../format/reader/segment-reader.ts';
import { StoredBytes } from '../../format/stored/stored-bytes.ts';
import type { RequestBreaker } from '../../memory/request-breaker.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import type { LentSearcher, LentSegment } from '../../phases/context/lent-searcher.ts';
import { executeAsGuest } from '../../phases/query/execute-as-guest.ts';

/** Time without a search after which the segments of a shard are closed: files that are removed take room on the disk until then. */
const IDLE_MS = 10_000;

/** How the fields of a shard are read. */
interface ShardFields {
  readonly text: string;
  readonly mapping: Mapping;
  readonly analyzers: AnalyzerRegistry;
}

interface VisitedShard {
  /** By id, each held once. */
  readonly segments: Map<string, FlatSegment>;
  fields: ShardFields | null;
  /** Searches under way. */
  searches: number;
  stopTimer: () => void;
}

export interface SearchGuestOptions {
  readonly runtime: Runtime;
  /** Those of the thread. */
  readonly memory: SegmentMemory;
  readonly turns: ThreadTurns;
  readonly breaker: RequestBreaker | null;
}

export class SearchGuest {
  private readonly options: SearchGuestOptions;
  private readonly visited = new Map<string, VisitedShard>();

  constructor(options: SearchGuestOptions) {
    this.options = options;
  }

  /** Shards with open segments. */
  get visitedShards(): number {
    return this.visited.size;
  }

  /** Collects what it claims of a search. @throws ShoalError where segments cannot be read, or the search fails here */
  async search(lent: LentSearcher, request: QueryShardRequest, shared: SharedParts): Promise<readonly PartStates[]> {
    const key = `${lent.shard.indexUuid}/${lent.shard.number}`;
    const shard = this.visit(key);
    try {
      return await this.searchIn(shard, lent, request, shared);
    } finally {
      this.leave(key, shard);
    }
  }

  private visit(key: string): VisitedShard {
    let shard = this.visited.get(key);
    if (shard === undefined) {
      shard = { segments: new Map(), fields: null, searches: 0, stopTimer: () => {} };
      this.visited.set(key, shard);
    }
    shard.stopTimer();
    shard.searches++;
    return shard;
  }

  private leave(key: string, shard: VisitedShard): void {
    shard.searches--;
    assert(shard.searches >= 0, `${shard.searches} searches in ${key}`);
    if (shard.searches > 0) return;
    shard.stopTimer = this.options.runtime.sched.after(IDLE_MS, () => {
      this.visited.delete(key);
      closeAll(shard, () => false);
    });
  }

  private async searchIn(
    shard: VisitedShard,
    lent: LentSearcher,
    request: QueryShardRequest,
    shared: SharedParts,
  ): Promise<readonly PartStates[]> {
    const { runtime, turns, breaker } = this.options;
    const segments = await this.segmentsOf(shard, lent.segments);
    try {
      const { mapping, analyzers } = this.fieldsOf(shard, lent);
      const { settings, shard: index, aliases } = lent;
      const searcher = searcherOf(segments, lent.segments);
      const yieldNow = (slices: number): Promise<void> => turns.next(slices);
      const context = { searcher, mapping, settings, analyzers, index, aliases, after: null, yieldNow, breaker };
      return await executeAsGuest(context, request, shared, runtime.clock);
    } finally {
      for (const segment of segments) {
        segment.unpin();
        segment.release();
      }
    }
  }

  /** Open segments in their order, pinned and held for the caller. */
  private async segmentsOf(shard: VisitedShard, wanted: readonly LentSegment[]): Promise<readonly FlatSegment[]> {
    const ids = new Set(wanted.map(({ id }) => id));
    closeAll(shard, (id) => ids.has(id));
    const segments: FlatSegment[] = [];
    try {
      for (const lent of wanted) {
        const segment = shard.segments.get(lent.id) ?? (await this.open(shard, lent));
        segment.retain();
        segment.pin();
        segments.push(segment);
      }
      return segments;
    } catch (error) {
      for (const segment of segments) {
        segment.unpin();
        segment.release();
      }
      throw error;
    }
  }

  private async open(shard: VisitedShard, lent: LentSegment): Promise<FlatSegment> {
    const opened = await this.openNow(lent);
    // Another search may have opened it meanwhile.
    const known = shard.segments.get(lent.id);
    if (known !== undefined) {
      opened.release();
      return known;
    }
    shard.segments.set(lent.id, opened);
    return opened;
  }

  private async openNow({ id, files, bytes }: LentSegment): Promise<FlatSegment> {
    const { runtime, memory } = this.options;
    if (bytes !== null) {
      const stored = StoredBytes.ofMemory(id, bytes.stored);
      return FlatSegment.open(bytes.segment, id, memory, { stored, isTrusted: true });
    }
    assert(files !== null, `segment ${id} has neither files nor bytes`);
    const stored = await StoredBytes.ofFile(files.stored, await runtime.disk.open(files.stored, 'read'), () => {});
    try {
      const file = await runtime.disk.open(files.segment, 'read');
      return FlatSegment.openFile(await SegmentBytes.ofFile(files.segment, file, () => {}), memory, stored);
    } catch (error) {
      stored.close();
      throw error;
    }
  }

  private fieldsOf(shard: VisitedShard, { mapping: mappingText, settings }: LentSearcher): ShardFields {
    const text = JSON.stringify([mappingText, settings]);
    if (shard.fields?.text !== text) {
      // Written by the owner of the shard, from a mapping that it had parsed.
      const json = parseJson(mappingText) as Readonly<Record<string, unknown>>;
      const mapping = parseMapping(json, typedIndexSettings(settings).fieldDefaults);
      shard.fields = { text, mapping, analyzers: createAnalyzers(settings, this.options.runtime.config) };
    }
    return shard.fields;
  }
}

function closeAll(shard: VisitedShard, isKept: (id: string) => boolean): void {
  for (const [id, segment] of shard.segments) {
    if (isKept(id)) continue;
    shard.segments.delete(id);
    segment.release();
  }
}

function searcherOf(segments: readonly FlatSegment[], lent: readonly LentSegment[]): Searcher {
  const views: SegmentView[] = [];
  let docBase = 0;
  let liveTotal = 0;
  for (const [i, segment] of segments.entries()) {
    const { liveDocs, liveCount } = lent[i] as LentSegment;
    views.push({ segment, liveDocs, liveCount, docBase });
    docBase += segment.docCount;
    liveTotal += liveCount;
  }
  return { generation: 0, views, maxDoc: docBase, liveCount: liveTotal };
}
