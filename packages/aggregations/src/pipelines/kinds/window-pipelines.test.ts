/** `moving_fn` and `normalize` over the buckets of a histogram. */
import { runSteps, StepMeter } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { parseAggs, resent } from '../../levels/round-trip.test-support.ts';
import type { AggregationLevel, AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket } from '../../tree/finished-level.ts';
import { PIPELINE_KINDS } from './pipeline-kinds.ts';

const parse = (pipeline: object): AggregationLevel =>
  parseAggs({ h: { histogram: { field: 'f', interval: 1 }, aggs: { p: pipeline } } });

/** Values of the pipeline over buckets with these counts; undefined where it made none. */
function valuesOver(counts: readonly number[], pipeline: object): readonly unknown[] {
  const level = resent(parse(pipeline));
  const [parent] = level.aggregations as [AggregationNode];
  const [node] = parent.pipelines as [AggregationNode['pipelines'][number]];
  const kind = PIPELINE_KINDS.get(node.kind);
  if (kind?.family !== 'parent') throw new Error(`${node.kind} is no pipeline over buckets`);
  const buckets: FinishedBucket[] = counts.map((docCount, key) => ({ key, docCount, children: [] }));
  const made = runSteps(kind.run(node, parent, buckets, new StepMeter()));
  return made.map(({ values }) => values?.get('p')?.number('value'));
}

describe('moving_fn', () => {
  const over = (options: object) => ({ moving_fn: { buckets_path: '_count', ...options } });

  test('is given the values in front of its bucket', () => {
    const sum = { window: 2, script: 'MovingFunctions.sum(values)' };
    expect(valuesOver([1, 2, 3, 4], over(sum))).toEqual([0, 1, 3, 5]);
    expect(valuesOver([1, 2, 3, 4], over({ ...sum, shift: 1 }))).toEqual([1, 3, 5, 7]);
    expect(valuesOver([1, 2, 3, 4], over({ ...sum, shift: -9 }))).toEqual([0, 0, 0, 0]);
  });

  test('gives its script parameters', () => {
    const script = { source: 'values.length * params.by', params: { by: 10 } };
    expect(valuesOver([5, 5, 5], over({ window: 2, script }))).toEqual([0, 10, 20]);
  });

  test.each([
    ['no window', { script: '1' }, 'Required [window]'],
    ['no script', { window: 1 }, 'Required [script]'],
    ['a window of nothing', { window: 0, script: '1' }, '[window] must be a positive, non-zero integer.'],
  ])('is refused with %s', (_, options, reason) => {
    expect(() => parse(over(options))).toThrow(reason);
  });
});

describe('normalize', () => {
  const by = (method: string) => ({ normalize: { buckets_path: '_count', method } });

  test.each([
    ['rescale_0_1', [0, 0.25, 1]],
    ['rescale_0_100', [0, 25, 100]],
    ['percent_of_sum', [1 / 8, 2 / 8, 5 / 8]],
    ['mean', [(1 - 8 / 3) / 4, (2 - 8 / 3) / 4, (5 - 8 / 3) / 4]],
    ['z-score', [-0.9805806756909203, -0.39223227027636803, 1.372812945967288]],
    ['softmax', [0.01714782554552039, 0.04661262257797389, 0.9362395518765058]],
  ])('%s', (method, expected) => {
    for (const [at, value] of valuesOver([1, 2, 5], by(method)).entries()) {
      expect(value).toBeCloseTo(expected[at] as number, 12);
    }
  });

  test.each([
    ['no method', {}, 'Required [method]'],
    ['a method that is none', { method: 'max' }, 'invalid method [max]'],
    ['a policy for gaps', { method: 'mean', gap_policy: 'skip' }, '[normalize] unknown field [gap_policy]'],
  ])('is refused with %s', (_, options, reason) => {
    expect(() => parse({ normalize: { buckets_path: '_count', ...options } })).toThrow(reason);
  });
});
