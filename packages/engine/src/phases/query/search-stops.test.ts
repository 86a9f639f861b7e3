import { isShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import type { ShardQueryOutcome } from '../context/shard-search-context.ts';
import { executeShardQuery } from './execute-query.ts';
import { memoryContext, shardRequest } from './memory-searcher.test-support.ts';

const MAPPING = {
  properties: { key: { type: 'keyword' }, n: { type: 'long' }, group: { type: 'keyword' }, body: { type: 'text' } },
};
const DOCS = 12_000;
const mixed = (i: number): number => Math.imul(i + 1, 2_654_435_761) >>> 0;
const docs = Array.from({ length: DOCS }, (_, i) => ({
  id: String(i),
  source: JSON.stringify({
    key: mixed(i).toString(36),
    n: mixed(i) % 1_000,
    group: `g${mixed(i) % 300}`,
    body: `common w${mixed(i) % 5} w${mixed(i).toString(36)}`,
  }),
}));
const context = memoryContext(MAPPING, [docs], () => false, createSegmentMemory({ bytesMax: 2 ** 27 }));

const COMMON = { match: { body: 'common' } };
/** Every document has both terms, and none has them in this order. */
const PHRASE = { match_phrase: { body: 'w2 common' } };
const BACKWARDS = {
  bool: { should: [{ match_phrase: { body: 'common w1' } }, { match_phrase: { body: 'common w2' } }] },
};
const SPAN = (term: string): object => ({ span_term: { body: term } });
const searches: readonly (readonly [name: string, body: object])[] = [
  ['ranks by score', { query: { match: { body: 'common w1' } }, min_score: 0.01 }],
  ['looks for a phrase', { query: { match_phrase: { body: 'common w2' } }, min_score: 0.01 }],
  ['finds a phrase nowhere', { query: { match_phrase: { body: { query: 'w2 common', slop: 1 } } }, min_score: 0.01 }],
  [
    'finds one of two phrases nowhere',
    { query: { bool: { should: [PHRASE, { match_phrase: { body: 'w3 common' } }] } } },
  ],
  [
    'finds a phrase nowhere that others are filtered by',
    { query: { bool: { must: COMMON, filter: PHRASE } }, size: 0 },
  ],
  ['leaves out what has a phrase', { query: { bool: { must: COMMON, must_not: BACKWARDS } } }],
  ['finds spans nowhere', { query: { span_near: { clauses: [SPAN('w1'), SPAN('common')], in_order: true } } }],
  ['finds no score that is enough', { query: { function_score: { query: COMMON, min_score: 1e9 } } }],
  ['takes a slice by ids', { query: COMMON, slice: { id: 1, max: 5_000 } }],
  ['sorts', { query: { match: { body: 'common' } }, sort: [{ n: 'desc' }, 'key'] }],
  ['collapses', { query: { match_all: {} }, collapse: { field: 'group' }, sort: ['n'] }],
  ['counts one by one', { query: { wildcard: { body: '*a*' } }, size: 0, track_total_hits: true }],
  [
    'has terms',
    { size: 0, aggs: { k: { terms: { field: 'key', size: DOCS }, aggs: { n: { avg: { field: 'n' } } } } } },
  ],
  ['has numbers as terms', { size: 0, aggs: { k: { terms: { field: 'n', size: DOCS } } } }],
  ['has sketches', { size: 0, aggs: { c: { cardinality: { field: 'key' } }, p: { percentiles: { field: 'n' } } } }],
  [
    'has a composite',
    { size: 0, aggs: { c: { composite: { size: DOCS, sources: [{ k: { terms: { field: 'key' } } }] } } } },
  ],
];

interface Run {
  readonly yields: number;
  /** null: it was refused as cancelled. */
  readonly outcome: ShardQueryOutcome | null;
}

/** With a clock by which every look at it ends a slice. `stopAt`: the pause in which the search is told to stop. */
async function run(body: object, stopAt: number): Promise<Run> {
  let yields = 0;
  let ms = 0;
  const stop = { isStopped: false };
  const yieldNow = async (): Promise<void> => {
    if (++yields === stopAt) stop.isStopped = true;
  };
  const clock = { monotonicMs: () => (ms += 6), wallMs: () => 0 };
  try {
    return { outcome: await executeShardQuery({ ...context, yieldNow }, shardRequest(body), stop, clock), yields };
  } catch (error) {
    if (!isShoalError(error) || error.type !== 'task_cancelled_exception') throw error;
    return { outcome: null, yields };
  }
}

describe.each(searches)('a search that %s', (_name, body) => {
  test('stops where it is when it is told to: nothing more is begun', async () => {
    const whole = await run(body, -1);
    expect(whole.outcome?.timedOut).toBe(false);
    expect(whole.yields).toBeGreaterThan(1);
    for (const stopAt of new Set([1, 2, Math.floor(whole.yields / 2), whole.yields - 1])) {
      const { yields, outcome } = await run(body, stopAt);
      expect([stopAt, yields]).toEqual([stopAt, stopAt]);
      // In its last pause there was nothing left to do.
      if (outcome !== null) expect(outcome.timedOut).toBe(stopAt < whole.yields);
    }
  });

  test('ends in time with what it has', async () => {
    const whole = await run(body, -1);
    const { outcome, yields } = await run({ ...body, timeout: '1ms' }, -1);
    expect(outcome?.timedOut).toBe(true);
    expect(yields).toBeLessThan(whole.yields);
  });
});
