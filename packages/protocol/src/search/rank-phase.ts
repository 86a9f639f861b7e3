/**
 * Deep pages: coordinator → data node, one shard. The first round runs the query, later ones ask its list of matches in
 * order, see `RankAsk`. Channel `reg`.
 */

import { ValueReader } from '@shoal/core';
import type {
  FetchedHit,
  RankAnswer,
  RankAsk,
  RankEntries,
  RankPivot,
  RankRound,
  RankRoundRequest,
  ShardQueryResult,
} from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { HITS_MAX } from '../documents/fetched-hits.ts';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';
import {
  type PackedShardQuery,
  readQueryAnswer,
  readShardQuery,
  writeQueryAnswer,
  writeShardQuery,
} from './query-phase.ts';
import { readColumns, writeColumns } from './sort-columns.ts';

export interface RankQueryRequest {
  readonly target: ShardTarget;
  readonly query: PackedShardQuery;
  readonly ask: RankAsk;
  /** The only shard of the search fetches the documents of the entries that it sends. */
  readonly fetchesPage: boolean;
}

export interface RankQueryResponse {
  /** Without entries: they are in `rank`. */
  readonly result: ShardQueryResult;
  readonly rank: RankAnswer;
  /** null when they were not asked for. */
  readonly hits: readonly FetchedHit[] | null;
}

export interface RankRoundMessage {
  readonly target: ShardTarget;
  readonly request: RankRoundRequest;
}

const COUNT_MAX = 0x7fff_ffff;
const ID_MAX = Number.MAX_SAFE_INTEGER;
const ASKS = ['page', 'top', 'list'] as const satisfies readonly RankAsk['kind'][];

export const RANK_QUERY: ActionCodec<RankQueryRequest, RankQueryResponse> = {
  name: 'indices:data/read/search[phase/query/rank]',
  writeRequest: ({ target, query, ask, fetchesPage }) => {
    const sections = new SectionWriter();
    const message = {
      target: writeShardTarget(target),
      query: writeShardQuery(query),
      ask: writeAsk(ask, sections),
      fetchesPage,
    };
    return { message, sections: sections.sections };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const sections = new SectionReader(body.sections);
    const request: RankQueryRequest = {
      target: readShardTarget(r.raw('target'), 'target'),
      query: readShardQuery(r.object('query')),
      ask: readAsk(r.object('ask'), sections),
      fetchesPage: r.boolean('fetchesPage'),
    };
    sections.end();
    return request;
  },
  writeResponse: ({ result, rank, hits }) => {
    const sections = new SectionWriter();
    const answer = writeQueryAnswer({ result, hits }, sections);
    return { message: { answer, rank: writeRank(rank, sections) }, sections: sections.sections };
  },
  readResponse: (body) => {
    const r = ValueReader.of(body.message);
    const sections = new SectionReader(body.sections);
    const { result, hits } = readQueryAnswer(r.object('answer'), sections);
    const rank = readRank(r.object('rank'), sections);
    sections.end();
    return { result, hits, rank };
  },
};

export const RANK_ROUND: ActionCodec<RankRoundMessage, RankAnswer> = {
  name: 'indices:data/read/search[phase/rank]',
  writeRequest: ({ target, request }) => {
    const sections = new SectionWriter();
    const { contextId, listId, shardIndex } = request;
    const round = writeRound(request.round, sections);
    return {
      message: { target: writeShardTarget(target), contextId, listId, shardIndex, round },
      sections: sections.sections,
    };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const sections = new SectionReader(body.sections);
    const message: RankRoundMessage = {
      target: readShardTarget(r.raw('target'), 'target'),
      request: {
        contextId: r.integer('contextId', 0, ID_MAX),
        listId: r.integer('listId', 0, ID_MAX),
        shardIndex: r.integer('shardIndex', 0, COUNT_MAX),
        round: readRound(r.object('round'), sections),
      },
    };
    sections.end();
    return message;
  },
  writeResponse: (rank) => {
    const sections = new SectionWriter();
    return { message: writeRank(rank, sections), sections: sections.sections };
  },
  readResponse: (body) => {
    const sections = new SectionReader(body.sections);
    const rank = readRank(ValueReader.of(body.message), sections);
    sections.end();
    return rank;
  },
};

type Written = Readonly<Record<string, unknown>>;

function writeAsk(ask: RankAsk, sections: SectionWriter): Written {
  if (ask.kind === 'page') return { kind: ask.kind, from: ask.from, size: ask.size };
  return { kind: ask.kind, round: writeRound(ask.round, sections) };
}

function readAsk(r: ValueReader, sections: SectionReader): RankAsk {
  const kind = r.oneOf('kind', ASKS);
  if (kind === 'page') return { kind, from: r.integer('from', 0, COUNT_MAX), size: r.integer('size', 0, COUNT_MAX) };
  return { kind, round: readRound(r.object('round'), sections) };
}

function writeRound({ lower, upper, from, to, pivots, tail }: RankRound, sections: SectionWriter): Written {
  return { lower: writePivot(lower, sections), upper: writePivot(upper, sections), from, to, pivots, tail };
}

function readRound(r: ValueReader, sections: SectionReader): RankRound {
  return {
    lower: readPivot(r.optionalObject('lower'), sections),
    upper: readPivot(r.optionalObject('upper'), sections),
    from: r.integer('from', 0, COUNT_MAX),
    to: r.integer('to', 0, COUNT_MAX),
    pivots: r.integer('pivots', 0, HITS_MAX),
    tail: r.optionalInteger('tail', 0, COUNT_MAX),
  };
}

function writePivot(pivot: RankPivot | null, sections: SectionWriter): Written | null {
  if (pivot === null) return null;
  const { shardIndex, position } = pivot;
  return { shardIndex, position, columns: writeColumns(pivot.columns, sections) };
}

function readPivot(r: ValueReader | null, sections: SectionReader): RankPivot | null {
  if (r === null) return null;
  return {
    shardIndex: r.integer('shardIndex', 0, COUNT_MAX),
    position: r.integer('position', 0, COUNT_MAX),
    columns: readColumns(r, 'columns', sections, 1),
  };
}

function writeRank({ pivots, entries, ...rank }: RankAnswer, sections: SectionWriter): Written {
  sections.add(pivots.positions);
  const columns = writeColumns(pivots.columns, sections);
  return {
    ...rank,
    pivots: { count: pivots.positions.length, columns },
    entries: writeEntries(entries, sections),
  };
}

function readRank(r: ValueReader, sections: SectionReader): RankAnswer {
  const pivots = r.object('pivots');
  const pivotCount = pivots.integer('count', 0, HITS_MAX);
  const positions = sections.uint32('pivots.positions', pivotCount);
  return {
    listId: r.optionalInteger('listId', 0, ID_MAX),
    count: r.integer('count', 0, COUNT_MAX),
    below: r.integer('below', 0, COUNT_MAX),
    above: r.integer('above', 0, COUNT_MAX),
    first: r.integer('first', 0, COUNT_MAX),
    pivots: { positions, columns: readColumns(pivots, 'columns', sections, pivotCount) },
    entries: readEntries(r.object('entries'), sections),
  };
}

function writeEntries({ columns, scores, ords }: RankEntries, sections: SectionWriter): Written {
  sections.add(ords);
  const kinds = writeColumns(columns, sections);
  if (scores !== null) sections.add(scores);
  return { count: ords.length, columns: kinds, hasScores: scores !== null };
}

function readEntries(r: ValueReader, sections: SectionReader): RankEntries {
  const count = r.integer('count', 0, HITS_MAX);
  const ords = sections.uint32('entries.ords', count);
  const columns = readColumns(r, 'columns', sections, count);
  return { ords, columns, scores: r.boolean('hasScores') ? sections.float32('entries.scores', count) : null };
}
