/**
 * What a shard tells of itself: documents, bytes, segments, and what it has done so far.
 */
import type { SegmentInfo } from '@shoal/shard-api';
import type { RequestCacheStats } from '../../memory/request-cache.ts';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { ShardStats } from '../contract/shard.ts';
import type { ShardCounters } from '../contract/shard-counters.ts';
import type { Translog } from '../translog/translog.ts';
import type { ShardWriter } from '../writing/shard-writer.ts';

export interface CountedParts {
  readonly writer: ShardWriter;
  readonly segments: SegmentSet;
  readonly translog: Translog;
}

export type CountedStats = Omit<
  ShardStats,
  | keyof RequestCacheStats
  | 'completionBytes'
  | 'refreshListeners'
  | 'flushTotal'
  | 'flushTimeMs'
  | 'flushPeriodic'
  | 'mergeTotal'
  | 'mergeTimeMs'
  | 'mergeDocs'
  | 'mergeBytes'
  | 'mergeCurrent'
  | 'mergeCurrentDocs'
  | 'mergeCurrentBytes'
  | 'scrollCurrent'
  | 'openContexts'
>;

export function countedStats({ writer, segments, translog }: CountedParts, counters: ShardCounters): CountedStats {
  const { searcher, states } = segments;
  const sum = (of: (state: SegmentSet['states'][number]) => number): number =>
    states.reduce((total, state) => total + of(state), 0);
  // Elasticsearch counts nested documents here, and nowhere else.
  const docCount = searcher.liveCount + (searcher.nestedCount ?? 0);
  return {
    docCount,
    deletedCount: searcher.maxDoc - docCount,
    storeBytes: sum((state) => state.segment.sizeBytes) + translog.sizeBytes,
    segmentCount: states.length,
    translogOperations: translog.operationCount,
    translogBytes: translog.sizeBytes,
    maxSeqNo: writer.maxSeqNo,
    localCheckpoint: translog.persisted.checkpoint,
    indexTotal: counters.indexTotal,
    indexTimeMs: Math.round(counters.indexTimeMs),
    indexFailed: counters.indexFailed,
    indexCurrent: counters.indexCurrent,
    noopTotal: counters.noopTotal,
    deleteTotal: counters.deleteTotal,
    deleteTimeMs: Math.round(counters.deleteTimeMs),
    queryTotal: counters.queryTotal,
    queryTimeMs: Math.round(counters.queryTimeMs),
    queryCurrent: counters.queryCurrent,
    fetchTotal: counters.fetchTotal,
    fetchTimeMs: Math.round(counters.fetchTimeMs),
    fetchCurrent: counters.fetchCurrent,
    suggestTotal: counters.suggestTotal,
    suggestTimeMs: Math.round(counters.suggestTimeMs),
    suggestCurrent: counters.suggestCurrent,
    scrollTotal: counters.scrollTotal,
    scrollTimeMs: Math.round(counters.scrollTimeMs),
    getTotal: counters.getTotal,
    getTimeMs: Math.round(counters.getTimeMs),
    getExistsTotal: counters.getTotal - counters.getMissingTotal,
    getExistsTimeMs: Math.round(counters.getTimeMs - counters.getMissingTimeMs),
    getMissingTotal: counters.getMissingTotal,
    getMissingTimeMs: Math.round(counters.getMissingTimeMs),
    refreshTotal: counters.refreshTotal,
    refreshTimeMs: Math.round(counters.refreshTimeMs),
    ...counters.filters.stats(),
    ...counters.fielddata.stats(),
    memoryBytes: writer.memoryBytes + sum((state) => state.segment.memoryBytes),
  };
}

/** Segments in the order in which searches go through them; with what their fields take of the files where `withFields`. */
export function segmentInfos({ states }: SegmentSet, withFields: boolean): readonly SegmentInfo[] {
  return states.map(({ segment, published, liveCount, committedLiveCount }) => {
    const live = published?.count ?? liveCount;
    return {
      name: segment.name,
      liveCount: live,
      deletedCount: segment.docCount - live,
      sizeBytes: segment.sizeBytes,
      memoryBytes: segment.memoryBytes,
      isCommitted: committedLiveCount >= 0,
      isSearchable: published !== null,
      fields: withFields ? segment.fieldBytes() : [],
    };
  });
}
