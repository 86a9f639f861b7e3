import {
  type JsonObjectNode,
  parseJsonTree,
  runSteps,
  StepMeter,
  type Steps,
  sortInSteps,
  writeJsonText,
} from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BucketBudget } from '../contract/bucket-budget.ts';
import type { PartialResult } from '../kinds/aggregation-kinds.ts';
import type { StatsPartial } from '../kinds/stats/stats-partial.ts';
import type { Bucket } from '../tree/partial-node.ts';
import { PLAIN_FORMAT } from '../values/value-format.ts';
import { parseAggregations } from './parse-aggregations.ts';
import { readPartialsInSteps, writePartials, writePartialsInSteps } from './partial-codec.ts';
import { finishAggregations, reduceInSteps } from './reduce-aggregations.ts';
import { renderAggregations, renderInSteps } from './render-aggregations.ts';

const BUCKETS = 20_000;

function parse(aggs: unknown): ReturnType<typeof parseAggregations> {
  return parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
}

function stats(sum: number): StatsPartial {
  return { kind: 'stats', format: PLAIN_FORMAT, count: 1, sum, min: sum, max: sum, sumOfSquares: sum * sum };
}

function histogram(first: number): PartialResult {
  const buckets = Array.from({ length: BUCKETS }, (_, i): Bucket<number> => {
    return { key: first + i, docCount: 1 + (i % 7), children: [stats(i)] };
  });
  return { kind: 'histogram', format: PLAIN_FORMAT, buckets };
}

/** The result, and how often others could run before it was there. */
function counted<T>(steps: Steps<T>): { readonly result: T; readonly yields: number } {
  let yields = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { result: step.value, yields };
    yields++;
  }
}

describe('many buckets', () => {
  const level = parse({
    h: {
      histogram: { field: 'n', interval: 1, order: { s: 'desc' } },
      aggs: { s: { sum: { field: 'n' } }, d: { cumulative_sum: { buckets_path: 's' } } },
    },
    m: { max_bucket: { buckets_path: 'h>s' } },
  });
  const shards = [[histogram(0)], [histogram(BUCKETS / 2)]];

  test.each([
    ['are written', () => writePartialsInSteps([histogram(0)])],
    ['are read', () => readPartialsInSteps(writePartials([histogram(0)]))],
    ['are merged', () => reduceInSteps(level, shards, { buckets: new BucketBudget(100_000), nowMs: 0 })],
    [
      'are shown',
      () => renderInSteps(level, finishAggregations(level, shards, new BucketBudget(100_000)), { typedKeys: false }),
    ],
  ] as const)('%s in many steps', (_, start) => {
    expect(counted<unknown>(start()).yields).toBeGreaterThan(8);
  });

  test('come out the same in steps and at once', () => {
    const finished = finishAggregations(level, shards, new BucketBudget(100_000));
    const whole = renderAggregations(level, finished, { typedKeys: true });
    const reduced = counted(reduceInSteps(level, shards, { buckets: new BucketBudget(100_000), nowMs: 0 })).result;
    const rendered = counted(renderInSteps(level, reduced, { typedKeys: true })).result;
    expect(Buffer.compare(rendered.bytes, whole.bytes)).toBe(0);
    const shown = JSON.parse(writeJsonText(whole));
    expect(shown['histogram#h'].buckets).toHaveLength(BUCKETS * 1.5);
  });

  test('that are too many are refused by a step', () => {
    expect(() => runSteps(reduceInSteps(level, shards, { buckets: new BucketBudget(BUCKETS), nowMs: 0 }))).toThrow(
      'too many buckets',
    );
  });
});

test('a sort in steps is the stable sort', () => {
  const item = fc.record({ key: fc.nat(40), at: fc.nat() });
  const lists = fc.oneof(fc.array(item), fc.array(item, { minLength: 1_200, maxLength: 3_000 }));
  fc.assert(
    fc.property(lists, (items) => {
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(runSteps(sortInSteps(items, compare, new StepMeter()))).toEqual([...items].sort(compare));
    }),
    { numRuns: 60 },
  );
});

describe('names', () => {
  const filters: PartialResult = {
    kind: 'filters',
    buckets: [{ key: 0, docCount: 3, children: [stats(5)] }],
  };
  const shown = (aggs: unknown, partials: readonly PartialResult[]): unknown => {
    const level = parse(aggs);
    const finished = finishAggregations(level, [partials], new BucketBudget(1_000));
    return parseJsonTree(renderAggregations(level, finished, { typedKeys: false }).bytes) !== null
      ? JSON.parse(writeJsonText(renderAggregations(level, finished, { typedKeys: false })))
      : null;
  };

  test('of children may be those that buckets show of themselves', () => {
    const aggs = { f: { filter: { match_all: {} }, aggs: { doc_count: { sum: { field: 'n' } } } } };
    expect(shown(aggs, [filters])).toEqual({ f: { doc_count: { value: 5 } } });
  });

  test('of buckets that are alike show the last', () => {
    const key = (docCount: number): Bucket<{ from: number; to: number; position: number }> => {
      return { key: { from: 0, to: 1, position: docCount - 1 }, docCount, children: [] };
    };
    const range = {
      field: 'n',
      keyed: true,
      ranges: [
        { to: 1, key: 'a' },
        { to: 1, key: 'a' },
      ],
    };
    const partial: PartialResult = { kind: 'range', format: PLAIN_FORMAT, buckets: [key(1), key(2)] };
    expect(shown({ r: { range } }, [partial])).toEqual({ r: { buckets: { a: { from: 0, to: 1, doc_count: 2 } } } });
  });

  test('of the user are quoted, whatever is in them', () => {
    const aggs = {
      'a"\\\n': { filter: { match_all: {} }, meta: { 'k"': 1 }, aggs: { __proto__x: { max: { field: 'n' } } } },
    };
    expect(shown(aggs, [filters])).toEqual({
      'a"\\\n': { meta: { 'k"': 1 }, doc_count: 3, __proto__x: { value: 5 } },
    });
  });
});
