import { runSteps, StepMeter } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import type { PercentilesPartial } from '../../kinds/percentiles/percentiles-partial.ts';
import { parseAggs, resent } from '../../levels/round-trip.test-support.ts';
import { TDigest } from '../../sketches/t-digest.ts';
import type { AggregationLevel, AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket } from '../../tree/finished-level.ts';
import { movingPercentiles } from './moving-percentiles.ts';

const MEDIAN = { percentiles: { field: 'v', percents: [0, 50, 100], tdigest: { compression: 200 } } };

function parse(options: object, inner: object = MEDIAN): AggregationLevel {
  const p = { moving_percentiles: { buckets_path: 'm', ...options } };
  return parseAggs({ h: { histogram: { field: 'f', interval: 1 }, aggs: { m: inner, p } } });
}

function partialOf(values: readonly number[]): PercentilesPartial {
  const sketch = new TDigest(200);
  sketch.addAll(Float64Array.from(values));
  return { kind: 'percentiles', format: { kind: 'plain' }, sketch };
}

/** What the pipeline shows in each bucket of these values; undefined where it made nothing. */
function shownOver(lists: readonly (readonly number[])[], options: object, inner: object = MEDIAN): readonly unknown[] {
  const [parent] = resent(parse(options, inner)).aggregations as [AggregationNode];
  const [node] = parent.pipelines as [Parameters<typeof movingPercentiles.run>[0]];
  const buckets: FinishedBucket[] = lists.map((values, key) => {
    return { key, docCount: values.length, children: [partialOf(values)] };
  });
  const made = runSteps(movingPercentiles.run(node, parent, buckets, new StepMeter()));
  return made.map(({ values }) => {
    const value = values?.get('p');
    return value && [value.typeName, ...[0, 50, 100].map((percent) => value.number(String(percent)))];
  });
}

describe('moving_percentiles', () => {
  const lists = [[1, 2, 3], [10], [20, 30], [5]];
  const type = 'tdigest_percentiles';

  test('are of all values in front of the bucket', () => {
    expect(shownOver(lists, { window: 2 })).toEqual([
      undefined,
      [type, 1, 2, 3],
      [type, 1, 2.5, 10],
      [type, 10, 20, 30],
    ]);
    expect(shownOver(lists, { window: 10, shift: 1 })[3]).toEqual([type, 1, 5, 30]);
    expect(shownOver(lists, { window: 1, shift: -9 })).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('are shown as those that they are of', () => {
    const [parent] = parse({ window: 1 }).aggregations as [AggregationNode];
    const [node] = parent.pipelines as [Parameters<typeof movingPercentiles.run>[0]];
    const buckets = lists.map((values, key) => ({ key, docCount: 1, children: [partialOf(values)] }));
    const [, second] = runSteps(movingPercentiles.run(node, parent, buckets, new StepMeter()));
    expect(JSON.parse(JSON.stringify(Object.keys(second?.values?.get('p')?.members().values ?? {})))).toEqual([
      '0.0',
      '50.0',
      '100.0',
    ]);
    expect(second?.values?.get('p')?.number(undefined)).toBeNull();
  });

  test.each([
    ['no window', {}, 'Required [window]'],
    ['no path', { window: 1, buckets_path: null }, 'buckets_path'],
    ['a window of nothing', { window: 0 }, '[window] must be a positive, non-zero integer.'],
    ['gaps', { window: 1, gap_policy: 'skip' }, 'unknown field [gap_policy]'],
  ])('are refused with %s', (_, options, reason) => {
    expect(() => parse(options)).toThrow(reason);
  });

  test.each([
    ['boxplot', { boxplot: { field: 'v' } }],
    ['percentile_ranks', { percentile_ranks: { field: 'v', values: [1] } }],
    ['avg', { avg: { field: 'v' } }],
  ])('of %s are refused', (_, inner) => {
    expect(() => shownOver(lists, { window: 1 }, inner)).toThrow(
      'buckets_path must reference a percentiles aggregation, got: [',
    );
  });
});
