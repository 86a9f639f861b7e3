/** Term vectors of one document: coordinator → data node. Channel `reg`. */

import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { TermFilter, TermVectors, TermVectorsRequest, VectorDocument } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { readShardTarget, type ShardTarget, writeShardTarget } from './shard-target.ts';

export interface ShardTermVectorsRequest {
  readonly target: ShardTarget;
  readonly request: TermVectorsRequest;
}

export interface ShardTermVectorsResponse {
  /** null when there is no such document. */
  readonly found: TermVectors | null;
}

/** Names of fields, or analyzers, of one request. */
const NAMES_MAX = 100_000;
const COUNT_MIN = -(2 ** 31);
const COUNT_MAX = 2 ** 31 - 1;
const VERSION_MIN = Number.MIN_SAFE_INTEGER;

const readAnalyzer: ItemReader<readonly [string, string]> = (value, path) => {
  const r = ValueReader.of(value, path);
  return [r.string('field'), r.string('analyzer')];
};

export const TERM_VECTORS: ActionCodec<ShardTermVectorsRequest, ShardTermVectorsResponse> = {
  name: 'indices:data/read/tv[s]',
  writeRequest: ({ target, request }) => {
    const { analyzers, ...plain } = request;
    assert(analyzers.size <= NAMES_MAX, `${analyzers.size} analyzers of one request`);
    const named = [...analyzers].map(([field, analyzer]) => ({ field, analyzer }));
    return { message: { target: writeShardTarget(target), request: { ...plain, analyzers: named } } };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return { target: readShardTarget(r.raw('target'), 'target'), request: readRequest(r.object('request')) };
  },
  writeResponse: ({ found }) => ({ message: { found } }),
  readResponse: (body) => ({ found: ValueReader.of(body.message).optional('found', readVectors) }),
};

const readVectors: ItemReader<TermVectors> = (value, path) => {
  const r = ValueReader.of(value, path);
  return { version: r.integer('version', VERSION_MIN, Number.MAX_SAFE_INTEGER), vectors: r.bytes('vectors') };
};

function readRequest(r: ValueReader): TermVectorsRequest {
  return {
    document: readDocument(r.object('document')),
    fields: r.optional('fields', (value, path) => ValueReader.listOf(value, path, ValueReader.asString, NAMES_MAX)),
    analyzers: new Map(r.list('analyzers', readAnalyzer, NAMES_MAX)),
    positions: r.boolean('positions'),
    offsets: r.boolean('offsets'),
    payloads: r.boolean('payloads'),
    termStatistics: r.boolean('termStatistics'),
    fieldStatistics: r.boolean('fieldStatistics'),
    filter: r.optional('filter', readFilter),
  };
}

function readDocument(r: ValueReader): VectorDocument {
  const kind = r.oneOf('kind', ['stored', 'artificial']);
  if (kind === 'artificial') return { kind, source: r.bytes('source') };
  const version = r.optionalInteger('version', VERSION_MIN, Number.MAX_SAFE_INTEGER);
  return { kind, id: r.string('id'), version, realtime: r.boolean('realtime') };
}

const readFilter: ItemReader<TermFilter> = (value, path) => {
  const r = ValueReader.of(value, path);
  const count = (name: keyof TermFilter): number => r.integer(name, COUNT_MIN, COUNT_MAX);
  return {
    maxNumTerms: count('maxNumTerms'),
    minTermFreq: count('minTermFreq'),
    maxTermFreq: count('maxTermFreq'),
    minDocFreq: count('minDocFreq'),
    maxDocFreq: count('maxDocFreq'),
    minWordLength: count('minWordLength'),
    maxWordLength: count('maxWordLength'),
  };
};
