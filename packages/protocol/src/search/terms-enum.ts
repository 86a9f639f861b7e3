/** First terms of a field: coordinator → data node. Channel `reg`. */
import { ValueReader } from '@shoal/core';
import type { ShardTerms, TermsEnumRequest } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';
import { type PackedShardQuery, readShardQuery, writeShardQuery } from './query-phase.ts';

export interface TermsEnumMessage {
  readonly target: ShardTarget;
  /** A search whose query says whether the shard counts at all. */
  readonly query: PackedShardQuery;
  readonly asked: TermsEnumRequest;
}

/** Most terms of one answer. */
export const ENUM_TERMS_MAX = 10_000;
/** Longest that a shard looks, in milliseconds. */
export const ENUM_TIMEOUT_MS_MAX = 60_000;

export const TERMS_ENUM: ActionCodec<TermsEnumMessage, ShardTerms> = {
  name: 'indices:admin/termsenum/list[s]',
  writeRequest: ({ target, query, asked }) => ({
    message: { target: writeShardTarget(target), query: writeShardQuery(query), asked: { ...asked } },
  }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const asked = r.object('asked');
    return {
      target: readShardTarget(r.raw('target'), 'target'),
      query: readShardQuery(r.object('query')),
      asked: {
        field: asked.string('field'),
        prefix: asked.string('prefix'),
        isCaseInsensitive: asked.boolean('isCaseInsensitive'),
        after: asked.optionalString('after'),
        size: asked.integer('size', 1, ENUM_TERMS_MAX),
        timeoutMs: asked.integer('timeoutMs', 0, ENUM_TIMEOUT_MS_MAX),
      },
    };
  },
  writeResponse: ({ terms, isComplete }) => ({ message: { terms: [...terms], isComplete } }),
  readResponse: (body) => {
    const r = ValueReader.of(body.message);
    return { terms: r.list('terms', ValueReader.asString, ENUM_TERMS_MAX), isComplete: r.boolean('isComplete') };
  },
};
