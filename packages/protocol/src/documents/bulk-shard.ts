/** Writes for one primary shard, in order: coordinator → data node that holds the primary. Channel `bulk`. */
import type { WriteOperation, WriteResult } from '@shoal/query';
import { type ActionCodec, ValueReader } from '@shoal/transport';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';
import { readShardTarget, type ShardTarget, writeShardTarget } from './shard-target.ts';
import { readOperations, writeOperations } from './write-operations.ts';
import { readResults, writeResults } from './write-results.ts';

export type RefreshPolicy = 'none' | 'immediate' | 'wait_for';

export interface BulkShardRequest {
  readonly target: ShardTarget;
  readonly primaryTerm: number;
  readonly refresh: RefreshPolicy;
  /** Sources travel as raw sections; together at most 8 MiB. */
  readonly operations: readonly WriteOperation[];
}

export interface BulkShardResponse {
  /** One an operation, in order. */
  readonly results: readonly WriteResult[];
  /** Of copies: total counts unassigned ones too. */
  readonly shards: { readonly total: number; readonly successful: number; readonly failed: number };
  readonly forcedRefresh: boolean;
}

const REFRESH_POLICIES: readonly RefreshPolicy[] = ['none', 'immediate', 'wait_for'];
const COPIES_MAX = 100_000;

export const BULK_SHARD: ActionCodec<BulkShardRequest, BulkShardResponse> = {
  name: 'indices:data/write/bulk[s]',
  writeRequest: (request) => {
    const sections = new SectionWriter();
    const operations = writeOperations(request.operations, sections);
    const message = {
      target: writeShardTarget(request.target),
      primaryTerm: request.primaryTerm,
      refresh: request.refresh,
      operations,
    };
    return { message, sections: sections.sections };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const sections = new SectionReader(body.sections);
    const request: BulkShardRequest = {
      target: readShardTarget(r.raw('target'), 'target'),
      primaryTerm: r.integer('primaryTerm', 0, Number.MAX_SAFE_INTEGER),
      refresh: r.oneOf('refresh', REFRESH_POLICIES),
      operations: readOperations(r.object('operations'), sections),
    };
    sections.end();
    return request;
  },
  writeResponse: (response) => {
    const sections = new SectionWriter();
    const results = writeResults(response.results, sections);
    const message = { results, shards: { ...response.shards }, forcedRefresh: response.forcedRefresh };
    return { message, sections: sections.sections };
  },
  readResponse: (body) => {
    const r = ValueReader.of(body.message);
    const sections = new SectionReader(body.sections);
    const shards = r.object('shards');
    const response: BulkShardResponse = {
      results: readResults(r.object('results'), sections),
      shards: {
        total: shards.integer('total', 0, COPIES_MAX),
        successful: shards.integer('successful', 0, COPIES_MAX),
        failed: shards.integer('failed', 0, COPIES_MAX),
      },
      forcedRefresh: r.boolean('forcedRefresh'),
    };
    sections.end();
    return response;
  },
};
