/** Fetch phase: coordinator → owner of some of the page's hits; and the release of a context that lost. Channel `reg`. */

import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { FetchedHit, FetchShardRequest } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { HITS_MAX, readPresentHits, writeHits } from '../documents/fetched-hits.ts';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';

/** `FetchShardRequest` with the search as `SearchCodec` packs it: the bytes that the query phase had. */
export interface PackedFetch extends Omit<FetchShardRequest, 'request'> {
  readonly search: Uint8Array | null;
}

export interface FetchPhaseRequest {
  readonly target: ShardTarget;
  readonly fetch: PackedFetch;
}

export interface FetchPhaseResponse {
  /** One an ord, in order. */
  readonly hits: readonly FetchedHit[];
}

export interface FreeContextRequest {
  readonly target: ShardTarget;
  readonly contextId: number;
}

export interface FreeContextResponse {
  /** false: the shard is not here any more, and its contexts with it. */
  readonly freed: boolean;
}

export const FETCH_PHASE: ActionCodec<FetchPhaseRequest, FetchPhaseResponse> = {
  name: 'indices:data/read/search[phase/fetch/id]',
  writeRequest: ({ target, fetch }) => {
    const sections = new SectionWriter();
    sections.add(fetch.ords);
    const message = {
      target: writeShardTarget(target),
      contextId: fetch.contextId,
      count: fetch.ords.length,
      consumed: fetch.consumed,
      search: fetch.search,
    };
    return { message, sections: sections.sections };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const sections = new SectionReader(body.sections);
    const request: FetchPhaseRequest = {
      target: readShardTarget(r.raw('target'), 'target'),
      fetch: {
        contextId: r.integer('contextId', 0, Number.MAX_SAFE_INTEGER),
        ords: sections.uint32('ords', r.integer('count', 0, HITS_MAX)),
        consumed: r.optionalInteger('consumed', 0, HITS_MAX),
        search: r.optional('search', ValueReader.asBytes),
      },
    };
    sections.end();
    return request;
  },
  writeResponse: (response) => {
    const sections = new SectionWriter();
    const message = { hits: writeHits(response.hits, sections) };
    return { message, sections: sections.sections };
  },
  readResponse: (body) => {
    const sections = new SectionReader(body.sections);
    const hits = readPresentHits(ValueReader.of(body.message).object('hits'), sections);
    sections.end();
    return { hits };
  },
};

export interface FreeContextsResponse {
  /** Contexts that were there to be freed. */
  readonly freed: number;
}

/** Most contexts of one message. */
export const FREED_CONTEXTS_MAX = 1_000;

const readFreed: ItemReader<FreeContextRequest> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    target: readShardTarget(r.raw('target'), 'target'),
    contextId: r.integer('contextId', 0, Number.MAX_SAFE_INTEGER),
  };
};

export const FREE_CONTEXT: ActionCodec<FreeContextRequest, FreeContextResponse> = {
  name: 'indices:data/read/search[free_context]',
  writeRequest: (request) => ({
    message: { target: writeShardTarget(request.target), contextId: request.contextId },
  }),
  readRequest: (body) => readFreed(body.message, ''),
  writeResponse: (response) => ({ message: { freed: response.freed } }),
  readResponse: (body) => ({ freed: ValueReader.of(body.message).boolean('freed') }),
};

export interface FreeContextsRequest {
  readonly contexts: readonly FreeContextRequest[];
}

/** `FREE_CONTEXT` of several shards of one node. */
export const FREE_CONTEXTS: ActionCodec<FreeContextsRequest, FreeContextsResponse> = {
  name: 'indices:data/read/search[free_context][n]',
  writeRequest: ({ contexts }) => {
    assert(contexts.length <= FREED_CONTEXTS_MAX, `${contexts.length} contexts freed in one message`);
    return {
      message: {
        contexts: contexts.map(({ target, contextId }) => ({ target: writeShardTarget(target), contextId })),
      },
    };
  },
  readRequest: (body) => ({
    contexts: ValueReader.of(body.message).list('contexts', readFreed, FREED_CONTEXTS_MAX),
  }),
  writeResponse: ({ freed }) => ({ message: { freed } }),
  readResponse: (body) => ({ freed: ValueReader.of(body.message).integer('freed', 0, FREED_CONTEXTS_MAX) }),
};
