/** The request and the partial result of `variable_width_histogram`, and how neighbours are merged. */
import { runSteps, StepMeter } from '@shoal/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAggs, reread, resent } from '../../levels/round-trip.test-support.ts';
import { nearestRanges, type WeightedMean } from './nearest-ranges.ts';
import type { VariableWidthPartial } from './variable-width-partial.ts';

test('a request comes out of a message as it was parsed', () => {
  const level = parseAggs({
    plain: { variable_width_histogram: { field: 'n' } },
    all: {
      variable_width_histogram: { field: 'n', buckets: 3, shard_size: 9, initial_buffer: 20, missing: 1, format: '0' },
    },
  });
  expect(resent(level)).toEqual(level);
  expect(level.aggregations[0]).toMatchObject({ bucketsMax: 10, shardSize: 500, bufferSize: 5000 });
});

test('a result comes out of bytes as it was', () => {
  const partial: VariableWidthPartial = {
    kind: 'variableWidthHistogram',
    format: { kind: 'decimal', pattern: '0.0' },
    buckets: [{ key: 1.5, min: 1, max: 2, docCount: 2, children: [] }],
  };
  expect(reread([partial])).toEqual([partial]);
});

/** The nearest neighbours by looking at all of them, each time. */
function naiveRanges(points: readonly WeightedMean[], most: number): readonly (readonly [number, number])[] {
  const ranges = points.map(({ key, docCount }, at) => ({ first: at, last: at, mean: key, weight: docCount }));
  while (ranges.length > most) {
    let best = 0;
    const distance = (i: number): number => Math.abs((ranges[i]?.mean ?? 0) - (ranges[i + 1]?.mean ?? 0));
    for (let i = 1; i < ranges.length - 1; i++) if (distance(i) < distance(best)) best = i;
    const [left, right] = ranges.slice(best, best + 2);
    if (left === undefined || right === undefined) break;
    const weight = left.weight + right.weight;
    const mean = (left.mean * left.weight + right.mean * right.weight) / weight;
    ranges.splice(best, 2, { first: left.first, last: right.last, mean, weight });
  }
  return ranges.map(({ first, last }) => [first, last]);
}

test('the nearest neighbours are merged, those that the merge makes nearer among them', () => {
  const point = fc.record({ key: fc.integer({ min: 0, max: 1000 }), docCount: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (list, most) => {
      const points = list.sort((a, b) => a.key - b.key);
      const found = runSteps(nearestRanges(points, most, new StepMeter()));
      expect(found.map(({ first, last }) => [first, last])).toEqual(naiveRanges(points, most));
    }),
  );
});
