/** `scripted_metric` over shards and buckets, against the same computation in the test. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { n: { type: 'long' }, t: { type: 'keyword' } } };
const doc = fc.record({ n: fc.integer({ min: -50, max: 50 }), t: fc.constantFrom('a', 'b', 'c') });
const shardLists = fc.array(fc.array(doc, { minLength: 1, maxLength: 10 }), { minLength: 1, maxLength: 4 });

const SUM = {
  scripted_metric: {
    init_script: 'state.values = []',
    map_script: "state.values.add(doc['n'].value * params.by)",
    combine_script: 'long s = 0; for (v in state.values) { s += v } return s',
    reduce_script: 'long s = 0; for (one in states) { s += one } return s',
    params: { by: 3 },
  },
};
const metric = (changes: object) => ({ m: { scripted_metric: { ...SUM.scripted_metric, ...changes } } });
const docs = [[{ n: 1, t: 'a' }], [{ n: 2, t: 'a' }]];

describe('scripted_metric', () => {
  test('has a state for each bucket and shard, of which one value is made', async () => {
    await fc.assert(
      fc.asyncProperty(shardLists, async (shards) => {
        const answer = await answerOf(MAPPING, shards, {
          all: SUM,
          each: { terms: { field: 't', order: { _key: 'asc' } }, aggs: { m: SUM } },
        });
        const all = shards.flat();
        const sumOf = (list: readonly { n: number }[]): number => list.reduce((sum, { n }) => sum + 3 * n, 0);
        expect(answer.all?.value).toBe(sumOf(all));
        const keys = [...new Set(all.map(({ t }) => t))].toSorted();
        expect(bucketsIn(answer.each).map(({ m }) => m?.value)).toEqual(
          keys.map((key) => sumOf(all.filter(({ t }) => t === key))),
        );
      }),
      { numRuns: 40 },
    );
  });

  test('of a bucket without documents combines the state that was begun, of one of no shard nothing', async () => {
    const count = {
      map_script: 'state.n++',
      init_script: 'state.n = 0',
      combine_script: 'state.n',
      reduce_script: 'states',
    };
    const answer = await answerOf(MAPPING, [[{ n: 1 }, { n: 3 }]], {
      none: { filter: { match_none: {} }, aggs: metric({ ...count, params: {} }) },
      steps: { histogram: { field: 'n', interval: 1 }, aggs: metric({ ...count, params: {} }) },
    });
    expect(answer.none?.m?.value).toEqual([0]);
    expect(bucketsIn(answer.steps).map(({ m }) => m?.value)).toEqual([[1], [null], [1]]);
  });

  test('is a number that pipelines may read', async () => {
    const double = { bucket_script: { buckets_path: { m: 'm.value' }, script: 'params.m * 2' } };
    const answer = await answerOf(MAPPING, docs, { t: { terms: { field: 't' }, aggs: { m: SUM, double } } });
    expect(bucketsIn(answer.t).map((bucket) => bucket.double?.value)).toEqual([18]);
  });

  test.each([
    ['no combine script', { combine_script: undefined }, '[combineScript] must not be null: [m]'],
    ['no reduce script', { reduce_script: undefined }, '[reduceScript] must not be null: [m]'],
    ['no map script', { map_script: undefined }, 'Required [map_script]'],
    [
      'a parameter that is given twice',
      { map_script: { source: 'state.a = 1', params: { by: 1 } } },
      'Parameter name "by" used in both aggregation and script parameters',
    ],
    ['a script that does not compile', { map_script: 'nobody' }, 'compile error'],
    ['a script that fails over all states', { reduce_script: 'states[5]' }, 'runtime error'],
    ['a state that cannot leave the shard', { combine_script: "/a/.matcher('a')" }, 'Cannot write type'],
  ])('is refused with %s', async (_, changes, reason) => {
    await expect(answerOf(MAPPING, docs, metric(changes))).rejects.toThrow(reason);
  });

  test('that keeps ever more ends when its states are too large', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ n, t: 'a' }));
    const hoard = {
      init_script: 'state.l = []',
      map_script: "for (int i = 0; i < 1000; i++) { state.l.add('x' + i) }",
    };
    await expect(answerOf(MAPPING, [many], metric(hoard))).rejects.toThrow('Data too large');
  });
});
