import { parseAggregations, writePartials } from '@shoal/aggregations';
import { parseJsonTree } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import {
  FETCH_PHASE,
  FREE_CONTEXT,
  FREE_CONTEXTS,
  NODE_QUERY,
  NODE_QUERY_SHARDS_MAX,
  type NodeShardQuery,
  OPEN_READER,
  QUERY_PHASE,
  type QueryPhaseRequest,
  type QueryPhaseResponse,
  SHARD_BATCH_MAX,
  shardBatch,
} from '@shoal/protocol';
import { searchRequest } from '@shoal/query';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import type { ShardQueryResult } from '@shoal/shard-api';
import type { ActionCodec, WireBody } from '@shoal/transport';
import { describe, expect, test } from 'vitest';
import { createCoordinatorContext } from '../../context/coordinator-context.ts';
import { indexOf, nodeOf, stateOf } from '../../coordinator.test-support.ts';
import { READ_INDICES_OPTIONS } from '../../indices/indices-options.ts';
import { executeSearch } from '../actions/execute-search.ts';
import { openPointInTime } from '../actions/open-point-in-time.ts';
import { QueryReducer } from '../results/query-reducer.ts';
import { searchTargets } from '../targets/search-targets.ts';

const INDICES = 10;
const SHARDS_OF_INDEX = 1_000;
const SHARDS = INDICES * SHARDS_OF_INDEX;

const state = stateOf({
  indices: Array.from({ length: INDICES }, (_, i) => indexOf(`i${i}`, { shards: SHARDS_OF_INDEX })),
  nodes: ['n1', 'n2', 'n3'].map(nodeOf),
  place: (_, shard) => `n${1 + (shard % 3)}`,
});

const aggs = parseJsonTree(new TextEncoder().encode('{"n":{"sum":{"field":"n"}}}'));
if (aggs?.kind !== 'object') throw new Error('aggregations are an object');
const tree = parseAggregations(aggs);

/** A hit, whose score says which shard it is of, and a sum of 1. */
function resultOf(shardIndex: number): ShardQueryResult {
  const sum = { kind: 'stats', format: { kind: 'plain' }, count: 1, sum: 1, min: 1, max: 1, sumOfSquares: 1 } as const;
  return {
    contextId: shardIndex,
    total: { value: 1, relation: 'eq' },
    maxScore: shardIndex,
    columns: [{ kind: 'score', values: Float32Array.of(shardIndex) }],
    scores: null,
    ords: Uint32Array.of(0),
    aggregations: writePartials([sum]),
    groups: null,
    profile: null,
    timedOut: false,
    terminatedEarly: false,
    isSkipped: false,
  };
}

/** A document named after its shard's context. */
function fetched(request: WireBody): WireBody {
  const { contextId } = FETCH_PHASE.readRequest(request).fetch;
  const none = { routing: null, storedApart: null, ignored: null, fields: null, ignoredValues: null };
  const parts = { ...none, highlight: null, matchedQueries: null, innerHits: null, explanation: null, source: null };
  return FETCH_PHASE.writeResponse({
    hits: [{ id: `d${contextId}`, version: 1, seqNo: 0, primaryTerm: 1, ...parts }],
  });
}

/** Shards that answer at once, behind the codecs of their messages. */
class ManyShards {
  readonly messages: string[] = [];
  readonly freed = new Set<number>();
  /** Answers of one message; the others are asked again. */
  answersMax = Number.POSITIVE_INFINITY;

  settings() {
    return {};
  }

  state() {
    return state;
  }

  async send<Req, Res>(_: string, codec: ActionCodec<Req, Res>, request: Req): Promise<Res> {
    this.messages.push(codec.name);
    return codec.readResponse(this.#answer(codec.name, codec.writeRequest(request)));
  }

  #answer(action: string, body: WireBody): WireBody {
    const answerOf = ({ shardIndex }: Pick<NodeShardQuery, 'shardIndex'>): QueryPhaseResponse => {
      return { result: resultOf(shardIndex), hits: null };
    };
    switch (action) {
      case NODE_QUERY.name: {
        const { shards } = NODE_QUERY.readRequest(body);
        expect(shards.length).toBeLessThanOrEqual(NODE_QUERY_SHARDS_MAX);
        return NODE_QUERY.writeResponse({
          answers: shards.map((shard, i) => (i < this.answersMax ? answerOf(shard) : null)),
        });
      }
      case QUERY_PHASE.name:
        return QUERY_PHASE.writeResponse(answerOf((QUERY_PHASE.readRequest(body) as QueryPhaseRequest).query));
      case shardBatch(OPEN_READER).name: {
        const { requests } = shardBatch(OPEN_READER).readRequest(body);
        expect(requests.length).toBeLessThanOrEqual(SHARD_BATCH_MAX);
        const answers = requests.map((request) => {
          const { shard } = OPEN_READER.readRequest(request).target;
          return OPEN_READER.writeResponse({ contextId: shard });
        });
        return shardBatch(OPEN_READER).writeResponse({ answers });
      }
      case shardBatch(FETCH_PHASE).name: {
        const { requests } = shardBatch(FETCH_PHASE).readRequest(body);
        // Every other shard has more than a message of many takes.
        const answers = requests.map((request, i) => (i % 2 === 0 ? fetched(request) : null));
        return shardBatch(FETCH_PHASE).writeResponse({ answers });
      }
      case FETCH_PHASE.name:
        return fetched(body);
      case FREE_CONTEXTS.name: {
        const { contexts } = FREE_CONTEXTS.readRequest(body);
        for (const { contextId } of contexts) this.freed.add(contextId);
        return FREE_CONTEXTS.writeResponse({ freed: contexts.length });
      }
      case FREE_CONTEXT.name:
        this.freed.add(FREE_CONTEXT.readRequest(body).contextId);
        return FREE_CONTEXT.writeResponse({ freed: true });
      default:
        throw new Error(`no handler for ${action}`);
    }
  }
}

function contextOf(cluster: ManyShards) {
  // The parts of the service that a search uses.
  return createCoordinatorContext(createNodeRuntime({ log: createSilentLog() }), cluster as unknown as ClusterService);
}

function search(cluster: ManyShards, body: object) {
  return executeSearch(contextOf(cluster), {
    expression: null,
    indicesOptions: READ_INDICES_OPTIONS,
    body: new TextEncoder().encode(JSON.stringify(body)),
    parsed: null,
    params: {},
    routings: [],
    allowPartialResults: null,
    countsExactly: false,
    showsTypes: false,
    maxConcurrentShardRequests: 5,
    batchedReduceSize: 512,
    preFilterShardSize: null,
    scrollKeepAliveMs: null,
    usesRequestCache: false,
    sharesStatistics: false,
    signal: null,
  });
}

describe(`a search over ${SHARDS} shards of three nodes`, () => {
  test('takes one message for each 512 shards of a node', async () => {
    const cluster = new ManyShards();
    const outcome = await search(cluster, { size: 0, aggs: { n: { sum: { field: 'n' } } } });
    expect(outcome.total).toEqual({ value: 10_000, relation: 'eq' });
    expect(outcome.shards).toMatchObject({ total: SHARDS, successful: SHARDS, failed: 0 });
    expect(outcome.aggregations?.finished.partials[0]).toMatchObject({ sum: SHARDS });
    expect(outcome.reducePhases).toBe(1 + 1 + Math.floor((SHARDS - 513) / 511));
    const queries = cluster.messages.filter((action) => action === NODE_QUERY.name);
    expect(queries).toEqual(new Array(3 * Math.ceil(SHARDS / 3 / 512)).fill(NODE_QUERY.name));
  });

  test('asks again for the shards that an answer had no room for', async () => {
    const cluster = new ManyShards();
    cluster.answersMax = 100;
    const outcome = await search(cluster, { size: 0, aggs: { n: { sum: { field: 'n' } } } });
    expect(outcome.aggregations?.finished.partials[0]).toMatchObject({ sum: SHARDS });
    expect(cluster.messages.length).toBeLessThan(SHARDS / 50);
  });

  test('is refused when a node answers for none of the shards', async () => {
    const cluster = new ManyShards();
    cluster.answersMax = 0;
    await expect(search(cluster, { size: 0 })).rejects.toMatchObject({ type: 'search_phase_execution_exception' });
  });
});

test(`a point in time over ${SHARDS} shards is opened by one message for each 512 shards of a node`, async () => {
  const cluster = new ManyShards();
  const { shards } = await openPointInTime(contextOf(cluster), {
    expression: null,
    indicesOptions: READ_INDICES_OPTIONS,
    routings: [],
    keepAliveMs: 1_000,
    allowPartial: false,
    maxConcurrentOpens: null,
  });
  expect(shards).toMatchObject({ total: SHARDS, successful: SHARDS });
  expect(cluster.messages).toEqual(new Array(3 * Math.ceil(SHARDS / 3 / 512)).fill(shardBatch(OPEN_READER).name));
});

test('documents that are too large for a message of many are fetched from their shards alone', async () => {
  const cluster = new ManyShards();
  const { hits } = await search(cluster, { size: 5 });
  // Shards with higher numbers have higher scores.
  expect(hits.map(({ hit }) => hit.id)).toEqual(Array.from({ length: 5 }, (_, i) => `d${SHARDS - 1 - i}`));
  const fetches = cluster.messages.filter((action) => action.startsWith(FETCH_PHASE.name));
  // Two nodes have two of the shards each, one of which is asked again; the third node has one.
  expect(fetches.filter((action) => action !== FETCH_PHASE.name)).toHaveLength(2);
  expect(fetches.filter((action) => action === FETCH_PHASE.name)).toHaveLength(3);
});

test('a reducer holds the partial results of one batch, and the entries of one page', async () => {
  const cluster = new ManyShards();
  const context = contextOf(cluster);
  const indices = [...state.metadata.indices.values()].map((index) => ({ index, viaAliases: [] }));
  const targets = searchTargets(indices, [], null);
  const request = searchRequest({ size: 10 });
  const batchSize = 100;
  const reducer = new QueryReducer(context, {
    targets,
    request,
    aggregations: tree,
    batchSize,
    isScroll: false,
    signal: null,
  });
  let partialsMost = 0;
  let entriesMost = 0;
  for (const { position, shard } of targets.slice(0, 2_000)) {
    const target = { ...shard, shard: shard.number, allocationId: 'a', stateVersion: 1 };
    const copy = { nodeId: `n${1 + (position % 3)}`, target, primaryTerm: 1 };
    reducer.take(position, { kind: 'answered', copy, response: { result: resultOf(position), hits: null } });
    await reducer.reduced();
    if (position % 50 !== 0) continue;
    const results = Object.values(reducer.outcomes).flatMap((one) =>
      one.kind === 'answered' ? [one.response.result] : [],
    );
    partialsMost = Math.max(partialsMost, results.filter(({ aggregations }) => aggregations !== null).length);
    entriesMost = Math.max(
      entriesMost,
      results.reduce((sum, { ords }) => sum + ords.length, 0),
    );
  }
  expect(partialsMost).toBeGreaterThan(batchSize / 2);
  expect(partialsMost).toBeLessThanOrEqual(batchSize);
  expect(entriesMost).toBeLessThanOrEqual(batchSize + request.size);
  // What is not on the page is let go of while others are awaited.
  await expect.poll(() => cluster.freed.size).toBeGreaterThan(1_800);
  expect(cluster.messages.length).toBeLessThan(3 * 21);
});
