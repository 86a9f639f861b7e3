/**
 * Query phase of several shards of one node: coordinator → data node, in one message. Channel `reg`.
 *
 * What all shards are asked alike travels once. The node runs a bounded number of them at a time, and may leave some unanswered
 * when the answer would grow too large for a frame: those are asked again in another message.
 */
import {
  assert,
  fromWireError,
  type ItemReader,
  isShoalError,
  type ShoalError,
  toWireError,
  ValueReader,
} from '@shoal/core';
import type { ActionCodec, WireBody } from '@shoal/transport';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import { SectionReader } from '../sections/section-reader.ts';
import {
  type PackedShardQuery,
  QUERY_PHASE,
  type QueryPhaseResponse,
  readQueryAnswer,
  readShardQuery,
  writeShardQuery,
} from './query-phase.ts';

/** Most shards of one message. */
export const NODE_QUERY_SHARDS_MAX = 512;

/** Parts of a query that differ between the shards of a search. */
export type OwnShardQuery = Pick<PackedShardQuery, 'aliasFilter' | 'shardIndex' | 'reader' | 'indexBoost'>;

export interface NodeShardQuery extends OwnShardQuery {
  readonly target: ShardTarget;
}

export interface NodeQueryRequest {
  /** Parts that all shards share. */
  readonly query: Omit<PackedShardQuery, keyof OwnShardQuery>;
  readonly shards: readonly NodeShardQuery[];
  /** Shards that are queried at the same time; at least 1. */
  readonly concurrency: number;
  /** Longest that one shard may take, in ms: beyond it that shard has failed, and the others go on. */
  readonly waitMs: number;
}

/** null: the shard was not asked. */
export type NodeShardAnswer = QueryPhaseResponse | ShoalError | null;

export interface NodeQueryResponse {
  /** One a shard of the request, in order. */
  readonly answers: readonly NodeShardAnswer[];
}

const CONCURRENCY_MAX = 0x7fff_ffff;
const NO_FILTER = -1;
/** Per-shard parts as they are never written: `writeShardQuery` writes the shared ones. */
const NO_OWN: OwnShardQuery = { aliasFilter: null, shardIndex: 0, reader: null, indexBoost: 1 };

export const NODE_QUERY: ActionCodec<NodeQueryRequest, NodeQueryResponse> = {
  name: 'indices:data/read/search[query][n]',
  writeRequest: ({ query, shards, concurrency, waitMs }) => {
    assert(shards.length <= NODE_QUERY_SHARDS_MAX, `${shards.length} shards asked in one message`);
    const filters = new Map<Uint8Array, number>();
    const written = shards.map((shard) => writeShard(shard, filters));
    const message = {
      query: writeShardQuery({ ...query, ...NO_OWN }),
      filters: [...filters.keys()],
      shards: written,
      concurrency,
      waitMs,
    };
    return { message };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const filters = r.list('filters', ValueReader.asBytes, NODE_QUERY_SHARDS_MAX);
    const { search, topN, nowMs, keepAliveMs, isScroll, statistics, canSkip, usesCache } = readShardQuery(
      r.object('query'),
    );
    return {
      query: { search, topN, nowMs, keepAliveMs, isScroll, statistics, canSkip, usesCache },
      shards: r.list('shards', (value, path) => readShard(ValueReader.of(value, path), filters), NODE_QUERY_SHARDS_MAX),
      concurrency: r.integer('concurrency', 1, CONCURRENCY_MAX),
      waitMs: r.integer('waitMs', 0, Number.MAX_SAFE_INTEGER),
    };
  },
  writeResponse: ({ answers }) =>
    joinShardAnswers(
      answers.map((answer) => (answer === null || isShoalError(answer) ? answer : QUERY_PHASE.writeResponse(answer))),
    ),
  readResponse: (body) => {
    const sections = new SectionReader(body.sections);
    const read: ItemReader<NodeShardAnswer> = (value, path) => {
      if (value === null) return null;
      const r = ValueReader.of(value, path);
      return r.has('error') ? fromWireError(r.raw('error')) : readQueryAnswer(r.object('answer'), sections);
    };
    const answers = ValueReader.of(body.message).list('answers', read, NODE_QUERY_SHARDS_MAX);
    sections.end();
    return { answers };
  },
};

/** `NODE_QUERY.writeResponse` of answers that are in the form of `QUERY_PHASE.writeResponse` already. */
export function joinShardAnswers(answers: readonly (WireBody | ShoalError | null)[]): WireBody {
  const written = answers.map((answer) => {
    if (answer === null) return null;
    return isShoalError(answer) ? { error: toWireError(answer) } : { answer: answer.message };
  });
  const sections = answers.flatMap((answer) =>
    answer === null || isShoalError(answer) ? [] : (answer.sections ?? []),
  );
  return { message: { answers: written }, sections };
}

function writeShard(
  { target, aliasFilter, shardIndex, reader, indexBoost }: NodeShardQuery,
  filters: Map<Uint8Array, number>,
): Readonly<Record<string, unknown>> {
  if (aliasFilter !== null && !filters.has(aliasFilter)) filters.set(aliasFilter, filters.size);
  const filter = aliasFilter === null ? NO_FILTER : (filters.get(aliasFilter) ?? NO_FILTER);
  return { target: writeShardTarget(target), filter, shardIndex, reader, indexBoost };
}

function readShard(r: ValueReader, filters: readonly Uint8Array[]): NodeShardQuery {
  const filter = r.integer('filter', NO_FILTER, filters.length - 1);
  return {
    target: readShardTarget(r.raw('target'), 'target'),
    aliasFilter: filter === NO_FILTER ? null : (filters[filter] ?? null),
    shardIndex: r.integer('shardIndex', 0, CONCURRENCY_MAX),
    reader: r.optionalInteger('reader', 0, Number.MAX_SAFE_INTEGER),
    indexBoost: r.number('indexBoost'),
  };
}
