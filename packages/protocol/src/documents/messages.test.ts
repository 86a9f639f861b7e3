import { isShoalError, ShoalError } from '@shoal/core';
import { PackedResults, packOperations } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOT_THREADS } from '../nodes/hot-threads.ts';
import { NODE_INFO, NODE_STATS, NODE_USAGE } from '../nodes/node-info.ts';
import { SHARD_MAINTENANCE, SHARD_STATS } from '../nodes/shard-maintenance.ts';
import { SHARD_RECOVERIES } from '../nodes/shard-recoveries.ts';
import { SHARD_SEGMENTS } from '../nodes/shard-segments.ts';
import { FETCH_PHASE, FREE_CONTEXT, FREE_CONTEXTS } from '../search/fetch-phase.ts';
import { NODE_QUERY } from '../search/node-query.ts';
import { QUERY_PHASE } from '../search/query-phase.ts';
import { RANK_QUERY, RANK_ROUND } from '../search/rank-phase.ts';
import { BULK_SHARD } from './bulk-shard.ts';
import { COPY_DOCUMENTS } from './copy-documents.ts';
import { GET_DOCUMENTS } from './get-documents.ts';
import {
  bytes,
  column,
  damage,
  hit,
  nullable,
  operation,
  overTheWire,
  result,
  target,
} from './message-arbitraries.test-support.ts';

const wholeNumber = fc.integer({ min: 0, max: 1_000_000 });

const queryResult = fc.integer({ min: 0, max: 6 }).chain((count) =>
  fc.record({
    contextId: nullable(wholeNumber),
    total: nullable(fc.record({ value: wholeNumber, relation: fc.constantFrom('eq' as const, 'gte' as const) })),
    maxScore: nullable(fc.float({ noNaN: true })),
    columns: fc.array(column(count), { maxLength: 3 }),
    scores: nullable(fc.float32Array({ minLength: count, maxLength: count })),
    ords: fc.uint32Array({ minLength: count, maxLength: count }),
    aggregations: nullable(fc.uint8Array({ maxLength: 40 })),
    groups: nullable(column(count)),
    profile: nullable(fc.uint8Array({ maxLength: 40 })),
    timedOut: fc.boolean(),
    terminatedEarly: fc.boolean(),
    isSkipped: fc.boolean(),
  }),
);

const query = fc.record({
  search: bytes,
  aliasFilter: nullable(bytes),
  topN: wholeNumber,
  nowMs: wholeNumber,
  keepAliveMs: wholeNumber,
  shardIndex: wholeNumber,
  reader: nullable(wholeNumber),
  isScroll: fc.boolean(),
  statistics: nullable(fc.uint8Array({ maxLength: 20 })),
  indexBoost: fc.double({ noNaN: true, min: 0, max: 100 }),
  canSkip: fc.boolean(),
  usesCache: nullable(fc.boolean()),
});

const pivot = fc.record({
  columns: fc.array(column(1), { maxLength: 3 }),
  shardIndex: wholeNumber,
  position: wholeNumber,
});
const round = fc.record({
  lower: nullable(pivot),
  upper: nullable(pivot),
  from: wholeNumber,
  to: wholeNumber,
  pivots: wholeNumber,
  tail: nullable(wholeNumber),
});
const rankAnswer = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })).chain(([shown, sent]) =>
  fc.record({
    listId: nullable(wholeNumber),
    count: wholeNumber,
    below: wholeNumber,
    above: wholeNumber,
    first: wholeNumber,
    pivots: fc.record({
      positions: fc.uint32Array({ minLength: shown, maxLength: shown }),
      columns: fc.array(column(shown), { maxLength: 3 }),
    }),
    entries: fc.record({
      columns: fc.array(column(sent), { maxLength: 3 }),
      scores: nullable(fc.float32Array({ minLength: sent, maxLength: sent })),
      ords: fc.uint32Array({ minLength: sent, maxLength: sent }),
    }),
  }),
);

interface Case<Req, Res> {
  readonly codec: ActionCodec<Req, Res>;
  readonly request: fc.Arbitrary<Req>;
  readonly response: fc.Arbitrary<Res>;
}

function asCase<Req, Res>(
  codec: ActionCodec<Req, Res>,
  request: fc.Arbitrary<Req>,
  response: fc.Arbitrary<Res>,
): Case<Req, Res> {
  return { codec, request, response };
}

const shards = fc.record({ total: wholeNumber, successful: wholeNumber, failed: wholeNumber }).map((counts) => ({
  total: (counts.successful % 1000) + (counts.failed % 1000) + (counts.total % 1000),
  successful: counts.successful % 1000,
  failed: counts.failed % 1000,
}));
const json = fc.dictionary(
  fc.string({ maxLength: 6 }),
  fc.jsonValue({ noUnicodeString: true }) as fc.Arbitrary<unknown>,
  {
    noNullPrototype: true,
  },
);

const CASES = [
  asCase(
    BULK_SHARD,
    fc.record({
      target,
      primaryTerm: wholeNumber,
      refresh: fc.constantFrom('none' as const, 'immediate' as const, 'wait_for' as const),
      activeCopiesMin: fc.nat({ max: 1000 }),
      operations: fc.array(operation, { maxLength: 8 }).map(packOperations),
    }),
    fc.record({
      results: fc.array(result, { maxLength: 8 }).map(PackedResults.of),
      shards,
      forcedRefresh: fc.boolean(),
    }),
  ),
  asCase(
    GET_DOCUMENTS,
    fc.record({
      target,
      refresh: fc.boolean(),
      gets: fc.array(fc.record({ id: fc.string(), realtime: fc.boolean() }), { maxLength: 5 }),
    }),
    fc.record({ documents: fc.array(nullable(hit), { maxLength: 5 }) }),
  ),
  asCase(
    QUERY_PHASE,
    fc.record({
      target,
      query,
      fetchPage: nullable(fc.record({ from: wholeNumber, size: wholeNumber })),
    }),
    fc.record({ result: queryResult, hits: nullable(fc.array(hit, { maxLength: 4 })) }),
  ),
  asCase(
    NODE_QUERY,
    fc
      .record({ query, shards: fc.array(fc.record({ target, query }), { maxLength: 3 }), limit: wholeNumber })
      .map(
        ({ query: { search, topN, nowMs, keepAliveMs, isScroll, statistics, canSkip, usesCache }, shards, limit }) => ({
          query: { search, topN, nowMs, keepAliveMs, isScroll, statistics, canSkip, usesCache },
          shards: shards.map(({ target, query: { aliasFilter, shardIndex, reader, indexBoost } }) => {
            return { target, aliasFilter, shardIndex, reader, indexBoost };
          }),
          concurrency: limit + 1,
          waitMs: limit,
        }),
      ),
    fc.record({
      answers: fc.array(
        fc.oneof(
          fc.record({ result: queryResult, hits: fc.constant(null) }),
          fc.constant(new ShoalError('x_exception', 500, 'why')),
          fc.constant(null),
        ),
        { maxLength: 4 },
      ),
    }),
  ),
  asCase(
    RANK_QUERY,
    fc.record({
      target,
      query,
      ask: fc.oneof(
        fc.record({ kind: fc.constant('page' as const), from: wholeNumber, size: wholeNumber }),
        fc.record({ kind: fc.constantFrom('top' as const, 'list' as const), round }),
      ),
      fetchesPage: fc.boolean(),
    }),
    fc.record({ result: queryResult, rank: rankAnswer, hits: nullable(fc.array(hit, { maxLength: 4 })) }),
  ),
  asCase(
    RANK_ROUND,
    fc.record({
      target,
      request: fc.record({ contextId: wholeNumber, listId: wholeNumber, round, shardIndex: wholeNumber }),
    }),
    rankAnswer,
  ),
  asCase(
    FETCH_PHASE,
    fc.record({
      target,
      fetch: fc.record({
        contextId: wholeNumber,
        ords: fc.uint32Array({ maxLength: 6 }),
        consumed: nullable(fc.nat(6)),
        search: nullable(bytes),
      }),
    }),
    fc.record({ hits: fc.array(hit, { maxLength: 4 }) }),
  ),
  asCase(FREE_CONTEXT, fc.record({ target, contextId: wholeNumber }), fc.record({ freed: fc.boolean() })),
  asCase(
    FREE_CONTEXTS,
    fc.record({ contexts: fc.array(fc.record({ target, contextId: wholeNumber }), { maxLength: 4 }) }),
    fc.record({ freed: fc.nat(4) }),
  ),
  asCase(
    SHARD_MAINTENANCE,
    fc.record({
      work: fc.oneof(
        fc.record({
          kind: fc.constantFrom(...(['refresh', 'flush', 'force_flush', 'reload_search_analyzers'] as const)),
        }),
        fc.record({ kind: fc.constant('synced_flush' as const), syncId: fc.string() }),
        fc.record({
          kind: fc.constant('clear_caches' as const),
          caches: fc.record({
            query: fc.boolean(),
            fielddata: fc.boolean(),
            request: fc.boolean(),
            fields: fc.array(fc.string(), { maxLength: 3 }),
          }),
        }),
        fc.record({
          kind: fc.constant('force_merge' as const),
          merge: fc.record({
            segmentsMax: nullable(fc.integer({ min: 1, max: 0x7fff_ffff })),
            onlyExpungeDeletes: fc.boolean(),
          }),
          flush: fc.boolean(),
        }),
      ),
      targets: fc.array(target, { maxLength: 4 }),
    }),
    fc.record({
      failures: fc.array(nullable(fc.constant(new ShoalError('x_exception', 500, 'why'))), { maxLength: 4 }),
    }),
  ),
  asCase(
    SHARD_SEGMENTS,
    fc.record({ indices: fc.array(fc.string(), { maxLength: 3 }), withFields: fc.boolean() }),
    fc.record({
      shards: fc.array(
        fc.record({
          index: fc.string(),
          shard: fc.integer({ min: 0, max: 1023 }),
          allocationId: fc.string(),
          segments: fc.array(
            fc.record({
              name: fc.string(),
              liveCount: wholeNumber,
              deletedCount: wholeNumber,
              sizeBytes: wholeNumber,
              memoryBytes: wholeNumber,
              isCommitted: fc.boolean(),
              isSearchable: fc.boolean(),
              fields: fc.array(
                fc.record({
                  name: fc.string(),
                  invertedIndex: wholeNumber,
                  storedFields: wholeNumber,
                  docValues: wholeNumber,
                  points: wholeNumber,
                  norms: wholeNumber,
                }),
                { maxLength: 3 },
              ),
            }),
            { maxLength: 3 },
          ),
        }),
        { maxLength: 3 },
      ),
    }),
  ),
  asCase(
    HOT_THREADS,
    fc.record({ intervalMs: fc.integer({ min: 1, max: 60_000 }), snapshots: fc.integer({ min: 1, max: 10_000 }) }),
    fc.record({
      threads: fc.array(
        fc.record({
          name: fc.string(),
          cpuMs: nullable(fc.double({ noNaN: true, noDefaultInfinity: true })),
          sampleCount: wholeNumber,
          stacks: fc.array(fc.record({ count: wholeNumber, frames: fc.array(fc.string(), { maxLength: 3 }) }), {
            maxLength: 3,
          }),
        }),
        { maxLength: 3 },
      ),
    }),
  ),
  asCase(
    SHARD_RECOVERIES,
    fc.record({ indices: fc.array(fc.string(), { maxLength: 3 }) }),
    fc.record({
      shards: fc.array(
        fc.record({
          index: fc.string(),
          shard: fc.integer({ min: 0, max: 1023 }),
          allocationId: fc.string(),
          isPrimary: fc.boolean(),
          source: fc.constantFrom('EMPTY_STORE', 'EXISTING_STORE', 'LOCAL_SHARDS', 'SNAPSHOT'),
          startMs: wholeNumber,
          stopMs: nullable(wholeNumber),
          tookMs: wholeNumber,
          peer: nullable(
            fc.record({ stage: fc.constantFrom('INIT', 'INDEX', 'TRANSLOG', 'DONE'), nodeId: nullable(fc.string()) }),
          ),
          recovery: nullable(
            fc.record({
              fileCount: wholeNumber,
              fileBytes: wholeNumber,
              copiedFileCount: wholeNumber,
              copiedFileBytes: wholeNumber,
              indexTimeMs: wholeNumber,
              translogOperations: wholeNumber,
              translogTimeMs: wholeNumber,
            }),
          ),
        }),
        { maxLength: 3 },
      ),
    }),
  ),
  asCase(
    COPY_DOCUMENTS,
    fc.record({
      target,
      copy: fc.record({
        contextId: nullable(wholeNumber),
        fromDoc: wholeNumber,
        to: fc.record({
          shard: fc.integer({ min: 0, max: 7 }),
          numberOfShards: fc.constant(8),
          routingNumShards: fc.constantFrom(8, 64, 1024),
        }),
      }),
    }),
    fc.record({
      operations: bytes,
      count: wholeNumber,
      next: nullable(fc.record({ contextId: wholeNumber, fromDoc: wholeNumber })),
    }),
  ),
  asCase(
    SHARD_STATS,
    fc.record({ indices: nullable(fc.array(fc.string(), { maxLength: 3 })) }),
    fc.record({
      shards: fc.array(
        fc.record({
          index: fc.string(),
          indexUuid: fc.string(),
          shard: fc.integer({ min: 0, max: 1023 }),
          allocationId: fc.string(),
          stats: fc.dictionary(fc.string({ maxLength: 6 }), wholeNumber),
        }),
        { maxLength: 4 },
      ),
    }),
  ),
  asCase(NODE_INFO, fc.constant({}), fc.record({ info: json })),
  asCase(NODE_STATS, fc.constant({}), fc.record({ stats: json })),
  asCase(NODE_USAGE, fc.constant({}), fc.record({ usage: json })),
] as readonly Case<unknown, unknown>[];

describe.each(CASES)('$codec.name', ({ codec, request, response }) => {
  test('a request and an answer arrive as they were sent', () => {
    fc.assert(
      fc.property(request, response, (sent, answered) => {
        expect(codec.readRequest(overTheWire(codec.writeRequest(sent)))).toEqual(sent);
        expect(codec.readResponse(overTheWire(codec.writeResponse(answered)))).toEqual(answered);
      }),
      { numRuns: 60 },
    );
  });

  test('what is damaged on the way is refused in words or read within limits, and never crashes', () => {
    const refusal = (read: () => unknown): unknown => {
      try {
        read();
        return null;
      } catch (error) {
        return error;
      }
    };
    fc.assert(
      fc.property(request, response, fc.nat(), (sent, answered, choice) => {
        const errors = [
          refusal(() => codec.readRequest(damage(codec.writeRequest(sent), choice))),
          refusal(() => codec.readResponse(damage(codec.writeResponse(answered), choice))),
        ];
        for (const error of errors) {
          if (error !== null && !isShoalError(error)) throw error;
          if (error !== null) expect(error).toMatchObject({ type: 'malformed_message_exception', status: 400 });
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('raw sections', () => {
  test('are viewed in place when they are aligned', () => {
    const ords = Uint32Array.from([4, 5, 6]);
    const request = FETCH_PHASE.readRequest(
      FETCH_PHASE.writeRequest({
        target: { index: 'i', indexUuid: 'u', shard: 0, allocationId: 'a', stateVersion: 1 },
        fetch: { contextId: 1, ords, consumed: null, search: null },
      }),
    );
    expect(request.fetch.ords.buffer).toBe(ords.buffer);
  });

  test('one too many is a sign of another format and is refused', () => {
    const body = GET_DOCUMENTS.writeResponse({ documents: [] });
    const more = { ...body, sections: [...(body.sections ?? []), new Uint8Array(0)] };
    expect(() => GET_DOCUMENTS.readResponse(more)).toThrow('sections');
  });

  test('lengths that add up to more than there is are refused', () => {
    const body = GET_DOCUMENTS.writeResponse({ documents: [null] });
    const sections = [...(body.sections ?? [])];
    sections[4] = new Uint8Array(Int32Array.from([1_000_000]).buffer);
    expect(() => GET_DOCUMENTS.readResponse({ ...body, sections })).toThrow('1000000');
  });
});
