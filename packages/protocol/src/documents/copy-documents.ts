/** A page of the documents of a shard for a new index: data node that makes a shard → data node of the source. Channel `reg`. */
import { ValueReader } from '@shoal/core';
import type { CopiedDocuments, CopyDocumentsRequest } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';
import { readShardTarget, SHARD_NUMBER_MAX, type ShardTarget, writeShardTarget } from './shard-target.ts';

export interface CopyShardDocumentsRequest {
  readonly target: ShardTarget;
  readonly copy: CopyDocumentsRequest;
}

const ROUTING_SHARDS_MAX = 0x7fff_ffff;
const DOCS_MAX = 0x7fff_ffff;

export const COPY_DOCUMENTS: ActionCodec<CopyShardDocumentsRequest, CopiedDocuments> = {
  name: 'internal:index/shard/copy_documents',
  writeRequest: ({ target, copy }) => ({
    message: { target: writeShardTarget(target), ...copy, to: { ...copy.to } },
  }),
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const to = r.object('to');
    const numberOfShards = to.integer('numberOfShards', 1, SHARD_NUMBER_MAX + 1);
    const routingNumShards = to.integer('routingNumShards', 1, ROUTING_SHARDS_MAX);
    if (routingNumShards % numberOfShards !== 0) to.refuse('routingNumShards', 'a multiple of the number of shards');
    return {
      target: readShardTarget(r.raw('target'), 'target'),
      copy: {
        contextId: r.optionalInteger('contextId', 0, Number.MAX_SAFE_INTEGER),
        fromDoc: r.integer('fromDoc', 0, DOCS_MAX),
        to: { numberOfShards, routingNumShards, shard: to.integer('shard', 0, SHARD_NUMBER_MAX) },
      },
    };
  },
  writeResponse: ({ operations, count, next }) => {
    const sections = new SectionWriter();
    sections.add(operations);
    return { message: { count, next: next === null ? null : { ...next } }, sections: sections.sections };
  },
  readResponse: (body) => {
    const sections = new SectionReader(body.sections);
    const r = ValueReader.of(body.message);
    const answer = {
      operations: sections.bytes('operations'),
      count: r.integer('count', 0, DOCS_MAX),
      next: r.optional('next', (value, field) => {
        const next = ValueReader.of(value, field);
        return {
          contextId: next.integer('contextId', 0, Number.MAX_SAFE_INTEGER),
          fromDoc: next.integer('fromDoc', 0, DOCS_MAX),
        };
      }),
    };
    sections.end();
    return answer;
  },
};
