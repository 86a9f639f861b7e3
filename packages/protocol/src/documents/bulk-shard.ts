/** Writes for one primary shard, in order: coordinator → data node that holds the primary. Channel `bulk`. */

import { assert, ValueReader } from '@shoal/core';
import { PackedOperations, type PackedResults } from '@shoal/shard-api';
import type { ActionCodec, WireBody } from '@shoal/transport';
import { SectionReader } from '../sections/section-reader.ts';
import { SectionWriter } from '../sections/section-writer.ts';
import { readShardTarget, type ShardTarget, writeShardTarget } from './shard-target.ts';
import { readResults, writeResults } from './write-results.ts';

export type RefreshPolicy = 'none' | 'immediate' | 'wait_for';

export interface BulkShardRequest {
  readonly target: ShardTarget;
  readonly primaryTerm: number;
  readonly refresh: RefreshPolicy;
  /** Copies that must be active before anything is written: the primary counts, and 0 asks for none. */
  readonly activeCopiesMin: number;
  /**
   * One raw section. Whoever receives the request owns its bytes, on the same node too, and may hand them on to another
   * thread: a sender that asks again packs them again.
   */
  readonly operations: PackedOperations;
}

export interface BulkShardResponse {
  /** Result of each operation, in order. */
  readonly results: PackedResults;
  /** Copies of the shard; the total counts unassigned ones too. */
  readonly shards: { readonly total: number; readonly successful: number; readonly failed: number };
  readonly forcedRefresh: boolean;
}

const REFRESH_POLICIES: readonly RefreshPolicy[] = ['none', 'immediate', 'wait_for'];
const COPIES_MAX = 100_000;

/** The results alone, on their way from the thread of a shard to the main thread of its node. */
export const BULK_RESULTS = {
  write: (results: PackedResults): WireBody => {
    const sections = new SectionWriter();
    return { message: writeResults(results, sections), sections: sections.sections };
  },
  read: (body: WireBody): PackedResults => readResults(ValueReader.of(body.message), new SectionReader(body.sections)),
} as const;

export const BULK_SHARD: ActionCodec<BulkShardRequest, BulkShardResponse> = {
  name: 'indices:data/write/bulk[s]',
  writeRequest: (request) => {
    const { target, primaryTerm, operations } = request;
    assert(primaryTerm >= 0, `writes to [${target.index}][${target.shard}] under primary term ${primaryTerm}`);
    assert(operations.bytes.byteLength > 0, `no operations for [${target.index}][${target.shard}]`);
    const message = {
      target: writeShardTarget(request.target),
      primaryTerm: request.primaryTerm,
      refresh: request.refresh,
      activeCopiesMin: request.activeCopiesMin,
    };
    return { message, sections: [request.operations.bytes] };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    const sections = new SectionReader(body.sections);
    const request: BulkShardRequest = {
      target: readShardTarget(r.raw('target'), 'target'),
      primaryTerm: r.integer('primaryTerm', 0, Number.MAX_SAFE_INTEGER),
      refresh: r.oneOf('refresh', REFRESH_POLICIES),
      activeCopiesMin: r.integer('activeCopiesMin', 0, COPIES_MAX),
      operations: PackedOperations.read(sections.bytes('operations')),
    };
    sections.end();
    return request;
  },
  writeResponse: (response) => {
    const sections = new SectionWriter();
    const { total, successful, failed } = response.shards;
    assert(successful + failed <= total, `${successful} copies written and ${failed} failed of ${total}`);
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
