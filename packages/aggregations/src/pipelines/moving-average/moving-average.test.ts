/** `moving_avg` over the buckets of a histogram: its models, their fitting, forecasts, and requests that are refused. */
import { runSteps, StepMeter } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAggs, resent } from '../../levels/round-trip.test-support.ts';
import type { AggregationLevel, AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket } from '../../tree/finished-level.ts';
import { PIPELINE_KINDS } from '../kinds/pipeline-kinds.ts';
import { type AverageModel, forecasts, SIMPLE_MODEL } from './average-model.ts';
import { fittedModel } from './fit-model.ts';

const parse = (options: object): AggregationLevel =>
  parseAggs({
    h: { histogram: { field: 'f', interval: 2 }, aggs: { p: { moving_avg: { buckets_path: '_count', ...options } } } },
  });

/** Keys, counts and values of the pipeline over buckets with these counts. */
function over(counts: readonly number[], options: object): readonly (readonly unknown[])[] {
  const [parent] = resent(parse(options)).aggregations as [AggregationNode];
  const [node] = parent.pipelines as [AggregationNode['pipelines'][number]];
  const kind = PIPELINE_KINDS.get(node.kind);
  if (kind?.family !== 'parent') throw new Error(`${node.kind} is no pipeline over buckets`);
  const buckets: FinishedBucket[] = counts.map((docCount, at) => ({ key: 2 * at, docCount, children: [] }));
  const made = runSteps(kind.run(node, parent, buckets, new StepMeter()));
  return made.map(({ key, docCount, values }) => [key, docCount, values?.get('p')?.number('value')]);
}

const rounded = (rows: readonly (readonly unknown[])[]): unknown[] =>
  rows.map((row) => (typeof row[2] === 'number' ? Math.round(row[2] * 1e6) / 1e6 : undefined));

describe('moving_avg', () => {
  test('is the mean of the values before a bucket, none for the first', () => {
    expect(rounded(over([1, 3, 5, 7], { window: 2 }))).toEqual([undefined, 1, 2, 4]);
  });

  test.each([
    ['linear', {}, [undefined, 0.5, 7 / 4, 22 / 7]],
    ['ewma', { settings: { alpha: 0.5 } }, [undefined, 1, 2, 3.5]],
    ['holt', { settings: { alpha: 0.5, beta: 0.5 } }, [undefined, 1, 2, 3.75]],
    [
      'holt_winters',
      { minimize: false, window: 4, settings: { period: 1, alpha: 0.5 } },
      [undefined, undefined, 2.85, 4.7575],
    ],
  ])('of the model %s weighs newer values more', (model, options, expected) => {
    const shown = rounded(over([1, 3, 5, 7], { model, ...options })) as (number | undefined)[];
    for (const [at, value] of shown.entries()) {
      const wanted = expected[at];
      if (wanted === undefined) expect(value).toBeUndefined();
      else expect(value).toBeCloseTo(wanted, 1);
    }
  });

  test('forecasts behind the last value, in buckets that it makes', () => {
    expect(over([2, 4], { predict: 2 })).toEqual([
      [0, 2, undefined],
      [2, 4, 2],
      [4, 0, 3],
      [6, 0, 3],
    ]);
    const [, , first, second] = over([2, 4], { predict: 2, model: 'holt' });
    expect(Number(second?.[2]) - Number(first?.[2])).toBeCloseTo(0.06, 6);
    expect(over([], { predict: 2 })).toEqual([]);
  });

  test('of several seasons repeats them', () => {
    const model: AverageModel = { ...SIMPLE_MODEL, name: 'holt_winters', period: 2, isMultiplicative: true };
    const [a, b, c] = forecasts(model, [1, 9, 1, 9, 1, 9], 3);
    expect(a).toBeCloseTo(1, 6);
    expect(b).toBeCloseTo(9, 6);
    expect(c).toBeCloseTo(1, 6);
  });

  test('forecasts no seasons of which it saw too little', () => {
    const seasons = { model: 'holt_winters', minimize: false, settings: { period: 2 }, predict: 1 };
    expect(() => over([1, 2, 3], seasons)).toThrow('(2 * period == 2 * 2 == 4) data-points to function.  Only [3]');
  });

  test('that is fitted forecasts the test values no worse, and always alike', () => {
    const values = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 8, maxLength: 8 });
    const errorOf = (model: AverageModel, train: readonly number[], tests: readonly number[]): number =>
      forecasts(model, train, tests.length).reduce((sum, value, at) => sum + (value - (tests[at] ?? 0)) ** 2, 0);
    fc.assert(
      fc.property(values, (all) => {
        const [train, tests] = [all.slice(0, 4), all.slice(4)];
        const model: AverageModel = { ...SIMPLE_MODEL, name: 'holt' };
        const fit = (): AverageModel => runSteps(fittedModel(model, train, tests, new StepMeter()));
        expect(errorOf(fit(), train, tests)).toBeLessThanOrEqual(errorOf(model, train, tests));
        expect(fit()).toEqual(fit());
      }),
      { numRuns: 10 },
    );
    expect(over([1, 2, 3, 4, 5, 6, 7], { model: 'holt', minimize: true, window: 3 })).toHaveLength(7);
  });

  test.each([
    [{ window: 0 }, '[window] value must be a positive, non-zero integer.  Value supplied was [null] in [p].'],
    [{ window: 'x' }, 'Unknown key for a VALUE_STRING in [p]: [window].'],
    [{ foo: 1 }, 'Unknown key for a VALUE_NUMBER in [p]: [foo].'],
    [{ predict: -1 }, '[predict] value must be a positive integer.  Value supplied was [-1] in [p].'],
    [{ predict: 10_001 }, '[predict] of [p] must be at most [10000], not [10001]'],
    [{ model: 'zz' }, 'no [moving_avg_model] registered for [zz]'],
    [{ model: 'simple', minimize: true }, 'model cannot be minimized for aggregation [p]'],
    [{ gap_policy: 'keep_values' }, 'Invalid gap policy: [keep_values], accepted values: [insert_zeros, skip]'],
    [{ model: 'ewma', settings: { alpha: 2 } }, 'Could not parse settings for model [ewma].'],
    [{ model: 'ewma', settings: { beta: 1 } }, 'Could not parse settings for model [ewma].'],
    [{ model: 'holt_winters', settings: { pad: 'x' } }, 'Could not parse settings for model [holt_winters].'],
    [{ model: 'holt_winters', settings: { type: 'zz' } }, 'failed to parse seasonality type [zz]'],
    [{ model: 'holt_winters', window: 3, settings: { period: 2 } }, 'which is less than (2*period) == 4'],
  ])('is refused with %j', (options, reason) => {
    expect(() => parse(options)).toThrow(reason);
  });

  test('does not predict where the next interval is not known', () => {
    const level = parseAggs({
      h: { auto_date_histogram: { field: 'd' }, aggs: { p: { moving_avg: { buckets_path: '_count', predict: 1 } } } },
    });
    const [parent] = level.aggregations as [AggregationNode];
    const [node] = parent.pipelines as [AggregationNode['pipelines'][number]];
    const kind = PIPELINE_KINDS.get('moving_avg');
    const buckets: FinishedBucket[] = [{ key: 1, docCount: 1, children: [] }];
    const run = () => kind?.family === 'parent' && runSteps(kind.run(node, parent, buckets, new StepMeter()));
    expect(run).toThrow('[predict] of [p] is not supported by this server inside of [h]');
  });
});
