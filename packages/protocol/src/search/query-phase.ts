/** Query phase: coordinator → data node, one shard; the answer is columns in raw sections. Channel `reg`. */

import { ValueReader } from '@shoal/core';
import type { FetchedHit, QueryShardRequest, ShardQueryResult } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { HITS_MAX, readPresentHits, writeHits } from '../documents/fetched-hits.ts';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';
import { readColumns, writeColumns } from './sort-columns.ts';

/** `QueryShardRequest` with its trees as `SearchCodec` packs them: read where the shard is, in its own thread. */
export interface PackedShardQuery extends Omit<QueryShardRequest, 'search' | 'aliasFilter' | 'packed'> {
  readonly search: Uint8Array;
  readonly aliasFilter: Uint8Array | null;
}

export interface QueryPhaseRequest {
  readonly target: ShardTarget;
  readonly query: PackedShardQuery;
  /** The only shard of the search fetches its page at once: the entries from..from+size of its own order. */
  readonly fetchPage: { readonly from: number; readonly size: number } | null;
}

export interface QueryPhaseResponse {
  readonly result: ShardQueryResult;
  /** Hits of `fetchPage`; null when it was not asked for. */
  readonly hits: readonly FetchedHit[] | null;
}

const COUNT_MAX = 0x7fff_ffff;
const RELATIONS = ['eq', 'gte'] as const;

export const QUERY_PHASE: ActionCodec<QueryPhaseRequest, QueryPhaseResponse> = {
  name: 'indices:data/read/search[phase/query]',
  writeRequest: (request) => ({
    message: {
      target: writeShardTarget(request.target),
      query: writeShardQuery(request.query),
      fetchPage: request.fetchPage === null ? null : { from: request.fetchPage.from, size: request.fetchPage.size },
    },
  }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const page = r.optionalObject('fetchPage');
    return {
      target: readShardTarget(r.raw('target'), 'target'),
      query: readShardQuery(r.object('query')),
      fetchPage:
        page === null ? null : { from: page.integer('from', 0, COUNT_MAX), size: page.integer('size', 0, COUNT_MAX) },
    };
  },
  writeResponse: (response) => {
    const sections = new SectionWriter();
    return { message: writeQueryAnswer(response, sections), sections: sections.sections };
  },
  readResponse: (body) => {
    const sections = new SectionReader(body.sections);
    const response = readQueryAnswer(ValueReader.of(body.message), sections);
    sections.end();
    return response;
  },
};

/** Also what a scroll answers. */
export function writeQueryAnswer(
  { result, hits }: QueryPhaseResponse,
  sections: SectionWriter,
): Readonly<Record<string, unknown>> {
  sections.add(result.ords);
  const columns = writeColumns(result.columns, sections);
  if (result.scores !== null) sections.add(result.scores);
  if (result.aggregations !== null) sections.add(result.aggregations);
  const groups = result.groups === null ? null : writeColumns([result.groups], sections);
  if (result.profile !== null) sections.add(result.profile);
  return {
    contextId: result.contextId,
    total: result.total === null ? null : { ...result.total },
    maxScore: result.maxScore,
    count: result.ords.length,
    columns,
    hasScores: result.scores !== null,
    hasAggregations: result.aggregations !== null,
    groups,
    hasProfile: result.profile !== null,
    timedOut: result.timedOut,
    terminatedEarly: result.terminatedEarly,
    isSkipped: result.isSkipped,
    hits: hits === null ? null : writeHits(hits, sections),
  };
}

export function readQueryAnswer(r: ValueReader, sections: SectionReader): QueryPhaseResponse {
  const result = readResult(r, sections);
  const hits = r.optionalObject('hits');
  return { result, hits: hits === null ? null : readPresentHits(hits, sections) };
}

export function writeShardQuery(query: PackedShardQuery): Readonly<Record<string, unknown>> {
  return {
    search: query.search,
    aliasFilter: query.aliasFilter,
    topN: query.topN,
    nowMs: query.nowMs,
    keepAliveMs: query.keepAliveMs,
    shardIndex: query.shardIndex,
    reader: query.reader,
    isScroll: query.isScroll,
    statistics: query.statistics,
    indexBoost: query.indexBoost,
    canSkip: query.canSkip,
    usesCache: query.usesCache,
  };
}

export function readShardQuery(r: ValueReader): PackedShardQuery {
  return {
    search: r.bytes('search'),
    aliasFilter: r.optional('aliasFilter', ValueReader.asBytes),
    topN: r.integer('topN', 0, COUNT_MAX),
    nowMs: r.integer('nowMs', 0, Number.MAX_SAFE_INTEGER),
    keepAliveMs: r.integer('keepAliveMs', 0, Number.MAX_SAFE_INTEGER),
    shardIndex: r.integer('shardIndex', 0, COUNT_MAX),
    reader: r.optionalInteger('reader', 0, Number.MAX_SAFE_INTEGER),
    isScroll: r.boolean('isScroll'),
    statistics: r.optional('statistics', ValueReader.asBytes),
    indexBoost: r.number('indexBoost'),
    canSkip: r.boolean('canSkip'),
    usesCache: r.has('usesCache') ? r.boolean('usesCache') : null,
  };
}

function readResult(r: ValueReader, sections: SectionReader): ShardQueryResult {
  const count = r.integer('count', 0, HITS_MAX);
  const total = r.optionalObject('total');
  const ords = sections.uint32('ords', count);
  return {
    contextId: r.optionalInteger('contextId', 0, Number.MAX_SAFE_INTEGER),
    total:
      total === null
        ? null
        : { value: total.integer('value', 0, Number.MAX_SAFE_INTEGER), relation: total.oneOf('relation', RELATIONS) },
    maxScore: r.optionalNumber('maxScore'),
    columns: readColumns(r, 'columns', sections, count),
    scores: r.boolean('hasScores') ? sections.float32('scores', count) : null,
    ords,
    aggregations: r.boolean('hasAggregations') ? sections.bytes('aggregations') : null,
    groups: r.has('groups') ? (readColumns(r, 'groups', sections, count)[0] ?? null) : null,
    profile: r.boolean('hasProfile') ? sections.bytes('profile') : null,
    timedOut: r.boolean('timedOut'),
    terminatedEarly: r.boolean('terminatedEarly'),
    isSkipped: r.boolean('isSkipped'),
  };
}
