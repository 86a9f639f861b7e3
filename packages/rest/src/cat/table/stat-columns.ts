/**
 * Columns of shard statistics that `_cat/indices`, `_cat/shards` and `_cat/nodes` share: name, aliases, meaning, and where the number
 * comes from. Hidden unless named. A column without a source prints zero: this engine has no such part.
 */
import type { ShardStatsMap } from '@shoal/protocol';
import { type CatCell, type CatColumn, column } from './cat-table.ts';

export interface StatColumn {
  readonly column: CatColumn;
  readonly value: (stats: ShardStatsMap) => CatCell;
}

type Group = 'all' | 'summed';
type Kind = 'count' | 'bytes' | 'time';
type Row = readonly [group: Group, name: string, aliases: string, kind: Kind, source: string, description: string];

/** `summed` columns are not shown for a single shard. */
const ROWS: readonly Row[] = [
  ['all', 'completion.size', 'cs,completionSize', 'bytes', 'completionBytes', 'memory of completion suggesters'],
  ['all', 'fielddata.memory_size', 'fm,fielddataMemory', 'bytes', 'fielddataBytes', 'memory of field data'],
  ['all', 'fielddata.evictions', 'fe,fielddataEvictions', 'count', 'fielddataEvictions', 'evictions from field data'],
  ['all', 'query_cache.memory_size', 'qcm,queryCacheMemory', 'bytes', 'filterBytes', 'memory of the query cache'],
  [
    'all',
    'query_cache.evictions',
    'qce,queryCacheEvictions',
    'count',
    'filtersEvicted',
    'evictions from the query cache',
  ],
  [
    'summed',
    'request_cache.memory_size',
    'rcm,requestCacheMemory',
    'bytes',
    'requestCacheBytes',
    'memory of the request cache',
  ],
  [
    'summed',
    'request_cache.evictions',
    'rce,requestCacheEvictions',
    'count',
    'requestCacheEvictions',
    'evictions from the request cache',
  ],
  [
    'summed',
    'request_cache.hit_count',
    'rchc,requestCacheHitCount',
    'count',
    'requestCacheHits',
    'hits of the request cache',
  ],
  [
    'summed',
    'request_cache.miss_count',
    'rcmc,requestCacheMissCount',
    'count',
    'requestCacheMisses',
    'misses of the request cache',
  ],
  ['all', 'flush.total', 'ft,flushTotal', 'count', 'flushTotal', 'flushes done'],
  ['all', 'flush.total_time', 'ftt,flushTotalTime', 'time', 'flushTimeMs', 'time spent in flushes'],
  ['all', 'get.current', 'gc,getCurrent', 'count', '', 'gets running now'],
  ['all', 'get.time', 'gti,getTime', 'time', 'getTimeMs', 'time spent in gets'],
  ['all', 'get.total', 'gto,getTotal', 'count', 'getTotal', 'gets done'],
  [
    'all',
    'get.exists_time',
    'geti,getExistsTime',
    'time',
    'getExistsTimeMs',
    'time spent in gets that found something',
  ],
  ['all', 'get.exists_total', 'geto,getExistsTotal', 'count', 'getExistsTotal', 'gets that found something'],
  [
    'all',
    'get.missing_time',
    'gmti,getMissingTime',
    'time',
    'getMissingTimeMs',
    'time spent in gets that found nothing',
  ],
  ['all', 'get.missing_total', 'gmto,getMissingTotal', 'count', 'getMissingTotal', 'gets that found nothing'],
  ['all', 'indexing.delete_current', 'idc,indexingDeleteCurrent', 'count', '', 'deletions running now'],
  ['all', 'indexing.delete_time', 'idti,indexingDeleteTime', 'time', 'deleteTimeMs', 'time spent in deletions'],
  ['all', 'indexing.delete_total', 'idto,indexingDeleteTotal', 'count', 'deleteTotal', 'deletions done'],
  [
    'all',
    'indexing.index_current',
    'iic,indexingIndexCurrent',
    'count',
    'indexCurrent',
    'index operations running now',
  ],
  ['all', 'indexing.index_time', 'iiti,indexingIndexTime', 'time', 'indexTimeMs', 'time spent in indexing'],
  ['all', 'indexing.index_total', 'iito,indexingIndexTotal', 'count', 'indexTotal', 'index operations done'],
  ['all', 'indexing.index_failed', 'iif,indexingIndexFailed', 'count', 'indexFailed', 'index operations failed'],
  ['all', 'merges.current', 'mc,mergesCurrent', 'count', 'mergeCurrent', 'merges running now'],
  [
    'all',
    'merges.current_docs',
    'mcd,mergesCurrentDocs',
    'count',
    'mergeCurrentDocs',
    'documents of the merges running now',
  ],
  [
    'all',
    'merges.current_size',
    'mcs,mergesCurrentSize',
    'bytes',
    'mergeCurrentBytes',
    'size of the merges running now',
  ],
  ['all', 'merges.total', 'mt,mergesTotal', 'count', 'mergeTotal', 'merges done'],
  ['all', 'merges.total_docs', 'mtd,mergesTotalDocs', 'count', 'mergeDocs', 'documents merged'],
  ['all', 'merges.total_size', 'mts,mergesTotalSize', 'bytes', 'mergeBytes', 'size merged'],
  ['all', 'merges.total_time', 'mtt,mergesTotalTime', 'time', 'mergeTimeMs', 'time spent in merges'],
  ['all', 'refresh.total', 'rto,refreshTotal', 'count', 'refreshTotal', 'refreshes done'],
  ['all', 'refresh.time', 'rti,refreshTime', 'time', 'refreshTimeMs', 'time spent in refreshes'],
  ['all', 'refresh.external_total', 'rto,refreshTotal', 'count', 'refreshTotal', 'refreshes that searches see'],
  [
    'all',
    'refresh.external_time',
    'rti,refreshTime',
    'time',
    'refreshTimeMs',
    'time spent in refreshes that searches see',
  ],
  ['all', 'refresh.listeners', 'rli,refreshListeners', 'count', 'refreshListeners', 'requests waiting for a refresh'],
  ['all', 'search.fetch_current', 'sfc,searchFetchCurrent', 'count', 'fetchCurrent', 'fetch phases running now'],
  ['all', 'search.fetch_time', 'sfti,searchFetchTime', 'time', 'fetchTimeMs', 'time spent in fetch phases'],
  ['all', 'search.fetch_total', 'sfto,searchFetchTotal', 'count', 'fetchTotal', 'fetch phases done'],
  ['all', 'search.open_contexts', 'so,searchOpenContexts', 'count', 'openContexts', 'search contexts kept open'],
  ['all', 'search.query_current', 'sqc,searchQueryCurrent', 'count', 'queryCurrent', 'query phases running now'],
  ['all', 'search.query_time', 'sqti,searchQueryTime', 'time', 'queryTimeMs', 'time spent in query phases'],
  ['all', 'search.query_total', 'sqto,searchQueryTotal', 'count', 'queryTotal', 'query phases done'],
  ['all', 'search.scroll_current', 'scc,searchScrollCurrent', 'count', 'scrollCurrent', 'scrolls open now'],
  ['all', 'search.scroll_time', 'scti,searchScrollTime', 'time', 'scrollTimeMs', 'time that scrolls were open'],
  ['all', 'search.scroll_total', 'scto,searchScrollTotal', 'count', 'scrollTotal', 'scrolls done'],
  ['all', 'segments.count', 'sc,segmentsCount', 'count', 'segmentCount', 'segments'],
  ['all', 'segments.memory', 'sm,segmentsMemory', 'bytes', '', 'memory of segments'],
  [
    'all',
    'segments.index_writer_memory',
    'siwm,segmentsIndexWriterMemory',
    'bytes',
    'memoryBytes',
    'memory not flushed yet',
  ],
  ['all', 'segments.version_map_memory', 'svmm,segmentsVersionMapMemory', 'bytes', '', 'memory of the version map'],
  ['all', 'segments.fixed_bitset_memory', 'sfbm,fixedBitsetMemory', 'bytes', '', 'memory of bit sets'],
  ['all', 'warmer.current', 'wc,warmerCurrent', 'count', '', 'warmers running now'],
  ['all', 'warmer.total', 'wto,warmerTotal', 'count', '', 'warmers done'],
  ['all', 'warmer.total_time', 'wtt,warmerTotalTime', 'time', '', 'time spent in warmers'],
  ['summed', 'suggest.current', 'suc,suggestCurrent', 'count', 'suggestCurrent', 'suggestions running now'],
  ['summed', 'suggest.time', 'suti,suggestTime', 'time', 'suggestTimeMs', 'time spent in suggestions'],
  ['summed', 'suggest.total', 'suto,suggestTotal', 'count', 'suggestTotal', 'suggestions done'],
];

/** Columns for sums of shards. */
export function summedStatColumns(): readonly StatColumn[] {
  return ROWS.map(statColumn);
}

/** Columns for one shard. */
export function shardStatColumns(): readonly StatColumn[] {
  return ROWS.filter(([group]) => group === 'all').map(statColumn);
}

export function bytesCell(bytes: number): CatCell {
  return { kind: 'bytes', bytes };
}

function statColumn([, name, aliases, kind, source, description]: Row): StatColumn {
  return {
    column: column(name, aliases, description, ['right', 'hidden']),
    value: (stats) => {
      const number = stats[source] ?? 0;
      if (kind === 'bytes') return bytesCell(number);
      return kind === 'time' ? { kind: 'duration', ms: number } : number;
    },
  };
}
