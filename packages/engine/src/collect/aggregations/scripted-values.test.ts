/** Aggregations over values that scripts make, against the same computation in the test. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from './aggregation-answer.test-support.ts';

interface Doc {
  readonly n: readonly number[];
  readonly t: readonly string[];
}

const MAPPING = {
  properties: { n: { type: 'long' }, t: { type: 'keyword' }, d: { type: 'date' }, ip: { type: 'ip' } },
};
const doc: fc.Arbitrary<Doc> = fc.record({
  n: fc.uniqueArray(fc.integer({ min: -20, max: 20 }), { maxLength: 3 }),
  t: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
});
const shardLists = fc.array(fc.array(doc, { maxLength: 12 }), { minLength: 1, maxLength: 3 });

function counted<Key extends string | number>(keys: readonly (readonly Key[])[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const list of keys) for (const key of new Set(list)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

describe('values that a script makes', () => {
  test('of numbers are summed, counted and told apart as the numbers themselves', async () => {
    await fc.assert(
      fc.asyncProperty(shardLists, async (shards) => {
        const answer = await answerOf(MAPPING, shards, {
          sum: { sum: { script: "doc['n']" } },
          doubled: { sum: { field: 'n', script: '_value * 2' } },
          count: { value_count: { script: "doc['t']" } },
          distinct: { cardinality: { script: "doc['t']" } },
          filled: { sum: { script: "doc['n']", missing: 100 } },
        });
        const docs = shards.flat();
        const sum = docs.flatMap(({ n }) => n).reduce((total, value) => total + value, 0);
        expect(answer.sum?.value).toBe(sum);
        expect(answer.doubled?.value).toBe(2 * sum);
        expect(answer.count?.value).toBe(docs.flatMap(({ t }) => t).length);
        expect(answer.distinct?.value).toBe(new Set(docs.flatMap(({ t }) => t)).size);
        expect(answer.filled?.value).toBe(sum + 100 * docs.filter(({ n }) => n.length === 0).length);
      }),
      { numRuns: 40 },
    );
  });

  test('are buckets of terms and of histograms, with aggregations inside', async () => {
    await fc.assert(
      fc.asyncProperty(shardLists, async (shards) => {
        const answer = await answerOf(MAPPING, shards, {
          texts: {
            terms: { field: 't', script: "_value + '!'", order: { _key: 'asc' } },
            aggs: { s: { sum: { script: '1' } } },
          },
          made: { terms: { script: "doc['n']", size: 100, order: { _key: 'asc' } } },
          steps: { histogram: { interval: 5, script: "doc['n']", min_doc_count: 1 } },
        });
        const docs = shards.flat();
        const texts = [...counted(docs.map(({ t }) => t))].toSorted(([a], [b]) => (a < b ? -1 : 1));
        expect(bucketsIn(answer.texts)).toEqual(
          texts.map(([key, count]) => ({ key: `${key}!`, doc_count: count, s: { value: count } })),
        );
        const made = [...counted(docs.map(({ n }) => n.map(String)))].toSorted(([a], [b]) => (a < b ? -1 : 1));
        expect(bucketsIn(answer.made)).toEqual(made.map(([key, count]) => ({ key, doc_count: count })));
        const steps = [...counted(docs.map(({ n }) => n.map((value) => Math.floor(value / 5) * 5)))];
        expect(bucketsIn(answer.steps)).toEqual(
          steps.toSorted(([a], [b]) => a - b).map(([key, count]) => ({ key, doc_count: count })),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('what a script gives', () => {
  const docs = [[{ n: 1, t: ['a'], d: '2020-01-01' }, { n: 2 }]];

  test.each([
    [{ avg: { script: "doc['t']" } }, 'Unsupported script value [a], expected a number, date, or boolean'],
    [{ avg: { field: 't', script: '1' } }, 'Script yielding [unknown type] is not supported for aggregation [avg]'],
    [{ max: { script: '1', value_type: 'string' } }, 'Script yielding [string] is not supported for aggregation [max]'],
    [{ terms: { field: 'ip', script: '_value' } }, 'encoded bytes are of incorrect length'],
  ])('%j is refused where it is no value of the aggregation', async (request, reason) => {
    await expect(answerOf(MAPPING, docs, { x: request })).rejects.toThrow(reason);
  });

  test('has the type that the request names, and dates are shown as dates', async () => {
    const answer = await answerOf(MAPPING, docs, {
      longs: { terms: { script: "doc['n'].value + 0.5", value_type: 'long' } },
      months: { date_histogram: { calendar_interval: 'month', script: "doc['d']" } },
      scores: { sum: { script: '_score' } },
    });
    expect(bucketsIn(answer.longs)).toEqual([
      { key: 1, doc_count: 1 },
      { key: 2, doc_count: 1 },
    ]);
    expect(bucketsIn(answer.months)).toEqual([
      { key: 1577836800000, key_as_string: '2020-01-01T00:00:00.000Z', doc_count: 1 },
    ]);
    expect(answer.scores?.value).toBe(2);
  });
});
