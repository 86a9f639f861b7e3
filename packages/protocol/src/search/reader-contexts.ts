/**
 * Readers and scrolls that outlive one search: opened, continued, and let go of all at once. Channel `reg`.
 */

import { assert, ValueReader } from '@shoal/core';
import type { FetchedHit, NextEntriesRequest, ShardQueryResult } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';
import { readQueryAnswer, writeQueryAnswer } from './query-phase.ts';

export interface OpenReaderRequest {
  readonly target: ShardTarget;
  readonly keepAliveMs: number;
}

export interface OpenReaderResponse {
  readonly contextId: number;
}

/** A point in time of one shard. */
export const OPEN_READER: ActionCodec<OpenReaderRequest, OpenReaderResponse> = {
  name: 'indices:data/read/open_reader_context[s]',
  writeRequest: ({ target, keepAliveMs }) => ({ message: { target: writeShardTarget(target), keepAliveMs } }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return {
      target: readShardTarget(r.raw('target'), 'target'),
      keepAliveMs: r.integer('keepAliveMs', 0, Number.MAX_SAFE_INTEGER),
    };
  },
  writeResponse: ({ contextId }) => {
    assert(Number.isSafeInteger(contextId) && contextId >= 0, `a reader is opened as ${contextId}`);
    return { message: { contextId } };
  },
  readResponse: (body) => ({
    contextId: ValueReader.of(body.message).integer('contextId', 0, Number.MAX_SAFE_INTEGER),
  }),
};

export interface ScrollPhaseRequest {
  readonly target: ShardTarget;
  readonly next: NextEntriesRequest;
  /** The only shard of the scroll fetches its page at once. */
  readonly fetchesPage: boolean;
}

export interface ScrollPhaseResponse {
  readonly result: ShardQueryResult;
  /** Documents of the page; null when they were not asked for. */
  readonly hits: readonly FetchedHit[] | null;
  /** The search that is continued, as `SearchCodec` packs it. */
  readonly search: Uint8Array;
}

/** The next entries of one shard of a scroll. */
export const SCROLL_PHASE: ActionCodec<ScrollPhaseRequest, ScrollPhaseResponse> = {
  name: 'indices:data/read/search[phase/query/scroll]',
  writeRequest: ({ target, next, fetchesPage }) => ({
    message: {
      target: writeShardTarget(target),
      contextId: next.contextId,
      keepAliveMs: next.keepAliveMs,
      fetchesPage,
    },
  }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return {
      target: readShardTarget(r.raw('target'), 'target'),
      next: {
        contextId: r.integer('contextId', 0, Number.MAX_SAFE_INTEGER),
        keepAliveMs: r.integer('keepAliveMs', 0, Number.MAX_SAFE_INTEGER),
      },
      fetchesPage: r.boolean('fetchesPage'),
    };
  },
  writeResponse: ({ result, hits, search }) => {
    const sections = new SectionWriter();
    const answer = writeQueryAnswer({ result, hits }, sections);
    return { message: { answer, search }, sections: sections.sections };
  },
  readResponse: (wire) => {
    const r = ValueReader.of(wire.message);
    const sections = new SectionReader(wire.sections);
    const answer = readQueryAnswer(r.object('answer'), sections);
    sections.end();
    return { ...answer, search: r.bytes('search') };
  },
};

/** Which of a node's open contexts are meant: those of scrolls, or those of points in time. */
export type ContextKind = 'scroll' | 'reader';

const CONTEXT_KINDS = ['scroll', 'reader'] as const satisfies readonly ContextKind[];

export interface FreeAllContextsRequest {
  readonly kind: ContextKind;
}

export interface FreeAllContextsResponse {
  readonly freed: number;
}

/** Lets a node forget all contexts of one kind. */
export const FREE_ALL_CONTEXTS: ActionCodec<FreeAllContextsRequest, FreeAllContextsResponse> = {
  name: 'indices:data/read/search[clear_scroll_contexts]',
  writeRequest: ({ kind }) => ({ message: { kind } }),
  readRequest: (body) => ({ kind: ValueReader.of(body.message).oneOf('kind', CONTEXT_KINDS) }),
  writeResponse: ({ freed }) => {
    assert(Number.isSafeInteger(freed) && freed >= 0, `${freed} contexts were let go of`);
    return { message: { freed } };
  },
  readResponse: (body) => ({ freed: ValueReader.of(body.message).integer('freed', 0, Number.MAX_SAFE_INTEGER) }),
};
